import CLab
import CPthread
import Glibc
import Trace

/// A separate thread that calls a closure repeatedly, for example to read the recording of a run and to end the run if
/// it cannot continue.
package final class Watch: @unchecked Sendable {
    private let wakeUp = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private var handle = pthread_t()
    private var isWatching = true

    /// - Parameters:
    ///   - interval: the time between two calls, in nanoseconds.
    ///   - look: called on the watch's thread. After it has returned false, it is not called again.
    package init(every interval: Int = 10_000_000, look: @escaping @Sendable () -> Bool) {
        wakeUp.initialize(to: sem_t())
        sem_init(wakeUp, 0, 0)
        let body = Unmanaged.passRetained(Body(interval, look, wakeUp))
        let code = clab_create_undisturbed_thread(&handle, watchMain, body.toOpaque())
        precondition(code == 0, "no thread for a watch")
    }

    /// Ends the watch, after a call in progress has returned. Must not be called by `look` itself.
    package func stop() {
        guard isWatching else { return }
        isWatching = false
        sem_post(wakeUp)
        pthread_join(handle, nil)
    }

    deinit {
        stop()
        sem_destroy(wakeUp)
        wakeUp.deallocate()
    }

    /// What the thread of the watch needs. It does not refer to the watch, so that a watch without references ends.
    fileprivate final class Body: @unchecked Sendable {
        private let interval: Int
        private let look: @Sendable () -> Bool
        private let wakeUp: UnsafeMutablePointer<sem_t>

        init(_ interval: Int, _ look: @escaping @Sendable () -> Bool, _ wakeUp: UnsafeMutablePointer<sem_t>) {
            self.interval = interval
            self.look = look
            self.wakeUp = wakeUp
        }

        func run() {
            while true {
                let next = Int64(RecordingClock.nanoseconds()) + Int64(interval)
                let code = clab_semaphore_wait_until(wakeUp, next)
                if code == 0 || (code == ETIMEDOUT && !look()) { return }
            }
        }
    }
}

private func watchMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<Watch.Body>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}

/// Runs the work of a newly forked process on a new thread.
///
/// Swift's `once`, which initializes globals and statics, identifies a thread by the kernel's number, which each thread
/// caches. The thread that survives a fork has the number of the parent's thread in its cache, and would wait forever
/// if it met another thread in a `once`. A new thread has nothing cached.
package enum FreshThread {
    /// Runs the body on a new thread, or on the calling thread if no thread can be created. Returns when the body has
    /// returned. While the body runs on the new thread, and afterwards, the calling thread receives no signals.
    package static func run(_ body: @escaping @Sendable () -> Void) {
        clab_call_on_new_thread(begin, Unmanaged.passRetained(Work(body)).toOpaque())
    }

    /// Starts a new thread that runs the body, and is never joined.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        check(
            pthread_create(&handle, nil, begin, Unmanaged.passRetained(Work(body)).toOpaque()),
            "pthread_create")
        check(pthread_detach(handle), "pthread_detach")
    }

    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

private func begin(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<FreshThread.Work>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
