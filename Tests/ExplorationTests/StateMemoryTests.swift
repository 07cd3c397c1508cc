import Exploration
import LabExecution
import Machine
import Support
import Testing

/// A search by states ends at its limit of memory, however large the states are.
@Suite struct StateMemoryTests {
    /// Of so many atomics, and as many threads, each of which adds to all of them without end: each state is new, and has many successors.
    private static func endless(_ count: Int) -> String {
        let atomics = (0..<count).map { "atomic a\($0) = 0\n" }.joined()
        let steps = (0..<count).map { "a\($0).add(1)\n" }.joined()
        return atomics + "thread t[\(count)] {\nwhile true {\n\(steps)}\n}\n"
    }

    @Test(arguments: Extent.first(2, of: [(8, 1 << 24), (60, 1 << 24), (60, 1 << 26)]))
    func `a search of large states needs no more memory than it may`(count: Int, limit: Int) throws {
        var settings = StateSettings()
        settings.memory = limit
        let search = StateSearch(try TestProgram(Self.endless(count)).engine(Rules()), SearchGoal(), settings)
        var counts = SearchCounts()
        let report = search.run(.max, publish: { counts = $0 })
        #expect(report.end == .bounded)
        #expect(max(counts.memory, report.counts.memory) <= limit + limit / 8)
        #expect(report.counts.memory > limit / 8)
    }
}
