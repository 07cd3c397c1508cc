import LabProgram
import LabSyntax
import Machine
import Testing
import Trace

@Suite struct OperatorTests {
    private static let values = [Int.min, -64, -3, -1, 0, 1, 2, 7, 63, 64, Int.max]

    /// A program that calculates with values from memory, so that nothing is constant.
    private static func program(_ sign: Operator, _ a: Int, _ b: Int) -> String {
        func text(_ value: Int) -> String { value == .min ? "-\(Int.max) - 1" : "\(value)" }
        let end =
            switch sign {
            case .least, .greatest: "result = \(sign.rawValue)(x, y)"
            case _ where sign.isComparison: "if x \(sign.rawValue) y { result = 1 }"
            default: "result = x \(sign.rawValue) y"
            }
        return """
            scenario "operator"
            shared a = \(text(a)), b = \(text(b)), result = 0
            thread t {
                let x = a
                let y = b
                \(end)
            }
            finally { note "\\(result)" }
            """
    }

    @Test func `min, max and abs are worked out before the run, and in it`() throws {
        let text = """
            scenario "functions"
            parameter n = 3
            shared cells[max(n, 2)] = 0, a = -5, wait = 0
            func f(min: Int) -> Int { return max(min, abs(a), n) }
            thread t {
                cells[min(7, 2)] = f(4)
                sleep min(1ms, 2ms)
                await max(a, 1) == 1
                assert abs(a) == 5 && abs(5) == 5 && min(3, a, 2) == -5
            }
            finally { note "\\(cells[2])" }
            """
        let document = try LabRunner(text).controlled(seed: 1).document
        let note = document.events.first { $0.kind == .note }.flatMap { document.text(of: $0) }
        #expect(note == "5")
    }

    private func failure(_ text: String) throws -> String? {
        let document = try LabRunner(text).controlled(seed: 1).document
        return document.events.first { $0.kind == .threadError }.flatMap { document.text(of: $0) }
    }

    @Test(arguments: Operator.allCases)
    func `a program calculates as constants are worked out, and a failure names the operator`(sign: Operator) throws {
        for a in Self.values {
            for b in Self.values {
                let document = try LabRunner(Self.program(sign, a, b)).controlled(seed: 1).document
                let note = document.events.first { $0.kind == .note }.flatMap { document.text(of: $0) }
                do throws(Operator.NoResult) {
                    let expected = try sign.result(a, b)
                    #expect(note == "\(expected)", "\(a) \(sign.rawValue) \(b)")
                } catch {
                    let message = document.events.first { $0.kind == .threadError }.flatMap { document.text(of: $0) }
                    #expect(message?.contains("'\(sign.rawValue)' has no result: \(error.explanation)") == true)
                }
            }
        }
    }

    @Test(arguments: [
        ("shared a = -\(Int.max) - 1\nthread t { let x = a; a = -x }", "-"),
        ("shared a = -\(Int.max) - 1\nthread t { let x = a; a = abs(x) }", "-"),
        ("atomic a = \(Int.max)\nthread t { a.add(1) }", "+"),
    ])
    func `a sign and an addition that have no result say so`(text: String, sign: String) throws {
        let message = try #require(try failure("scenario \"x\"\n" + text))
        #expect(message.contains("'\(sign)' has no result: it does not fit into 64 bits"))
    }
}
