import Exploration
import Machine
import Testing

/// A program that is known to end its process after certain schedules.
@Suite struct GuardedSubjectTests {
    private static let program = "atomic x = 0\nthread t[2] { x.add(1); x.add(2) }"

    /// How each execution of a complete search ends, by schedule.
    private func ends(_ subject: any Subject, _ strategy: any Strategy) -> [String: Verdict] {
        var ends: [String: Verdict] = [:]
        var number = 0
        while strategy.prepare(number) {
            let verdict = strategy.execute(subject)
            ends[subject.schedule.description] = verdict
            number += 1
        }
        return ends
    }

    @Test func `an execution ends where it is fatal, and others continue`() throws {
        let program = try TestProgram(Self.program)
        let all = ends(program.engine(), BoundedSearch(.none))
        let fatal = try #require(all.keys.sorted().first.map { try Schedule(parsing: $0) })
        let beginning = Schedule(Array(fatal.choices.prefix(4)))
        let end = FatalEnd(.crash, place: 7, schedule: beginning)
        let guarded = GuardedSubject(program.engine(), [end])
        let others = ends(guarded, BoundedSearch(.none))
        let spared = all.filter { !(try! Schedule(parsing: $0.key)).choices.starts(with: beginning.choices) }
        #expect(others.filter { $0.value == .completed } == spared)
        #expect(others.filter { $0.value == .crash }.map(\.key) == [beginning.description])
        #expect(spared.count < all.count)
    }
}
