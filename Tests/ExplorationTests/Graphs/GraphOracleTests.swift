import FoundationEssentials
import LabProgram
import LabSyntax
import Machine
import Support
import Testing

@testable import Exploration
@testable import LabExecution

/// The search of execution graphs against two oracles that know nothing of it (Tests/Oracle/weak): outcomes, races,
/// deadlocks, and the number of graphs.
@Suite struct GraphOracleTests {
    struct Expected: Decodable {
        let race: Bool
        // Of a program with a race nothing else is said.
        let deadlock: Bool?
        let graphs: Int?
        let outcomes: [[Value]]?
    }

    /// `["x", 1]`, also for a truth value.
    struct Value: Decodable, Hashable {
        let name: String
        let value: Int

        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            name = try parts.decode(String.self)
            if let truth = try? parts.decode(Bool.self) {
                value = truth ? 1 : 0
            } else {
                value = try parts.decode(Int.self)
            }
        }

        init(_ name: String, _ value: Int) {
            self.name = name
            self.value = value
        }
    }

    static let expected: [String: [String: Expected]] = {
        // A file of this repository: without it there is nothing to test.
        let text = Repository.text(of: "Tests/Oracle/weak/expected.json")!
        return try! JSONDecoder().decode([String: [String: Expected]].self, from: Data(text.utf8))
    }()

    /// The files of the programs, by name.
    static let paths: [String: String] = {
        let folders = ["scenarios/weak-memory", "Tests/Oracle/weak/corpus", "Tests/Oracle/weak/random"]
        let paths = folders.flatMap { Repository.paths(in: $0, ending: ".lab") }
        return Dictionary(uniqueKeysWithValues: paths.map { (String($0.split(separator: "/").last!.dropLast(4)), $0) })
    }()

    /// What a search of the graphs has shown.
    private struct Shown {
        var counts = GraphSearch.Counts()
        var hasRace = false
        var outcomes: Set<Set<Value>> = []
    }

    static func bytecode(_ name: String, _ model: MemoryModel) throws -> Bytecode {
        let path = try #require(Self.paths[name])
        let text = try #require(Repository.text(of: path))
        let program = try #require(SourceText(name: path, text).read().program)
        return try program.under(model, alone: true).compiled()
    }

    private func search(_ name: String, _ model: MemoryModel, _ names: Set<String>) throws -> Shown {
        let subject = GraphProgram(try Self.bytecode(name, model))
        let search = GraphSearch(subject, model)
        var shown = Shown()
        search.onRace = { _, _ in
            shown.hasRace = true
            return true
        }
        search.onEnd = { ending in
            if ending == .completed || ending == .failed { shown.outcomes.insert(values(subject, names)) }
            return true
        }
        search.run()
        shown.counts = search.counts
        return shown
    }

    private func values(_ subject: GraphProgram, _ names: Set<String>) -> Set<Value> {
        var values: Set<Value> = []
        for (number, object) in subject.bytecode.objects.enumerated() where names.contains(object.name) {
            values.insert(Value(object.name, subject.word(of: UInt32(number + 1))))
        }
        return values
    }

    @Test(arguments: expected.keys.sorted()) func `a program has the executions that the oracles find`(
        _ name: String
    ) throws {
        let models = try #require(Self.expected[name])
        for model in MemoryModel.allCases {
            let expected = try #require(models[model.rawValue])
            let outcomes = expected.outcomes ?? []
            let names = Set(outcomes.flatMap { $0.map(\.name) })
            let shown = try search(name, model, names)
            // Under sc a search of graphs takes cells for atomics: races are for the other provers.
            if model != .sc { #expect(shown.hasRace == expected.race, "race under \(model)") }
            if expected.race { continue }
            #expect(shown.counts.complete + shown.counts.failed == expected.graphs, "graphs under \(model)")
            #expect((shown.counts.stuck > 0) == expected.deadlock, "deadlock under \(model)")
            #expect(shown.outcomes == Set(outcomes.map(Set.init)), "outcomes under \(model)")
        }
    }
}
