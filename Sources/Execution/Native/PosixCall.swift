import CPthread
import Glibc

/// Traps if a POSIX call fails unexpectedly. Failures that a scenario can cause are handled at the call.
func check(_ code: Int32, _ call: StaticString) {
    if code != 0 { preconditionFailure("\(call): \(String(cString: strerror(code)))") }
}

/// The same for calls that return −1 and set `errno`.
func checkErrno(_ result: Int32, _ call: StaticString) {
    if result != 0 { check(errno, call) }
}

/// A mutex for the native runtime's own data.
final class NativeLock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        check(pthread_mutex_init(mutex, nil), "pthread_mutex_init")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        check(pthread_mutex_lock(mutex), "pthread_mutex_lock")
        defer { check(pthread_mutex_unlock(mutex), "pthread_mutex_unlock") }
        return try body()
    }
}
