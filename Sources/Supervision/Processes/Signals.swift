import Glibc

/// Signals that the process takes one by one when it asks for them, instead of being interrupted.
package struct BlockedSignals {
    private let set: sigset_t
    private let before: sigset_t

    package init(_ signals: [Int32]) {
        var set = sigset_t()
        var before = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, &before)
        self.set = set
        self.before = before
    }

    /// The next signal, or nil if none arrives within this time, which must be shorter than a second.
    package func wait(nanoseconds: Int) -> Int32? {
        var set = set
        var timeout = timespec(tv_sec: 0, tv_nsec: nanoseconds)
        let signal = sigtimedwait(&set, nil, &timeout)
        guard signal > 0 else { return nil }
        EndingWatch.note(signal)
        return signal
    }

    /// Unblocks the signals in a forked child. `restore` would not suffice there: if the parent was itself forked, they
    /// may have been blocked before.
    func unblock() {
        var set = set
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    package func restore() {
        var before = before
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

/// Whether a signal has asked threadlab to end. Work is then cut short, and the results so far are reported.
final class Interruption {
    private let signals: BlockedSignals
    private var known: Int32?
    /// When the time for showing the results so far is over. Nil: no signal has arrived.
    private(set) var deadline: Deadline?

    /// The time for showing the results so far, in nanoseconds.
    private static let grace: UInt64 = 500_000_000

    /// - Parameter known: the signal, if it was received before.
    init(_ signals: BlockedSignals, known: Int32? = nil) {
        self.signals = signals
        if let known { note(known) }
    }

    /// Notes a signal that was received elsewhere.
    func note(_ signal: Int32) {
        known = known ?? signal
        deadline = deadline ?? Deadline(after: Self.grace)
    }

    /// The first signal, or nil.
    var signal: Int32? {
        while let signal = signals.wait(nanoseconds: 0) { note(signal) }
        return known
    }

    var hasCome: Bool { signal != nil }
}

/// The error that is thrown when a signal has asked this process to end.
package struct Interrupted: Error, CustomStringConvertible {
    package let signal: Int32

    package var description: String { "interrupted by signal \(signal)" }

    package init(signal: Int32) { self.signal = signal }
}
