import Support
import Testing
import Trace

@Suite struct TraceReaderErrorTests {
    static let header = #"{"threadlab":2,"scenario":"s","parameters":{},"runtime":"native"}"#

    static func remark(_ number: Int, _ line: String? = nil) -> String {
        #"{"remark":\#(line ?? "\(number)"),"name":"a-\#(number)","verb":"act"}"# + "\n"
    }

    static let main = #"{"thread":0,"name":"main"}"#

    @Test(
        arguments: [
            ("7", "line 1: expected a JSON object"), (#"{"text":7}"#, #"line 1: expected "text": a string"#),
            ("{}", #"line 1: expected "package": a string"#),
        ])
    func `a program that is none is an error of the first line`(program: String, message: String) {
        let text = "\(Self.header.dropLast()),\"program\":\(program)}\n"
        #expect(Self.error(Array(text.utf8))?.description == message)
    }

    @Test(
        arguments: [
            ("", "line 1: expected a trace, found nothing"),
            ("hello\n", "line 1: expected a value at column 1"),
            ("{}\n", #"line 1: expected the header of a saved trace, {"threadlab":3,…}"#),
            (
                #"{"threadlab":4}"# + "\n",
                "line 1: this trace has format version 4; this threadlab reads versions 2 and 3"
            ),
            (
                #"{"threadlab":1}"# + "\n",
                "line 1: this trace has format version 1; this threadlab reads versions 2 and 3"
            ),
            (#"{"threadlab":2}"# + "\n", #"line 1: expected "scenario": a string"#),
            (header + "\n" + "{\"n\":1,}\n", "line 2: expected a string at column 8"),
            (header + "\n[]\n", "line 2: expected a JSON object"),
            (header + "\n" + #"{"m":1}"# + "\n", "line 2: expected an event, a declaration or the outcome"),
            (header + "\n" + #"{"thread":1,"name":"x"}"# + "\n", #"line 2: expected "thread": 0, found 1"#),
            (
                header + "\n" + main + "\n\n" + #"{"n":1,"t":0,"thread":"x","kind":"note"}"# + "\n",
                "line 4: expected a declared name, found “x”"
            ),
            (
                header + "\n" + main + "\n" + #"{"n":1,"t":0,"thread":"main","kind":"mutex.look"}"# + "\n",
                "line 3: this version does not support the kind of event “mutex.look”"
            ),
            (
                header + "\n" + main + "\n"
                    + #"{"n":1,"t":0,"thread":"main","kind":"atomic.load","order":"consume"}"# + "\n",
                "line 3: this version does not support the memory order “consume”"
            ),
            (
                header + "\n" + main + "\n" + #"{"n":1,"t":0,"thread":"main","kind":"atomic.load","order":1}"# + "\n",
                "line 3: expected \"order\": a memory order"
            ),
            (
                header + "\n" + main + "\n" + #"{"n":1,"t":0,"thread":"main","kind":"timer.fire"}"# + "\n",
                "line 3: this version does not support the kind of event “timer.fire”"
            ),
            (
                header + "\n" + #"{"remark":1,"name":"mutex.acquire","verb":""}"# + "\n",
                "line 2: expected the words of a remark with a new name, found “mutex.acquire”"
            ),
            (
                header + "\n" + #"{"remark":1,"name":"a","verb":"\#(String(repeating: "x", count: 129))"}"# + "\n",
                "line 2: expected the words of a remark with a new name, found “a”"
            ),
            (
                header + "\n" + remark(1) + remark(1, "2"),
                "line 3: expected the words of a remark with a new name, found “a-1”"
            ),
            (
                header + "\n" + (1...255).map { remark($0) }.joined(),
                "line 256: expected at most 254 remarks"
            ),
            (
                header + "\n" + main + "\n" + #"{"n":2,"t":0,"thread":"main","kind":"note"}"# + "\n",
                #"line 3: expected "n": 1, found 2"#
            ),
            (
                header + "\n" + #"{"outcome":{"kind":"completed","summary":""}}"# + "\n" + main + "\n",
                "line 3: expected nothing after the outcome"
            ),
        ])
    func `files that are not traces are refused with the line and what was expected there`(
        text: String, message: String
    ) {
        #expect(Self.error(Array(text.utf8))?.description == message)
    }

    @Test func `files that are not traces may not have a line longer than the limit`() {
        let text = Self.header + "\n" + #"{"text":0,"says":""# + String(repeating: "x", count: 1 << 20) + "\"}\n"
        #expect(Self.error(Array(text.utf8))?.description == "line 2: expected a line of at most 1048576 bytes")
    }

    @Test func `files that are not traces may not nest deeper than the limit`() {
        let text = Self.header + "\n" + String(repeating: "[", count: 100_000) + "\n"
        #expect(Self.error(Array(text.utf8))?.description.contains("at most 16 levels of nesting") == true)
    }

    @Test(arguments: 0..<16)
    func `files that are not traces never crash the reader, whatever their bytes`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var document = TraceDocument.abba
        document.outcome = Outcome(.deadlock, summary: "s", details: ["d"], guide: "g")
        document.dropped = 3
        let valid = Array(document.saved.utf8)
        for _ in 0..<250 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...4, using: &random) { bytes.mutate(&random) }
            if Int.random(in: 0..<3, using: &random) == 0 { bytes.insertRun(&random) }
            if let read = try? TraceReader.read(bytes) { #expect(!read.saved.isEmpty) }
        }
    }

    private static func error(_ bytes: [UInt8]) -> TraceFormatError? {
        do {
            _ = try TraceReader.read(bytes)
            return nil
        } catch { return error }
    }
}

extension [UInt8] {
    fileprivate mutating func mutate(_ random: inout SplitMix64) {
        let place = Int.random(in: 0..<count, using: &random)
        let interesting = Array(#"{}[]":,\-+0919eEnt"#.utf8) + [0, 0x0A, 0x1B, 0x80, 0xFF]
        switch Int.random(in: 0...4, using: &random) {
        case 0: self[place] = UInt8.random(in: 0...255, using: &random)
        case 1: self[place] = interesting.randomElement(using: &random) ?? 0
        case 2: insert(interesting.randomElement(using: &random) ?? 0, at: place)
        case 3: removeSubrange(place..<Swift.min(place + Int.random(in: 1...9, using: &random), count))
        default:
            insert(
                contentsOf: self[place..<Swift.min(place + 40, count)], at: Int.random(in: 0..<count, using: &random))
        }
        if isEmpty { append(0) }
    }
}
