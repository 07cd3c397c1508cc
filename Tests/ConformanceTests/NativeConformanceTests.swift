import Testing

/// The same cases on real threads, a few times each. Each run must be one of those that the case allows; not all of
/// them need occur. A case that reports something does so in every run that completes (`ControlledConformanceTests`
/// ensure this), so a run without a report fails here too.
@Suite(.serialized) struct NativeConformanceTests {
    @Test("holds on real threads", arguments: Case.all.filter(\.runsOnRealThreads))
    func holds(_ example: Case) {
        let sightings = Sightings()
        let count = example.endings.isDisjoint(with: [.deadlock, .livelock]) ? 10 : 2
        for _ in 0..<count {
            sightings.begin()
            let result = Native().run { try example.body(sightings) }
            guard example.endings.contains(result.ending) else {
                Issue.record("it ended as \(result.ending):\n\(result.story)")
                break
            }
            #expect(example.sightings.isEmpty || result.ending != .completed || !sightings.isSilent, "it said nothing")
            #expect(!result.hasRace || example.isRace, "a data race:\n\(result.story)")
        }
        #expect(sightings.all.isSubset(of: example.sightings), "\(sightings.all)")
    }
}
