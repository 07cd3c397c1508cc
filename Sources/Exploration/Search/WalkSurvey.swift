import Machine
import Trace

/// A random walk that notes in a graph where each of its choices leads. Its choices are those of `RandomWalk`.
final class WalkSurvey: Chooser {
    @exclusivity(unchecked) var graph = WalkGraph()
    private let subject: any Subject
    @exclusivity(unchecked) private var races: RaceWatch?
    /// The maximum number of steps of a walk that is noted.
    private let longest: Int
    @exclusivity(unchecked) private var generator = SplitMix64(seed: 0)
    /// The edge taken last, the number of steps before it, and the number so far.
    @exclusivity(unchecked) private var edge = 0
    @exclusivity(unchecked) private var start = 0
    @exclusivity(unchecked) private var steps = 0
    /// Whether nothing more is noted of this walk.
    @exclusivity(unchecked) private var isLost = false
    @exclusivity(unchecked) private var last = 0

    init(_ subject: any Subject, longest: Int) {
        self.subject = subject
        self.longest = longest
    }

    /// Runs a walk.
    ///
    /// - Parameter races: observes the subject.
    func run(_ generator: SplitMix64, _ races: RaceWatch) -> Verdict {
        self.generator = generator
        self.races = races
        return subject.execute(self)
    }

    func begin() {
        edge = 0
        start = 0
        steps = 0
        isLost = false
    }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        self.last = Int(last)
        let choice = enabled.count == 1 ? 0 : choose(enabled.count, of: -1, state)
        steps += 1
        return enabled[choice]
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        choose(count, of: Int(thread), state)
    }

    /// - Parameter thread: whose alternatives these are. −1: they are threads.
    private func choose(_ count: Int, of thread: Int, _ state: MachineState) -> Int {
        if !isLost { arrive(count, of: thread, state) }
        let choice = generator.next(below: count)
        edge += 1 + choice
        return choice
    }

    /// The walk has come to a choice point.
    private func arrive(_ count: Int, of thread: Int, _ state: MachineState) {
        var place = graph.target(of: edge)
        if place == 0 && steps <= longest {
            place = graph.connect(edge, steps: steps - start, toKey: key(of: thread, state), choices: count)
        }
        isLost = place == 0
        edge = place
        start = steps
    }

    /// Equal for choice points after which the same can happen, and is reported in the same way.
    private func key(of thread: Int, _ state: MachineState) -> UInt64 {
        var hash = StateHash()
        hash.add(Int(truncatingIfNeeded: subject.futureHash ?? 0))
        // Whether time has passed is reported.
        hash.add(state.time)
        hash.add(thread)
        races?.hashKnowledge(into: &hash, state, last: last)
        return hash.value
    }

    /// The walk has ended in this way, after this number of steps.
    func note(_ ending: Int, steps: Int) {
        if !isLost && steps == self.steps && steps <= longest {
            graph.connect(edge, steps: steps - start, toEnding: ending)
        }
    }
}
