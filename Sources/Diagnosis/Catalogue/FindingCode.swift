import Trace

/// What can be found in a run. The raw value and the name are stable for ever: a code is neither renumbered nor used again.
public enum FindingCode: String, CaseIterable, Sendable {
    case deadlock = "TL101"
    case endlessWait = "TL102"
    case lockOrder = "TL103"
    case race = "TL201"
    case lostWakeUp = "TL301"
    case waitWithoutLoop = "TL302"
    case livelock = "TL401"
    case starvation = "TL402"
    case priorityInversion = "TL403"
    case heldWhileBlocked = "TL404"
    case heldTooLong = "TL405"
    case contention = "TL406"
    case leakedThread = "TL501"
    case cutOffThread = "TL502"
    case misuse = "TL601"
    case uncaughtError = "TL602"
    case wrongThread = "TL603"
    case assertion = "TL701"
    case timeout = "TL702"
    case crash = "TL703"

    /// The stable short name, as one types it.
    public var name: String {
        switch self {
        case .deadlock: "deadlock"
        case .endlessWait: "endless-wait"
        case .lockOrder: "lock-order"
        case .race: "race"
        case .lostWakeUp: "lost-wake-up"
        case .waitWithoutLoop: "wait-without-loop"
        case .livelock: "livelock"
        case .starvation: "starvation"
        case .priorityInversion: "priority-inversion"
        case .heldWhileBlocked: "held-while-blocked"
        case .heldTooLong: "held-too-long"
        case .contention: "contention"
        case .leakedThread: "leak"
        case .cutOffThread: "cut-off"
        case .misuse: "misuse"
        case .uncaughtError: "error"
        case .wrongThread: "wrong-thread"
        case .assertion: "assertion"
        case .timeout: "timeout"
        case .crash: "crash"
        }
    }

    /// What it is, as a heading.
    public var title: String {
        switch self {
        case .deadlock: "deadlock: a circle of threads that wait for each other"
        case .endlessWait: "waiting for what nobody is left to do"
        case .lockOrder: "potential deadlock: locks taken in different orders"
        case .race: "data race"
        case .lostWakeUp: "lost wake-up"
        case .waitWithoutLoop: "waiting without a loop around the condition"
        case .livelock: "livelock: busy, and no progress"
        case .starvation: "starvation: always somebody else's turn"
        case .priorityInversion: "priority inversion"
        case .heldWhileBlocked: "lock held while its thread waits for something else"
        case .heldTooLong: "lock held too long"
        case .contention: "contention: threads queue for a lock"
        case .leakedThread: "leaked thread: never joined, never detached"
        case .cutOffThread: "thread cut off by the end of the process"
        case .misuse: "misuse: a call that the contract forbids"
        case .uncaughtError: "error that nobody caught"
        case .wrongThread: "thing used from the wrong thread"
        case .assertion: "assertion failed"
        case .timeout: "time-out: still going when the time was over"
        case .crash: "crash"
        }
    }

    /// The outcome of a run in which this is the gravest finding. Nil: it does not decide how a run ended.
    public var outcome: OutcomeKind? {
        switch self {
        case .deadlock, .endlessWait: .deadlock
        case .lockOrder: .lockOrder
        case .race: .race
        case .livelock: .livelock
        case .leakedThread: .leak
        case .misuse, .wrongThread: .misuse
        case .uncaughtError: .error
        case .assertion: .assertion
        case .timeout: .timeout
        case .crash: .crash
        case .lostWakeUp, .waitWithoutLoop, .starvation, .priorityInversion, .heldWhileBlocked, .heldTooLong,
            .contention,
            .cutOffThread:
            nil
        }
    }

    public var severity: Severity {
        switch self {
        case .contention: .note
        case .lockOrder, .waitWithoutLoop, .starvation, .priorityInversion, .heldWhileBlocked, .heldTooLong,
            .cutOffThread:
            .warning
        default: .fault
        }
    }
}
