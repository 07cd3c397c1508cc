import Glibc

/// A thread that neither a run nor the lab has started: a raw POSIX one.
package final class ForeignThread: @unchecked Sendable {
    private let body: @Sendable () -> Void
    private var handle = pthread_t()

    package init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        let argument = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &handle, nil,
            { argument in
                Unmanaged<ForeignThread>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, argument)
        precondition(code == 0, "no thread")
    }

    /// Waits by means of the system, of which the lab knows nothing.
    package func join() { pthread_join(handle, nil) }
}
