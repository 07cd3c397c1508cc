import Primitives
import Testing

/// One thing that the primitives promise, shown by a small program and by what it may and must end as. The ids are those of
/// docs/semantics.md.
struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    /// What holds, as the rest of the sentence that the id begins.
    let sentence: String
    /// How the program may end. Among all schedules each of these occurs, and nothing else.
    var endings: Set<Ending> = [.completed]
    /// What the program may say that it saw. Among all schedules each of these occurs, and nothing else.
    var sightings: Set<String> = []
    var search = Search.every
    /// How many waits may end without a signal.
    var spuriousWakeups = 0
    /// Whether real threads can show it: not if it takes a scheduler's hand, or real time that no test should wait for.
    var runsOnRealThreads = true
    /// Whether a data race is what it shows. In no other case may there be one.
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

    /// Which schedules the controlled runtime runs it under.
    enum Search: Sendable {
        /// All of them: what holds then is proved.
        case every
        /// A few hundred at random: for programs with too many schedules, or with no end to them.
        case some
    }

    static let all =
        threads + cancellation + mutexes + recursiveMutexes + conditions + timedConditions + conditionLocks
        + readWriteLocks + semaphores + barriers + latches + onces + slots + runLoops + atomics
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
