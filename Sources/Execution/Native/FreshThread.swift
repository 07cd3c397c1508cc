import CLab
import CPthread

/// Runs the work of a process that has just been forked on a thread of its own.
///
/// Swift's `once`, with which stored constants are initialized, notes its thread by the kernel's number, and a thread
/// remembers that number. The one that a fork copies remembers that of its parent, and so waits forever if it meets
/// another thread there. A new thread remembers nothing.
package enum FreshThread {
    /// Returns when the body has returned. The calling thread gets no signals from now on.
    package static func run(_ body: @escaping @Sendable () -> Void) {
        clab_call_on_new_thread(begin, Unmanaged.passRetained(Work(body)).toOpaque())
    }

    /// Returns at once. The thread is never joined.
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
