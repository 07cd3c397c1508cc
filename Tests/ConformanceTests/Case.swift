import Primitives
import Testing

/// One promise of the primitives, shown by a small program and the ways in which it may and must end. The ids are those
/// of `Tests/Goldens/cases.md` and docs/semantics.md.
struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    /// The promise, as a sentence.
    let sentence: String
    /// How the program may end. Among all schedules each of these occurs, and nothing else.
    var endings: Set<Ending> = [.completed]
    /// What the program may report. Among all schedules each of these occurs, and nothing else.
    var sightings: Set<String> = []
    var search = Search.every
    /// The number of waits that may end without a signal.
    var spuriousWakeups = 0
    /// Whether real threads can show it: not if it needs a scheduler, or real time that no test should wait for.
    var runsOnRealThreads = true
    /// Whether it shows a data race. No other case may have one.
    var isRace = false
    let body: @Sendable (Sightings) throws -> Void

    init(
        _ id: String, _ sentence: String, endings: Set<Ending> = [.completed], sightings: Set<String> = [],
        search: Search = .every, spuriousWakeups: Int = 0, runsOnRealThreads: Bool = true, isRace: Bool = false,
        body: @escaping @Sendable (Sightings) throws -> Void
    ) {
        self.id = id
        self.sentence = sentence
        self.endings = endings
        self.sightings = sightings
        self.search = search
        self.spuriousWakeups = spuriousWakeups
        self.runsOnRealThreads = runsOnRealThreads
        self.isRace = isRace
        self.body = body
    }

    var testDescription: String { "\(id) \(sentence)" }

    /// The schedules under which the controlled runtime runs it.
    enum Search: Sendable {
        /// All of them: what holds then is proved.
        case every
        /// A few hundred at random: for programs with too many schedules, or with no end to them.
        case some
    }

    /// The cases by what they are about.
    static let chapters: [(title: String, cases: [Case])] = [
        ("Threads", threads + threadObjects),
        ("Cancellation", cancellation),
        ("Mutexes", mutexes),
        ("Recursive mutexes", recursiveMutexes),
        ("Conditions", conditions + timedConditions),
        ("Condition locks", conditionLocks),
        ("Read-write locks", readWriteLocks),
        ("Semaphores", semaphores),
        ("Barriers", barriers),
        ("Latches", latches),
        ("Once", onces),
        ("Spin locks", spinLocks),
        ("Counted objects and pools", managedObjects),
        ("Thread-local slots", slots),
        ("Run loops", runLoops + observers + performers + ports),
        ("Timers", timers),
        ("Work queues", workQueues + delayedBlocks),
        ("Operation queues", operationQueues),
        ("Distributed locks", distributedLocks),
        ("Signals", signals),
        ("Atomics", atomics),
    ]

    static let all = chapters.flatMap(\.cases)
}

/// How a run ended.
enum Ending: Hashable, Sendable, CustomStringConvertible {
    case completed, deadlock, livelock, assertion, error, leak
    case misuse(String)
    case other(String)

    var description: String {
        switch self {
        case .completed: "completed"
        case .deadlock: "deadlock"
        case .livelock: "livelock"
        case .assertion: "assertion"
        case .error: "error"
        case .leak: "leak"
        case .misuse(let kind): "misuse: \(kind)"
        case .other(let word): word
        }
    }
}
