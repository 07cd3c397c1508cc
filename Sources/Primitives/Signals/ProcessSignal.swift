import Execution
import Trace

/// A signal that the process sends to itself, and its handler (POSIX `SIGUSR1`). A run has at most one.
///
/// Any thread that does not block the signal may receive it: on real threads the kernel chooses one, under the
/// scheduler the schedule does. The handler runs on that thread before its next operation; a blocked thread runs it
/// when it continues. So a handler interrupts a thread between two operations, not inside one.
public final class ProcessSignal: Sendable {
    private let shown: Handle
    /// A semaphore that models the signal under the scheduler: it counts the signals that no thread has received. On
    /// real threads it only names what a thread in `wait` waits for.
    private let pending: Part

    /// Installs the handler for all threads. Do this before starting other threads: when a running thread begins to
    /// check for the signal is not determined by a step, and so not by the schedule.
    ///
    /// - Parameter handler: runs on the thread that gets the signal.
    /// - Throws: `Misuse` `invalid-value`, if the run has a signal already.
    public init(
        _ name: String = "SIGUSR1", file: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable () throws -> Void
    ) throws {
        let site = SourceSite(file, line)
        shown = Handle(.other, shownAs: .signal, name, at: site)
        pending = Part(.semaphore, "pending \(name)", at: site)
        let delivery = Delivery(pending, shown.object.id, handler)
        guard ThreadContext.runtime.with({ $0.installSignal(delivery) }) else {
            throw Misuse.recorded(.invalidValue, at: site)
        }
    }

    deinit { shown.discard() }

    /// Sends the signal to the process.
    public func send(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        shown.record(.signalSend, at: site)
        if let system = shown.with({ $0.system }) {
            try system.sendSignal()
        } else {
            try pending.handle.perform(.semaphoreSignal, at: site)
        }
    }

    /// Waits until the signal is sent, and takes it without running the handler (POSIX `sigwait`). Every thread must
    /// block the signal.
    public func wait(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        if let system = shown.with({ $0.system }) {
            try system.waitForSignal(pending.handle.object, at: site)
        } else {
            try pending.handle.perform(.semaphoreWait, at: site)
        }
        shown.record(.signalTake, at: site)
    }

    /// Blocks the signal for the calling thread, and for threads that it creates later (POSIX `pthread_sigmask`).
    public static func block() { ThreadContext.runtime.with { $0.blocksSignal = true } }

    /// The check that a thread makes before each of its operations.
    private final class Delivery: StepHook {
        private let pending: Part
        private let shown: UInt32
        private let handler: @Sendable () throws -> Void

        init(_ pending: Part, _ shown: UInt32, _ handler: @escaping @Sendable () throws -> Void) {
            self.pending = pending
            self.shown = shown
            self.handler = handler
        }

        func beforeOperation() throws {
            let runtime = ThreadContext.runtime
            let isTaken =
                try runtime.with { $0.system }?.takeSignal()
                ?? (pending.handle.perform(.semaphoreTryWait, at: .unknown) != 0)
            guard isTaken else { return }
            runtime.record(.signalHandler, shown, at: .unknown)
            try handler()
            runtime.record(.signalHandled, shown, at: .unknown)
        }
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let signalSend = Remark(
        "signal.send", "send {object}",
        says: "It sent the signal to the process")
    fileprivate static let signalTake = Remark(
        "signal.take", "take {object}",
        says: "It waited for the signal, and took it")
}
