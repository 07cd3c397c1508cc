import Testing

/// The same cases on real threads, a few times each. What the operating system happens to do is one of the things that
/// the case allows; that all of them occur is not asked here. A case that has something to say says it in every run that completes
/// (`ControlledConformanceTests` see to that), so a run in which nothing is said fails here too.
@Suite(.serialized) struct NativeConformanceTests {
    @Test("holds on real threads", arguments: Case.all.filter(\.runsOnRealThreads))
    func holds(_ example: Case) {
        let sightings = Sightings()
        let count = example.endings.contains(.deadlock) ? 2 : 10
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
