import LabExecution
import Machine
import Testing
import Trace

@testable import Exploration

/// A search by graphs has no memory from which claims about the end could read plain variables: it looks for the last
/// write that the main thread has seen, which may be its own.
@Suite struct FinalStateTests {
    private static let names = ["x", "y", "z"]

    /// Accesses of a thread and then of the main thread, and what they leave in memory.
    private static func program(_ seed: UInt64) -> (text: String, words: [Int]) {
        var random = SplitMix64(seed: seed)
        var words = [0, 0, 0]
        func accesses() -> String {
            (0..<Int(random.next() % 5)).map { number in
                let cell = Int(random.next() % 3)
                switch random.next() % 4 {
                case 0: return "let r\(number) = \(names[cell])"
                case 1: return "f.add(1)"
                default:
                    words[cell] = Int(random.next() % 100)
                    return "\(names[cell]) = \(words[cell])"
                }
            }.joined(separator: "; ")
        }
        let text = """
            shared x = 0, y = 0, z = 0
            atomic f = 0
            thread t { \(accesses()) }
            thread u { f.add(1) }
            finally { \(accesses()) }

            """
        return (text, words)
    }

    private func ends(_ text: String, _ model: MemoryModel) throws -> Set<OutcomeKind> {
        var rules = Rules(maximumSteps: 400)
        rules.model = model
        var goal = SearchGoal()
        goal.keepsGoing = true
        goal.harmless = [.completed]
        let report = GraphProver(Engine(try TestProgram(text).bytecode, rules: rules), goal, rules)
            .run(.max, isStopped: { false }, publish: { _ in })
        #expect(report.obstacle == nil && report.end == .exhausted, "\(text)")
        return Set(report.findings.map(\.kind))
    }

    @Test(arguments: [MemoryModel.tso, .rc11])
    func `claims about the end read what was written last, also by the main thread`(_ model: MemoryModel) throws {
        for seed in 1...UInt64(60) {
            let (text, words) = Self.program(seed)
            let state = zip(Self.names, words).map { "\($0) == \($1)" }.joined(separator: " && ")
            #expect(try ends(text + "expect always \(state)", model) == [], "\(text)\(state)")
            #expect(try ends(text + "expect never \(state)", model) == [.claim], "\(text)\(state)")
        }
    }
}
