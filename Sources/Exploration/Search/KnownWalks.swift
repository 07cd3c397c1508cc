import Machine
import Trace

/// What the random walks of one program with one seed have shown. A walk all of whose choices led somewhere before is
/// not run again: its ending is looked up.
///
/// A search with this memory reports the same as one without it. The memory is kept from unit to unit.
package final class KnownWalks {
    /// How a walk ended, as far as a search distinguishes it.
    struct Ending: Equatable {
        let end: Verdict
        /// Distinguishes the places where executions of one kind ended (`Counterexample.place`). Zero: such endings are
        /// not reported.
        var place = 0
        /// The broken claims other than that of `end` and `place`.
        var otherClaims: [ClaimEnd] = []
        /// Whether time passed in the walk.
        var isTimed = false
        /// The numbers of the goal's states that the walk reached (`SearchGoal.soughtStates`).
        var states: [Int] = []

        init(end: Verdict) { self.end = end }
    }

    private let seed: UInt64
    private let survey: WalkSurvey
    /// The maximum number of steps of a walk that is looked up.
    private let longest: Int
    @exclusivity(unchecked) private var endings: [Ending] = []
    /// The endings in which time passed, one bit each.
    @exclusivity(unchecked) private(set) var timed: UInt64 = 0
    /// Whether walks are looked up.
    @exclusivity(unchecked) private(set) var isUsed = true
    /// The walks that were looked up in this period.
    @exclusivity(unchecked) private var asked = 0
    /// The walks of this period that were looked up and known.
    @exclusivity(unchecked) private var known = 0

    /// A set of endings is one word, so this is its number of bits.
    private static let mostEndings = 64
    /// If the graph is full and fewer than `fewestKnown` of a period's walks are known, looking up ends: following a
    /// walk that is not known is wasted work.
    private static let period = 4096
    private static let fewestKnown = 1024

    /// Nil: nothing can be remembered, because the subject cannot compare its states, the goal requires that each
    /// execution is run, or the driver looks for cycles from the first step on.
    package init?(_ subject: any Subject, seed: UInt64, rules: Rules, goal: SearchGoal) {
        longest = Driver.stepsBeforeCycleSearch(rules)
        guard subject.futureHash != nil, !goal.countsTerminals, longest > 0 else { return nil }
        self.seed = seed
        survey = WalkSurvey(subject, longest: longest)
    }

    /// The number of the ending of the walk with this number, and the walk's length in steps. Nil: not known.
    @inline(__always) func lookUp(_ number: Int) -> (ending: Int, steps: Int)? {
        let end = survey.graph.follow(SplitMix64(seed: seed, execution: number), longest: longest)
        asked &+= 1
        if end != nil { known &+= 1 }
        if asked == Self.period { assess() }
        return end
    }

    /// Ends a period. If looking walks up did not pay in it, walks are no longer looked up.
    @inline(never) private func assess() {
        if survey.graph.isFull && known < Self.fewestKnown {
            isUsed = false
            survey.graph = WalkGraph()
        }
        asked = 0
        known = 0
    }

    /// Runs the walk with this number. Nil: it was not run, because walks are no longer remembered.
    func run(_ number: Int, _ races: RaceWatch) -> Verdict? {
        if !isUsed { return nil }
        return survey.run(SplitMix64(seed: seed, execution: number), races)
    }

    /// Notes how the last walk ended.
    ///
    /// - Returns: the number of the ending. Nil: it is not remembered.
    func note(_ ending: Ending, steps: Int) -> Int? {
        guard isUsed, !ending.end.isCutOff, ending.end != .stopped else { return nil }
        var number = endings.firstIndex(of: ending)
        if number == nil && endings.count < Self.mostEndings {
            number = endings.count
            endings.append(ending)
            let bit: UInt64 = 1 << UInt64(endings.count - 1)
            if ending.isTimed { timed |= bit }
        }
        if let number { survey.note(number, steps: steps) }
        return number
    }
}

/// A graph of the choice points that random executions of one program have reached, and of where each choice led. An
/// execution whose choices all led somewhere before is followed in it without being run.
///
/// Moments with equal keys are one choice point: what can follow is then also equal.
struct WalkGraph: ~Copyable {
    /// An element of the graph's list. Most are edges: a choice, or the beginning of an execution, and where it leads.
    /// A choice point is one element that holds the number of its choices, followed by an edge for each of them.
    struct Edge {
        /// Where the edge leads: the position of a choice point, or −1 minus the number of an ending. Zero: the choice
        /// has not been made. In the element that begins a choice point: the number of its choices.
        var target: Int32
        /// The number of steps from the previous choice to the target.
        var steps: Int32
    }

    private var edges = OwnedBuffer<Edge>(repeating: Edge(target: 0, steps: 0), count: 1 << 10)
    /// Position 0 has the edge from the beginning.
    private var edgeCount = 1
    /// By the number of the choice point: its key, and its position in `edges`.
    private var keys: [UInt64] = []
    private var positions: [Int32] = []
    private var index = NumberIndex()

