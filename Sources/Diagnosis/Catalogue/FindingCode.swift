import Trace

/// The kinds of findings. The raw value and the name are permanently stable: a code is neither renumbered nor reused.
package enum FindingCode: String, CaseIterable, Sendable {
    case deadlock = "TL101"
    case endlessWait = "TL102"
    case lockOrder = "TL103"
    case queueCycle = "TL104"
    case callNotMade = "TL105"
    case operationNotRun = "TL106"
    case race = "TL201"
    case weakMemory = "TL202"
    case lostWakeUp = "TL301"
    case waitWithoutLoop = "TL302"
    case unguardedPredicate = "TL303"
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
    case leakedMemory = "TL504"
    case misuse = "TL601"
    case uncaughtError = "TL602"
    case wrongThread = "TL603"
    case usedAfterRelease = "TL604"
    case lockInHandler = "TL605"
    case usedAfterFree = "TL606"
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
    package var name: String { row.name }

    /// A short description, which follows the name in lists.
    package var title: String { row.title }

    /// The outcome of a run in which this is the most severe finding, unless the finding itself has another one. Nil if
    /// it does not decide how a run ended.
    package var outcome: OutcomeKind? { row.outcome }

    /// The warning with which a program can promise the finding. Nil for a fault that decides how a run ends, which is
    /// promised as an outcome.
    package var warning: WarningKind? { row.warning }

    package var severity: Severity { row.severity }

    package var explanation: Explanation { row.explanation }

    /// What is known of a code. There is a row for each code.
    struct Row {
        let name: String
        let title: String
        let outcome: OutcomeKind?
        let warning: WarningKind?
        let severity: Severity
        /// Makes the detector that finds it. Nil if only `OutcomeJudge` finds it.
        let detector: (() -> any Detector)?
        let explanation: Explanation

        init(
            _ name: String, _ title: String, outcome: OutcomeKind? = nil, severity: Severity = .fault,
            by detector: (() -> any Detector)? = nil, _ explanation: Explanation
        ) {
            self.name = name
            self.title = title
            self.outcome = outcome
            warning = nil
            self.severity = severity
            self.detector = detector
            self.explanation = explanation
        }

        /// The row of a code that programs can promise as a warning. It has the warning's name.
        init(
            _ title: String, outcome: OutcomeKind? = nil, warning: WarningKind, severity: Severity = .fault,
            by detector: (() -> any Detector)? = nil, _ explanation: Explanation
        ) {
            name = warning.rawValue
            self.title = title
            self.outcome = outcome
            self.warning = warning
            self.severity = severity
            self.detector = detector
            self.explanation = explanation
        }
    }

    var row: Row {
        switch self {
        case .deadlock:
            Row("deadlock", "a cycle of threads that wait for each other", outcome: .deadlock, .deadlock)
        case .endlessWait:
            Row("endless-wait", "a wait that no remaining thread can end", outcome: .deadlock, .endlessWait)
        case .lockOrder:
            Row(
                "potential deadlock: locks taken in different orders", outcome: .lockOrder, warning: .lockOrder,
                severity: .warning, .lockOrder)
        case .queueCycle:
            Row(
                "queue-cycle", "a block that waits for a queue which waits for the block", outcome: .deadlock,
                .queueCycle)
        case .callNotMade:
            Row("call-not-made", "a call to a run loop that will never make it", outcome: .deadlock, .callNotMade)
        case .operationNotRun:
            Row(
                "operation-not-run", "an operation that waits for one that can never finish", outcome: .deadlock,
                .operationNotRun)
        case .race:
            Row("race", "data race: unsynchronized access to the same memory by two threads", outcome: .race, .race)
        case .weakMemory:
            Row(
                "a value that is not the newest, as a weaker memory model allows", warning: .weakMemory,
                severity: .note,
                by: WeakMemoryDetector.init, .weakMemory)
        case .lostWakeUp:
            Row("a signal that came before its waiter", warning: .lostWakeUp, by: LostWakeUpDetector.init, .lostWakeUp)
        case .waitWithoutLoop:
            Row(
                "a wait after which the predicate is not tested again", warning: .waitWithoutLoop, severity: .warning,
                by: WaitWithoutLoopDetector.init, .waitWithoutLoop)
        case .unguardedPredicate:
            Row(
                "a predicate changed without the mutex of its condition", warning: .unguardedPredicate,
                severity: .warning, by: UnguardedPredicateDetector.init, .unguardedPredicate)
        case .livelock:
            Row(
                "livelock", "busy threads that make no progress", outcome: .livelock, by: LivelockDetector.init,
                .livelock)
        case .starvation:
            Row(
                "a thread that never gets its turn", warning: .starvation, severity: .warning,
                by: StarvationDetector.init, .starvation)
        case .priorityInversion:
            Row(
                "a high-priority thread blocked by a low-priority one", warning: .priorityInversion, severity: .warning,
                by: PriorityInversionDetector.init, .priorityInversion)
        case .heldWhileBlocked:
            Row(
                "a lock held while its thread waits for something else", warning: .heldWhileBlocked, severity: .warning,
                by: HeldWhileBlockedDetector.init, .heldWhileBlocked)
        case .heldTooLong:
            Row(
                "a lock held for a long time while others wait for it", warning: .heldTooLong, severity: .warning,
                by: HeldTooLongDetector.init, .heldTooLong)
        case .contention:
            Row(
                "threads that queue for a lock", warning: .contention, severity: .note, by: ContentionDetector.init,
                .contention)
        case .endlessStarvation:
            Row(
                "endless-starvation", "a thread that can be kept from making progress forever", outcome: .starvation,
                .endlessStarvation)
        case .leakedThread:
            Row("leak", "a thread that was neither joined nor detached", outcome: .leak, .leakedThread)
        case .cutOffThread:
            Row("a thread terminated by the end of the process", warning: .cutOff, severity: .warning, .cutOffThread)
        case .leakedObject:
            Row("leaked-object", "an object that was never released", outcome: .leak, .leakedObject)
        case .leakedMemory:
            Row(
                "leaked-memory", "memory that was never freed and that nothing points to", outcome: .leak, .leakedMemory
            )
        case .misuse:
            Row("misuse", "a call that the contract forbids", outcome: .misuse, .misuse)
        case .uncaughtError:
            Row("error", "an error that no thread caught", outcome: .error, .uncaughtError)
        case .wrongThread:
            Row(
                "wrong-thread", "an object used from a thread that it does not belong to", outcome: .misuse,
                .wrongThread)
        case .usedAfterRelease:
            Row(
                "used-after-release", "an object used, or released, after its last reference was released",
                outcome: .misuse, .usedAfterRelease)
        case .lockInHandler:
            Row(
                "a lock taken in a signal handler", warning: .lockInHandler, severity: .warning,
                by: HandlerLockDetector.init, .lockInHandler)
        case .usedAfterFree:
            Row("used-after-free", "memory used, or freed again, after it was freed", outcome: .error, .usedAfterFree)
        case .assertion:
            Row("assertion", "a condition that must always hold did not", outcome: .assertion, .assertion)
        case .timeout:
            Row("timeout", "still running at the time limit", outcome: .timeout, .timeout)
        case .crash:
            Row("crash", "the process died", outcome: .crash, .crash)
        case .claim:
            Row("claim", "a claim of the program about its runs does not hold", outcome: .claim, .claim)
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
