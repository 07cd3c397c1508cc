import Trace

/// The kinds of findings. The raw value and the name are permanently stable: a code is neither renumbered nor reused.
package enum FindingCode: String, CaseIterable, Sendable {
    case deadlock = "TL101"
    case endlessWait = "TL102"
    case lockOrder = "TL103"
    case queueCycle = "TL104"
    case callNotMade = "TL105"
    case race = "TL201"
    case lostWakeUp = "TL301"
    case waitWithoutLoop = "TL302"
    case livelock = "TL401"
    case starvation = "TL402"
    case priorityInversion = "TL403"
    case heldWhileBlocked = "TL404"
    case heldTooLong = "TL405"
    case contention = "TL406"
    case endlessStarvation = "TL407"
    case leakedThread = "TL501"
    case cutOffThread = "TL502"
    case leakedObject = "TL503"
    case misuse = "TL601"
    case uncaughtError = "TL602"
    case wrongThread = "TL603"
    case usedAfterRelease = "TL604"
    case lockInHandler = "TL605"
    case assertion = "TL701"
    case timeout = "TL702"
    case crash = "TL703"
    case claim = "TL704"

    /// The code with this raw value or name, in uppercase or lowercase letters.
    package init?(word: String) {
        let wanted = word.lowercased()
        let match = Self.allCases.first { $0.rawValue.lowercased() == wanted || $0.name == wanted }
        guard let match else { return nil }
        self = match
    }

    /// The stable short name, as typed on a command line.
    package var name: String {
        switch self {
        case .lockOrder, .lostWakeUp, .waitWithoutLoop, .starvation, .priorityInversion, .heldWhileBlocked,
            .heldTooLong, .contention, .cutOffThread, .lockInHandler:
            warning?.rawValue ?? rawValue
        case .deadlock: "deadlock"
        case .endlessWait: "endless-wait"
        case .queueCycle: "queue-cycle"
        case .callNotMade: "call-not-made"
        case .race: "race"
        case .livelock: "livelock"
        case .endlessStarvation: "endless-starvation"
        case .leakedThread: "leak"
        case .misuse: "misuse"
        case .uncaughtError: "error"
        case .wrongThread: "wrong-thread"
        case .leakedObject: "leaked-object"
        case .usedAfterRelease: "used-after-release"
        case .assertion: "assertion"
        case .timeout: "timeout"
        case .crash: "crash"
        case .claim: "claim"
        }
    }

    /// A short description, to follow the name.
    package var title: String {
        switch self {
        case .deadlock: "a cycle of threads that wait for each other"
        case .endlessWait: "a wait that no remaining thread can end"
        case .queueCycle: "a block that waits for a queue which waits for the block"
        case .callNotMade: "a call to a run loop that will never make it"
        case .lockOrder: "potential deadlock: locks taken in different orders"
        case .race: "data race: unsynchronized access to the same memory by two threads"
        case .lostWakeUp: "a signal that came before its waiter"
        case .waitWithoutLoop: "a wait after which the predicate is not tested again"
        case .livelock: "busy threads that make no progress"
        case .starvation: "a thread that never gets its turn"
        case .endlessStarvation: "a thread that can be kept from making progress forever"
        case .priorityInversion: "a high-priority thread blocked by a low-priority one"
        case .heldWhileBlocked: "a lock held while its thread waits for something else"
        case .heldTooLong: "a lock held for a long time while others wait for it"
        case .contention: "threads that queue for a lock"
        case .leakedThread: "a thread that was neither joined nor detached"
        case .cutOffThread: "a thread terminated by the end of the process"
        case .misuse: "a call that the contract forbids"
        case .uncaughtError: "an error that no thread caught"
        case .wrongThread: "an object used from a thread that it does not belong to"
        case .leakedObject: "an object that was never released"
        case .usedAfterRelease: "an object used, or released, after its last reference was released"
        case .lockInHandler: "a lock taken in a signal handler"
        case .assertion: "a condition that must always hold did not"
        case .timeout: "still running at the time limit"
        case .crash: "the process died"
        case .claim: "a claim of the program about its runs does not hold"
        }
    }

    /// The outcome of a run in which this is the most severe finding, unless the finding itself has another one. Nil if it
    /// does not decide how a run ended.
    package var outcome: OutcomeKind? {
        switch self {
        case .deadlock, .endlessWait, .queueCycle, .callNotMade: .deadlock
        case .lockOrder: .lockOrder
        case .race: .race
        case .livelock: .livelock
        case .endlessStarvation: .starvation
        case .leakedThread, .leakedObject: .leak
        case .misuse, .wrongThread, .usedAfterRelease: .misuse
        case .uncaughtError: .error
        case .assertion: .assertion
        case .timeout: .timeout
        case .crash: .crash
        case .claim: .claim
        case .lostWakeUp, .waitWithoutLoop, .starvation, .priorityInversion, .heldWhileBlocked, .heldTooLong,
            .contention, .cutOffThread, .lockInHandler:
            nil
        }
    }

    /// What an expectation can promise that runs show. Nil for a fault that decides how a run ends: that is promised as
    /// an outcome.
    package var warning: WarningKind? {
        switch self {
        case .lockOrder: .lockOrder
        case .lostWakeUp: .lostWakeUp
        case .waitWithoutLoop: .waitWithoutLoop
        case .starvation: .starvation
        case .priorityInversion: .priorityInversion
        case .heldWhileBlocked: .heldWhileBlocked
        case .heldTooLong: .heldTooLong
        case .contention: .contention
        case .cutOffThread: .cutOff
        case .lockInHandler: .lockInHandler
        case .deadlock, .endlessWait, .queueCycle, .callNotMade, .race, .livelock, .endlessStarvation, .leakedThread,
            .leakedObject, .misuse, .uncaughtError, .wrongThread, .usedAfterRelease, .assertion, .timeout, .crash,
            .claim:
            nil
        }
    }

    package var severity: Severity {
        switch self {
        case .contention: .note
        case .lockOrder, .waitWithoutLoop, .starvation, .priorityInversion, .heldWhileBlocked, .heldTooLong,
            .cutOffThread, .lockInHandler:
            .warning
        default: .fault
        }
    }
}

extension WarningKind {
    /// The warning with this code (`TL402`) or name, in uppercase or lowercase letters.
    package init?(word: String) {
        guard let warning = FindingCode(word: word)?.warning else { return nil }
        self = warning
    }
}
