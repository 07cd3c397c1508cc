import FoundationEssentials
import LabSyntax
import Support
import Testing

@testable import Litmus

/// What independent oracles say about the programs of `Tests/Oracle/weak`.
private struct Verdict: Decodable {
    /// Nil, and no outcomes: a data race leaves them undefined.
    let deadlock: Bool?
    /// By outcome, the values by their names.
    let outcomes: [[Value]]?

    struct Value: Decodable, Hashable {
        let name: String
        let number: Int

        init(_ name: String, _ number: Int) {
            self.name = name
            self.number = number
        }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            name = try list.decode(String.self)
            number = try list.decode(Int.self)
        }
    }
}

#if arch(x86_64)
    @Suite struct `Litmus tests on this processor` {
        private static let folder = "Tests/Oracle/weak"
        private static let verdicts: [String: [String: Verdict]] = {
            let text = Repository.text(of: folder + "/expected.json") ?? ""
            return (try? JSONDecoder().decode([String: [String: Verdict]].self, from: Data(text.utf8))) ?? [:]
        }()
        private static let programs = [folder + "/corpus", "scenarios/weak-memory"]
            .flatMap { Repository.paths(in: $0, ending: ".lab") }.filter { verdicts[name(of: $0)] != nil }.sorted()

        private static func name(of path: String) -> String {
            String((path.split(separator: "/").last ?? "").dropLast(".lab".count))
        }

        @Test func `The oracles have judged the programs`() {
            #expect(Self.verdicts.count > 100 && Self.programs.count > 105)
        }

        @Test(arguments: programs) func `No outcome is outside tso`(path: String) throws {
            let verdict = try #require(Self.verdicts[Self.name(of: path)]?["tso"])
            guard let allowed = verdict.outcomes else { return }
            let text = try #require(Repository.text(of: path))
            let source = SourceText(name: path, text)
            let program = try #require(source.read(builtIns: [], options: []).program)
            let test = try LitmusProgram(program, try program.configured())
            var plan = LitmusRun.Plan()
            plan.rounds = Extent.isWhole ? 500 : 100
            let histogram = try LitmusRun.run(test, plan) { _ in false }.histogram
            #expect(histogram.rounds == plan.rounds)
            for row in histogram.rows {
                switch row.outcome.ending {
                case .completed:
                    let values = zip(test.observed, row.outcome.values).map { Verdict.Value($0.name, $1) }
                    #expect(allowed.contains { agree($0, values) }, "\(path): \(values)")
                case .deadlock: #expect(verdict.deadlock == true)
                case .unfinished: break
                case .misuse, .error, .assertion: Issue.record("\(path): \(row.outcome.ending)")
                }
            }
        }

        /// The values that both name are the same.
        private func agree(_ one: [Verdict.Value], _ other: [Verdict.Value]) -> Bool {
            let numbers = Dictionary(other.map { ($0.name, $0.number) }) { first, _ in first }
            return one.allSatisfy { numbers[$0.name] == nil || numbers[$0.name] == $0.number }
        }
    }
#endif
