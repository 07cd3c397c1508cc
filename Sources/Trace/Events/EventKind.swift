/// What happened. Traces and saved traces use the dotted name; its meaning never changes.
///
/// Everything about a kind is in its row (`EventTable.swift`).
///
/// A kind that ends in `-wait` (and `condition.wait`) says that the thread is blocked from here on, until its next
/// event.
package enum EventKind: UInt8, CaseIterable, Sendable {
    // Threads
    case threadCreate, threadStart, threadExit, threadJoinWait, threadJoin, threadDetach, threadYield
    case threadSleep, threadAwake, threadError, threadCutOff
    /// The new thread is detached from the beginning.
    case threadCreateDetached
    /// The thread's body is over, and it runs what was registered for its end.
    case threadWillExit
    /// The thread kills another one; and the thread was killed: it ends where it is, and cleans nothing up.
    case threadKill, threadKilled
    /// The thread's next wait ends after this time at the latest. A wait without such an event may last forever.
    case threadDeadline
    /// The thread's next lock is one that it would not have waited for, or not forever.
    case threadTry
    case threadPriority
    /// A thread that does not belong to the run was about to use the object, and was refused.
    case threadForeign
    /// The thread has done what it loops for.
    case threadProgress

    // Locks
    case mutexWait, mutexAcquire, mutexBusy, mutexTimeout, mutexRelease
    case readWait, writeWait, readAcquire, writeAcquire, lockBusy, lockTimeout, readRelease, writeRelease

    // Waiting for each other
    case conditionWait, conditionWake, conditionTimeout, conditionSignal, conditionBroadcast
    case semaphoreWait, semaphoreAcquire, semaphoreBusy, semaphoreTimeout, semaphoreSignal

    // Memory
    case atomicLoad, atomicStore, atomicUpdate, atomicMismatch
    case cellRead, cellWrite
    /// The thread found that a condition does not hold, and waits until something that it read is written.
    case memoryWait
    /// The same, in a loop that keeps a processor busy: the thread spins.
    case memorySpin
    case slotSet, slotDestroy

    // Built on top
    /// Something that an object says of itself, in words of its own: `Event.remark`. Kinds below are what more than a
    /// report acts on.
    case remark
    /// A thread that was created is a worker of a pool: it does nothing but run blocks of queues.
    case queueServe
    case operationFinish
    case loopEntry, loopExit
    case performQueue
    case fileAppend
    /// The thread begins and ends a signal's handler.
    case signalHandler, signalHandled

    // The scenario's own words and figures, and what goes wrong
    case choice, note
    case meterCount, meterBytes, meterTime
    /// The run has ended in a state that some run is expected to end in.
    case stateSeen
    case assertionFailed, noProgress, misuse
    /// A claim about the run does not hold; and one that the program itself calls broken.
    case claimFailed, claimBroken

    // The run as a whole
    case runExit, runComplete, runTimeout, runStepLimit, runCycle, runStarvation, runForever, runCrash, runKilled,
        runQuit, runInterrupted,
        runDiverged

    /// The meaning of the event's `value`.
    package enum Meaning: Sendable {
        /// The value has no meaning.
        case none
        case number
        /// A number that is not shown if it is 0: a thread's result.
        case result
        /// The number of the acquisition, counted by object: it keeps the order between native threads. 0 when
        /// controlled.
        case ticket
        /// The number of a POSIX signal; 0: unknown.
        case signal
        /// An index into `TraceDocument.threads`.
        case thread
        /// An index into `TraceDocument.objects`.
        case object
        /// An index into `TraceDocument.texts`.
        case text
        /// A duration or a deadline, in nanoseconds.
        case nanoseconds
        case bytes
        /// The raw value of a `MisuseKind`.
        case misuse

        package var isNumber: Bool {
            switch self {
            case .number, .result, .ticket, .signal: true
            case .none, .thread, .object, .text, .nanoseconds, .bytes, .misuse: false
            }
        }
    }

    /// What is known of a kind.
    package struct Row: Sendable {
        /// The dotted name, for example `mutex.acquire`.
        package let name: StaticString
        package let meaning: Meaning
        package let effect: Effect
        /// What reports show: a verb and its object. `{object}`, `{value}` and `{thread}` stand for names, `{result}`
        /// for `= 3`. A word of which nothing is left is not shown.
        package let verb: StaticString
        /// The same for an object whose references are counted. Nil: no difference.
        package let verbOfCounted: StaticString?
        /// What happened, as a sentence for the table in docs/trace-format.md.
        package let explanation: StaticString

        @inlinable @inline(__always) init(
            _ name: StaticString, value meaning: Meaning = .none, _ effect: Effect = .none, verb: StaticString,
            ofCounted verbOfCounted: StaticString? = nil, says explanation: StaticString
        ) {
            self.name = name
            self.meaning = meaning
            self.effect = effect
            self.verb = verb
            self.verbOfCounted = verbOfCounted
            self.explanation = explanation
        }
    }

    /// Written out, because other modules call the derived one through a table.
    @inlinable @inline(__always)
    package static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

    /// The dotted name, for example `mutex.acquire`.
    package var name: String { Self.names[Int(rawValue)] }

    package var meaning: Meaning { Self.meanings[Int(rawValue)] }

    /// What an event of this kind does. Inlined, so that it is one lookup in a table.
    @inlinable @inline(__always) package var effect: Effect { row.effect }

    /// The kind with this dotted name.
    package init?(name: String) {
        guard let kind = Self.byName[name] else { return nil }
        self = kind
    }

    /// Whether the thread is blocked from here on, until its next event.
    @inlinable package var blocks: Bool { effect.blocks }

    /// Whether the run is over with this event: what threads record after it is only their unwinding.
    @inlinable package var endsRun: Bool { effect.endsRun }

    /// Whether it says of a claim that it does not hold.
    package var isOfClaim: Bool { self == .claimFailed || self == .claimBroken }

    /// Whether it is the reading of a meter.
    package var isReading: Bool { self == .meterCount || self == .meterBytes || self == .meterTime }

    // By raw value: readers and writers of traces use these for every event.
    private static let names = allCases.map { "\($0.row.name)" }
    private static let meanings = allCases.map(\.row.meaning)

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