    /// With more edges, a walk's next edge is rarely in a processor's cache, and remembering costs as much as running.
    private static let mostEdges = 1 << 20

    /// Whether nothing more can be added.
    private(set) var isFull = false

    /// Where an execution ends, if all its choices have been made before.
    ///
    /// - Parameter longest: the maximum number of steps.
    @inline(always)
    borrowing func follow(_ generator: consuming SplitMix64, longest: Int) -> (ending: Int, steps: Int)? {
        let edges = edges.base
        var edge = edges[0]
        var steps = 0
        while edge.target > 0 {
            steps &+= Int(edge.steps)
            let place = edges + Int(edge.target)
            edge = place[1 &+ generator.next(below: Int(place.pointee.target))]
        }
        steps &+= Int(edge.steps)
        return edge.target < 0 && steps <= longest ? (Int(-1 - edge.target), steps) : nil
    }

    /// The position of the choice point to which the edge leads. Zero: the choice has not been made.
    func target(of edge: Int) -> Int { max(0, Int(edges[edge].target)) }

    /// Makes the edge lead to the choice point with this key.
    ///
    /// - Returns: the choice point's position. Zero: there is no room, or another choice point has the same key by
    ///   chance.
    mutating func connect(_ edge: Int, steps: Int, toKey key: UInt64, choices: Int) -> Int {
        let new = keys.count
        if isFull || edgeCount + choices + 1 > Self.mostEdges {
            isFull = true
            return 0
        }
        let known = keys
        let number = index.number(key, orAdd: new) { known[$0] == key }
        if number == new {
            keys.append(key)
            positions.append(Int32(edgeCount))
            addEdges(choices)
        }
        let position = positions[number]
        // A different number of choices means that two keys are equal by chance.
        guard Int(edges[Int(position)].target) == choices else { return 0 }
        edges[edge] = Edge(target: position, steps: Int32(steps))
        return Int(position)
    }

    private mutating func addEdges(_ choices: Int) {
        edges.reserve(edgeCount + choices + 1, keeping: edgeCount)
        edges[edgeCount] = Edge(target: Int32(choices), steps: 0)
        (edges.base + edgeCount + 1).update(repeating: Edge(target: 0, steps: 0), count: choices)
        edgeCount += choices + 1
    }

    /// Makes the edge lead to the ending.
    func connect(_ edge: Int, steps: Int, toEnding ending: Int) {
        edges[edge] = Edge(target: Int32(-1 - ending), steps: Int32(steps))
    }
}

/// A random walk that records in a graph where each of its choices leads. Its choices are those of `RandomWalk`.
final class WalkSurvey: Chooser {
    @exclusivity(unchecked) var graph = WalkGraph()
    private let subject: any Subject
    @exclusivity(unchecked) private var races: RaceWatch?
    /// The maximum number of steps of a walk that is recorded.
    private let longest: Int
    @exclusivity(unchecked) private var generator = SplitMix64(seed: 0)
    /// The edge taken last.
    @exclusivity(unchecked) private var edge = 0
    /// The number of steps before that edge.
    @exclusivity(unchecked) private var start = 0
    /// The number of steps so far.
    @exclusivity(unchecked) private var steps = 0
    /// Whether the rest of this walk is not recorded.
    @exclusivity(unchecked) private var isLost = false
    /// The thread that took the last step.
    @exclusivity(unchecked) private var last = 0

    init(_ subject: any Subject, longest: Int) {
        self.subject = subject
        self.longest = longest
    }

    /// Runs a walk.
    ///
    /// - Parameter races: must observe the subject.
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

    /// - Parameter thread: the thread whose alternatives these are. −1: the choice is between threads.
    private func choose(_ count: Int, of thread: Int, _ state: MachineState) -> Int {
        if !isLost { arrive(count, of: thread, state) }
        let choice = generator.next(below: count)
        edge += 1 + choice
        return choice
    }

    /// The walk has reached a choice point.
    private func arrive(_ count: Int, of thread: Int, _ state: MachineState) {
        var place = graph.target(of: edge)
        if place == 0 && steps <= longest {
            place = graph.connect(edge, steps: steps - start, toKey: key(of: thread, state), choices: count)
        }
        isLost = place == 0
        edge = place
        start = steps
    }

    /// Equal for choice points after which the same can happen and is reported in the same way.
    private func key(of thread: Int, _ state: MachineState) -> UInt64 {
        var hash = StateHash()
        hash.add(Int(truncatingIfNeeded: subject.futureHash ?? 0))
        // Reports say whether time has passed.
        hash.add(state.time)
        hash.add(thread)
        races?.hashKnowledge(into: &hash, state, last: last)
        return hash.value
    }

    /// The walk has ended in this way after `steps` steps.
    func note(_ ending: Int, steps: Int) {
        if !isLost && steps == self.steps && steps <= longest {
            graph.connect(edge, steps: steps - start, toEnding: ending)
        }
    }
}
