import Machine
import Testing
import Trace

/// Where the compiler makes one instruction of several: only if no jump leads between them.
@Suite struct CompoundInstructionTests {
    private func result(_ body: String) throws -> String? {
        let text = """
            scenario "x"
            shared r = 0, zero = 0
            thread t {
            var n = zero
            \(body)
            r = n
            }
            finally { note "\\(r)" }
            """
        let document = try LabRunner(text).controlled(seed: 1).document
        return document.events.first { $0.kind == .note }.flatMap { document.text(of: $0) }
    }

    @Test(arguments: [
        ("for i in 0..<4 { if i == 1 || i < 1 { n += 1 }; if i > 0 && i != 2 { n += 10 } }", 22),
        ("for i in 0..<4 { if i == 3 && i > 1 || i <= 0 { n += 1 } }", 2),
        ("while n < 3 || n == 3 && zero == 0 { n += 2 }", 4),
        ("repeat 3 { n += 1; if n == 12 { continue }; n += 10 }", 23),
        ("repeat 3 { n += 1; if n == 2 { break } }", 2),
        ("repeat 0 { n += 1 }\nrepeat zero - 1 { n += 1 }\nrepeat zero + 2 { repeat 2 { n += 1 } }", 4),
        ("for i in 1...3 { if i == 2 { continue }; n += i }", 4),
        ("for i in zero + 1..<1 { n += i + 1 }\nn = n + 1 + zero", 1),
        ("let isLarge = n > 5 || n + 1 == 1\nif isLarge { n += 7 }", 7),
    ])
    func `a loop or condition computes what its parts do`(body: String, expected: Int) throws {
        #expect(try result(body) == "\(expected)")
    }

    @Test(arguments: ["let x = n + 1", "for i in n...n { n += i - i + 1 }"])
    func `an addition of a constant that does not fit is an error`(body: String) throws {
        let text = "scenario \"x\"\nshared r = \(Int.max)\nthread t {\nvar n = r\n\(body)\nr = n\n}"
        let document = try LabRunner(text).controlled(seed: 1).document
        let message = document.events.first { $0.kind == .threadError }.flatMap { document.text(of: $0) }
        #expect(message?.contains("'+' has no result: it does not fit into 64 bits") == true)
    }

    @Test func `an endless loop of such instructions is noticed`() throws {
        let text = "scenario \"x\"\nshared r = 0\nthread t { var n = r; while n < 1 { n = n + 1 - 1 }; r = n }"
        #expect(try LabRunner(text).controlled(seed: 1).verdict == .livelock)
    }
}
