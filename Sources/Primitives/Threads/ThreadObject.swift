import Execution
import Machine
import Text
import Trace

/// A thread as an object (guide: Using NSThread). It is described first and started later, can be asked to stop at any
/// time, and passes any value, or the error that ended its body, to the thread that joins it.
///
/// `Thread` is the short form: it starts when it is created.
public final class ThreadObject<Value: Sendable>: Sendable {
    public enum State: Int, Sendable {
        /// Not started, or started and not yet running.
        case ready
        case executing
        /// Its body is over; or it was started when it was already cancelled, and will never run.
        case finished
    }

    private let name: String?
    private let body: @Sendable (ThreadObject) throws -> Value
    /// The runtime's object for the thread, called its seat, which exists before the thread does. It knows whether the
    /// thread has been started; joins are operations on it.
    private let seat: Handle
    /// The raw value of a state, or `Phase.cancelledBeforeStart`.
    private let phase: Atomic<Int>
    /// Whether it was asked to stop.
    private let cancelled: Atomic<Bool>
    /// Its attributes as last set.
    private let present: Guarded<ThreadAttributes>
    /// Written by the thread, and read after a join. Nil: the thread ended by `Thread.exit`.
    private let result = Guarded<Result<Value, any Error>?>(nil)

    /// The value of `phase` that is not the raw value of a state.
    private enum Phase {
        static var cancelledBeforeStart: Int { 3 }
    }

    /// Describes a thread whose body gets the object itself, to check `isCancelled`.
    public init(
        _ name: String? = nil, _ attributes: ThreadAttributes = ThreadAttributes(), file: StaticString = #fileID,
        line: UInt = #line, _ body: @escaping @Sendable (ThreadObject) throws -> Value
    ) {
        let site = SourceSite(file, line)
        let owner = name ?? "thread"
        self.name = name
        self.body = body
        present = Guarded(attributes)
        seat = Handle(.seat, shownAs: .part, "\(owner.possessive) seat", at: site)
        phase = Atomic(partOf: "\(owner.possessive) state", State.ready.rawValue, at: site)
        cancelled = Atomic(partOf: "\(owner.possessive) request", false, at: site)
    }

    /// Describes a thread.
    public convenience init(
        _ name: String? = nil, _ attributes: ThreadAttributes = ThreadAttributes(), file: StaticString = #fileID,
        line: UInt = #line, _ body: @escaping @Sendable () throws -> Value
    ) {
        self.init(name, attributes, file: file, line: line) { _ in try body() }
    }

    /// Its attributes, which only the thread that starts it may change. They are read at the start, so later changes
    /// have no effect.
    public var attributes: ThreadAttributes {
        get { present.value }
        set { present.value = newValue }
    }

    // MARK: - Its life

    /// Starts the thread. If it has been cancelled, it is finished at once, and its body never runs.
    ///
    /// - Throws: `Misuse` `start-twice`; `ThreadCreationFailed`, if the system cannot create another thread or refuses
    ///   the attributes.
    public func start(file: StaticString = #fileID, line: UInt = #line) throws {
        try start(keeping: nil, file: file, line: line)
    }

    /// Starts the thread, and keeps an object alive with it.
    ///
    /// - Parameter object: lives until the thread's body is over, or is dropped without having run.
    package func start(keeping object: (any AnyObject & Sendable)?, file: StaticString, line: UInt) throws {
        let site = SourceSite(file, line)
        if try cancelled.load(file: file, line: line) {
            if try phase.exchange(Phase.cancelledBeforeStart, at: site) == State.ready.rawValue { return }
            throw Misuse.recorded(.startTwice, at: site)
        }
        var attributes = attributes
        if let refusal = attributes.refusal {
            throw ThreadCreationFailed(code: ThreadCreationFailed.invalidArgument, refusal)
        }
        guard try seat.perform(.spawn, at: site) != 0 else { throw Misuse.recorded(.startTwice, at: site) }
        // The spawn was already a step.
        attributes.takesNoStep = true
        let isDetached = attributes.isDetached
        do {
            let body = ThreadBody.plain {
                try withExtendedLifetime(object) { try self.run(isDetached: isDetached, startedAt: site) }
            }
            let thread = try ThreadContext.runtime.startThread(named: name, attributes, at: site, body: body)
            seat.with { $0.seat(thread, on: seat.object) }
        } catch {
            // The thread was not started: another call of `start` is allowed, and a join must not wait for it.
            seat.with { $0.seat(nil, on: seat.object) }
            throw error
        }
    }

