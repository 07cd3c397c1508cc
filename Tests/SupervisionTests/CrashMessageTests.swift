import Testing

@testable import Supervision

@Suite struct CrashMessageTests {
    private func read(_ output: String) -> CrashMessage? { CrashMessage(in: output.utf8) }

    @Test func `a message has its text and its place`() throws {
        let message = try #require(read("Shop/Cart.swift:12: Fatal error: no such item\n"))
        #expect(message.text == "Fatal error: no such item")
        #expect(message.site?.file == "Shop/Cart.swift")
        #expect(message.site?.line == 12)
    }

    @Test(arguments: ["Fatal error", "Precondition failed", "Assertion failed: x: y"])
    func `each kind of check is known, with and without a text of its own`(_ text: String) {
        #expect(read("A.swift:1: \(text)")?.text == text)
    }

    @Test func `a message without a place has none`() throws {
        let message = try #require(read("Fatal error: Index out of range"))
        #expect(message.text == "Fatal error: Index out of range")
        #expect(message.site == nil)
    }

    @Test func `the last message counts, whatever is written around it`() {
        let output = "A.swift:1: Fatal error: first\nB.swift:2: Fatal error: second\nCurrent stack trace:\n0 main\n"
        #expect(read(output)?.text == "Fatal error: second")
    }

    @Test(arguments: ["", "no message", "it says: 'Fatal error' is a word", "\u{FF}\u{0}"])
    func `what a program prints is none`(_ output: String) {
        #expect(read(output) == nil)
    }

    @Test func `only the end of what was written is kept`() {
        var output = LastOutput()
        for _ in 0..<1000 { output.add(Array(repeating: UInt8(ascii: "x"), count: 100)) }
        output.add(Array("\nA.swift:1: Fatal error: at last\n".utf8))
        #expect(output.bytes.count < 20_000)
        #expect(CrashMessage(in: output.bytes)?.text == "Fatal error: at last")
    }
}
