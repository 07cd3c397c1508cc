import CLab
import CPthread
import Glibc
import Trace

/// Looks at a run from beside it, again and again, on a thread of its own: to read what was recorded meanwhile, and to
/// decide whether to end the run.
package final class NativeWatch: @unchecked Sendable {
    private let interval: Int
    private let look: @Sendable () -> Bool
    private let wakeUp = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private var handle: pthread_t?

    /// - Parameters:
    ///   - interval: between two looks, in nanoseconds.
    ///   - look: called on the watch's thread; false: it has seen enough, and is not called again.
    package init(every interval: Int = 10_000_000, look: @escaping @Sendable () -> Bool) {
        self.interval = interval
        self.look = look
        wakeUp.initialize(to: sem_t())
        checkErrno(sem_init(wakeUp, 0, 0), "sem_init")
        var handle = pthread_t()
        let argument = Unmanaged.passRetained(Body(interval: interval, look: look, wakeUp: wakeUp))
        if pthread_create(&handle, nil, watchMain, argument.toOpaque()) == 0 {
            self.handle = handle
        } else {
            argument.release()
        }
    }

    /// Whether it runs at all: there may have been no thread for it.
    package var isWatching: Bool { handle != nil }

    /// Ends the watch, and waits for a look that is under way. Not to be called by `look` itself.
    package func stop() {
        guard let handle else { return }
        self.handle = nil
        sem_post(wakeUp)
        check(pthread_join(handle, nil), "pthread_join")
    }

    deinit {
        stop()
        sem_destroy(wakeUp)
        wakeUp.deallocate()
    }

    /// What the thread needs; it does not hold on to the watch itself, which is how a forgotten watch ends.
    fileprivate final class Body: @unchecked Sendable {
        let interval: Int
        let look: @Sendable () -> Bool
        let wakeUp: UnsafeMutablePointer<sem_t>

        init(interval: Int, look: @escaping @Sendable () -> Bool, wakeUp: UnsafeMutablePointer<sem_t>) {
            self.interval = interval
            self.look = look
            self.wakeUp = wakeUp
        }

        func run() {
            _ = pthread_setname_np(pthread_self(), "watch")
            while true {
                let code = clab_semaphore_wait_until(wakeUp, Int64(NativeTime.now + interval))
                if code == 0 || (code == ETIMEDOUT && !look()) { return }
            }
        }
    }
}

private func watchMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<NativeWatch.Body>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
