import Support
import Testing
import Trace

/// Each number of a trace is in its range, or its line is refused: nothing behind the reader meets another one.
@Suite struct TraceRangeTests {
    private static let start = """
        {"threadlab":3,"scenario":"s","runtime":"controlled","seed":1}
        {"thread":0,"name":"main"}
        {"object":1,"kind":"mutex","name":"m"}

        """

    /// A line with `#` where a number is.
    struct Field: CustomTestStringConvertible {
        let line: String
        let range: ClosedRange<Int128>

        var testDescription: String { line }

        init(_ line: String, _ range: ClosedRange<some FixedWidthInteger>) {
            self.line = line
            self.range = Int128(range.lowerBound)...Int128(range.upperBound)
        }
    }

    private static func event(_ rest: String, kind: String = "note", t: String = "0", thread: String = "0") -> String {
        "{\"n\":1,\"t\":\(t),\"thread\":\(thread),\"kind\":\"\(kind)\"\(rest)}"
    }

    static let fields: [Field] = [
        Field(event("", t: "#"), 0...Int64.max), Field(event("", thread: "#"), 0...UInt16.max),
        Field(event(#","object":#"#, kind: "mutex.release"), 0...UInt32.max),
        Field(event(#","at":#"#), 0...UInt32.max), Field(event(#","at":"a:#""#), 0...Int32.max),
        Field(event(#","remark":#"#, kind: "remark"), 0...UInt16.max), Field(#"{"dropped":#}"#, 0...1 << 48),
        Field(#"{"omitted":#}"#, 0...1 << 48),
        Field(#"{"object":2,"kind":"mutex","name":"n","maker":#}"#, 0...UInt16.max),
        Field(#"{"object":2,"kind":"mutex","name":"n","inside":#}"#, 0...UInt32.max),
        Field(#"{"object":2,"kind":"mutex","name":"n","made":{"in":"f","at":"a:#"}}"#, 0...Int32.max),
        Field(#"{"site":1,"at":"a:#"}"#, 0...Int32.max),
        Field(#"{"site":1,"at":"a:1","calls":[{"in":"f","at":"a:#"}]}"#, 0...Int32.max),
    ]
    static let values = EventKind.allCases.map { kind in
        Field(event(#","value":#"#, kind: kind.name), kind.values(kind.meaning))
    }

    @Test(arguments: fields + values) func `a number is in its range, or its line is refused`(field: Field) {
        for number in ExtremeNumbers.decimals {
            let text = Self.start + field.line.replacing("#", with: number) + "\n"
            let isInRange = Int128(number).map(field.range.contains) ?? false
            do {
                _ = try TraceReader.read(Array(text.utf8))
                #expect(isInRange, "\(number)")
            } catch {
                #expect(!isInRange && error.description.hasPrefix("line 4: expected \""), "\(number): \(error)")
            }
        }
    }

    @Test func `counts and times that pass are not negative, and what a program calls a number is any`() {
        for kind in [EventKind.threadSleep, .threadDeadline, .runTimeout, .runStepLimit, .runCycle, .memoryBehind] {
            #expect(kind.values(kind.meaning) == 0...Int64.max)
        }
        for kind in [EventKind.atomicStore, .cellRead, .choice, .meterTime, .meterBytes] {
            #expect(kind.values(kind.meaning) == Int64.min...Int64.max)
        }
        #expect(EventKind.runCrash.values(.signal).upperBound == 127)
        #expect(EventKind.remark.values(.thread).upperBound == Int64(UInt16.max))
    }

    @Test func `the seed has all 64 bits`() {
        for number in ExtremeNumbers.decimals {
            let text = Self.start.replacing("\"seed\":1", with: "\"seed\":\(number)")
            let isInRange = Int128(number).map { (0...Int128(UInt64.max)).contains($0) } ?? false
            #expect(((try? TraceReader.read(Array(text.utf8))) != nil) == isInRange, "\(number)")
        }
    }
}
