import Support
import Testing
import ThreadLabTesting

@Suite struct SystemCodeTests {
    /// The same code with the types of both, in parts that say what they have seen.
    struct Pair: Sendable, CustomTestStringConvertible {
        let system: String
        let lab: String
        let parts: [(system: @Sendable () -> [String], lab: @Sendable () -> [String])]

        init(_ name: String, _ system: [@Sendable () -> [String]], _ lab: [@Sendable () -> [String]]) {
            (self.system, self.lab) = ("\(name)OfSystem", "\(name)OfLab")
            parts = zip(system, lab).map { ($0, $1) }
        }

        var testDescription: String { system }
    }

    static let pairs = [
        Pair("Code", CodeOfSystem.parts, CodeOfLab.parts),
        Pair("Members", MembersOfSystem.parts, MembersOfLab.parts),
        Pair("Posix", PosixOfSystem.parts, PosixOfLab.parts),
    ]

    @Test(arguments: pairs)
    func `code for the system's types that is compiled for the lab's is the same`(_ pair: Pair) throws {
        let texts = try [pair.system, pair.lab].map { name in
            let text = try #require(Repository.text(of: "Tests/ThreadLabTestingTests/SystemCode/\(name).swift"))
            return text[try #require(text.firstRange(of: "// MARK: - The same in both files")).lowerBound...]
        }
        #expect(texts[0] == texts[1])
    }

    @Test(arguments: pairs.indices.flatMap { pair in pairs[pair].parts.indices.map { (pair, $0) } })
    func `code for the system's types says the same under the lab as with the system`(pair: Int, part: Int) throws {
        let (system, lab) = Self.pairs[pair].parts[part]
        let expected = system()
        #expect(!expected.isEmpty)
        var seen: Set<[String]> = []
        // The system's waits do not end for no reason on this machine.
        let rules = RunRules(spuriousWakeups: 0)
        try explore(.random(executions: 20), time: .seconds(600), rules: rules) { seen.insert(lab()) }
        #expect(seen == [expected])
        #expect(lab() == expected)
    }
}
