import Glibc
import Testing

/// The same cases on real threads, a few times each. Each run must be one of those that the case allows; not all of
/// them need occur. A case that reports something does so in every run that completes (`ControlledConformanceTests`
/// ensure this), so a run without a report fails here too.
///
/// `THREADLAB_STRESS_ROUNDS` is the number of runs of each case, instead of a few. A case has ten seconds for them.
@Suite(.serialized) struct NativeConformanceTests {
    @Test(arguments: Case.all.filter(\.runsOnRealThreads))
    func `a case holds on real threads`(_ example: Case) {
        let sightings = Sightings()
        let end = ContinuousClock.now + .seconds(10)
        for round in 1...Self.rounds(of: example) where round <= 10 || ContinuousClock.now < end {
            sightings.begin()
            let result = Native().run { try example.body(sightings) }
            guard example.endings.contains(result.ending) else {
                Issue.record("round \(round) ended as \(result.ending):\n\(result.story)")
                break
            }
            #expect(example.sightings.isEmpty || result.ending != .completed || !sightings.isSilent, "it said nothing")
            #expect(!result.hasRace || example.isRace, "a data race in round \(round):\n\(result.story)")
        }
        #expect(sightings.all.isSubset(of: example.sightings), "\(sightings.all)")
    }

    /// A run that ends in a deadlock takes some time, because it must be sure.
    private static func rounds(of example: Case) -> Int {
        let isQuick = example.endings.isDisjoint(with: [.deadlock, .livelock])
        if let wanted = getenv("THREADLAB_STRESS_ROUNDS").flatMap({ Int(String(cString: $0)) }) {
            return max(1, isQuick ? wanted : wanted / 20)
        }
        return isQuick ? 10 : 2
    }
}