    /// Asks the thread to stop: its body sees that in `isCancelled`. A thread that has not been started never runs.
    public func cancel(file: StaticString = #fileID, line: UInt = #line) throws {
        try cancelled.store(true, file: file, line: line)
    }

    public func isCancelled(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try cancelled.load(file: file, line: line)
    }

    /// Its current state, which may have changed when the caller uses the answer.
    public func state(file: StaticString = #fileID, line: UInt = #line) throws -> State {
        let word = try phase.load(file: file, line: line)
        return State(rawValue: word) ?? .finished
    }

    private func run(isDetached: Bool, startedAt site: SourceSite) throws {
        // A call of `start` on another thread, which saw that the thread was cancelled, may have set the phase
        // meanwhile.
        guard try phase.exchange(State.executing.rawValue, at: .unknown) == State.ready.rawValue else {
            throw Misuse.recorded(.startTwice, at: site)
        }
        do {
            result.value = .success(try body(self))
        } catch  where error is ThreadExit {
            try finish()
            throw error
        } catch  where !isDetached && Self.isHandedOver(error) {
            // A throw does not appear in a trace: without this note the thread would seem to end normally.
            ThreadContext.runtime.with { runtime in
                guard runtime.isRecording else { return }
                runtime.record(.note, 0, text: "ends with an error: \(error)", at: .unknown)
            }
            result.value = .failure(error)
        }
        try finish()
    }

    /// Called on the thread itself when its body is over.
    package func finish() throws {
        Thread.ExitNotices.run()
        try phase.store(State.finished.rawValue)
    }

    /// Whether the error is passed to the joining thread. Errors that mean a finding, or the end of the run, are not:
    /// they leave the thread's body, and so end the run.
    private static func isHandedOver(_ error: any Error) -> Bool {
        !(error is RunEnded || error is Misuse || error is AssertionFailed || error is ClaimFailed
            || error is NoProgress)
    }

    // MARK: - Its end

    /// The joined thread has no value: it ended by `Thread.exit`, or was cancelled before it was started.
    public struct NoValue: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// Waits until the thread has ended.
    ///
    /// - Returns: the value of its body.
    /// - Throws: the error that left its body; `NoValue`; `Misuse` `not-started`, `join-self`, `join-detached`, or
    ///   `join-twice`.
    @discardableResult
    public func join(file: StaticString = #fileID, line: UInt = #line) throws -> Value {
        let site = SourceSite(file, line)
        try checkJoin(file, line)
        // A join through a seat without a thread returns 0.
        guard try seat.perform(.join, at: site) != 0 else { throw Misuse.recorded(.notStarted, at: site) }
        return try outcome()
    }

    /// Waits until the thread has ended, or until the deadline.
    ///
    /// - Returns: nil if the deadline passed; the thread can then be joined later.
    /// - Throws: the errors of `join`. As there, a thread that has not been started is not waited for.
    public func join(until deadline: Instant, file: StaticString = #fileID, line: UInt = #line) throws -> Value? {
        let site = SourceSite(file, line)
        try checkJoin(file, line)
        // With a deadline, 0 means that the deadline passed, so a seat without a thread returns −1.
        switch try seat.perform(.joinUntil, 0, deadline.nanoseconds, at: site) {
        case ..<0: throw Misuse.recorded(.notStarted, at: site)
        case 0: return nil
        default: return try outcome()
        }
    }

    /// Throws `NoValue` if the thread was cancelled before its start, so that a join would never return.
    private func checkJoin(_ file: StaticString, _ line: UInt) throws {
        if try phase.load(file: file, line: line) == Phase.cancelledBeforeStart {
            throw NoValue(description: "the thread was cancelled before it was started")
        }
    }

    private func outcome() throws -> Value {
        guard let result = result.value else { throw NoValue(description: "the thread left by Thread.exit") }
        return try result.get()
    }
}
