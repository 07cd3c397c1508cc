import Testing

@testable import Trace

/// What a reader keeps of a file is bounded by more than the file's size.
@Suite struct ReaderLimitTests {
    @Test func `JSON has at most a million values`() throws {
        func list(_ count: Int) -> [UInt8] {
            Array("[\(Array(repeating: "1", count: count).joined(separator: ","))]".utf8)
        }
        let most = list(JSONReader.mostValues - 1)
        _ = try JSONReader.read(most, most.indices)
        let more = list(JSONReader.mostValues)
        #expect(throws: JSONError.self) { try JSONReader.read(more, more.indices) }
    }

    @Test func `a trace has at most a million objects, places and texts each`() {
        let header = #"{"threadlab":2,"scenario":"x","parameters":{},"runtime":"native"}"# + "\n"
        for line in [#"{"object":"#, #"{"site":"#] {
            var text = header
            for number in 1...TraceReader.mostNames + 1 { text += line + "\(number)}\n" }
            #expect(throws: TraceFormatError.self) { try TraceReader.read(Array(text.utf8)) }
        }
    }
}
