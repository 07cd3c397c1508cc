import Exploration
import Machine
import Testing

/// Every case on the controlled runtime: under every schedule if there are few enough, otherwise under several hundred.
@Suite struct ControlledConformanceTests {
    /// More schedules than this are too many for a fast test.
    private static let mostSchedules = 60_000

    @Test(arguments: Case.all)
    func `a case holds under every schedule tried`(_ example: Case) {
        let sightings = Sightings()
        let body: @Sendable () throws -> Void = { try example.body(sightings) }
        var silent: String?
        var endings: [Ending: String] = [:]
        switch example.search {
        case .every:
            let chooser = ExhaustiveChooser()
            let runtime = Controlled(chooser, spuriousWakeups: example.spuriousWakeups)
            var count = 0
            repeat {
                sightings.begin()
                let result = runtime.run(body)
                if endings[result.ending] == nil { endings[result.ending] = result.story }
                if result.ending == .completed && sightings.isSilent { silent = silent ?? result.story }
                count += 1
                if count > Self.mostSchedules || !example.endings.contains(result.ending) { break }
            } while chooser.advance()
            #expect(count <= Self.mostSchedules, "it has too many schedules to try every one")
        case .some:
            let choosers: [any Chooser] = [Replay(Schedule())] + (1...300).map { RandomWalk(seed: $0) }
            for chooser in choosers {
                let result = Controlled(chooser, spuriousWakeups: example.spuriousWakeups).run(body)
                if endings[result.ending] == nil { endings[result.ending] = result.story }
            }
        }
        for (ending, schedule) in endings where !example.endings.contains(ending) {
            let story = Controlled.story(of: schedule, example.spuriousWakeups, body)
            Issue.record("it can end as \(ending):\n\(story)")
        }
        #expect(example.endings.subtracting(endings.keys) == [], "endings that never occurred")
        #expect(sightings.all == example.sightings)
        #expect(example.sightings.isEmpty || silent == nil, "it completed and said nothing: \(silent ?? "")")
    }

    @Test func `every case has an id of its own`() {
        let ids = Case.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }
}
