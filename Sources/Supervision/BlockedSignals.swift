import Glibc

/// Signals that the process receives by asking for them one by one, instead of being interrupted.
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

    /// The next signal, or nil if none arrives within this time.
    package func wait(nanoseconds: Int) -> Int32? {
        var set = set
        var timeout = timespec(tv_sec: 0, tv_nsec: nanoseconds)
        let signal = sigtimedwait(&set, nil, &timeout)
        return signal > 0 ? signal : nil
    }

    /// In a child process: its parent may itself have been forked with these signals blocked.
    func unblock() {
        var set = set
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    package func restore() {
        var before = before
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
