import CPthread
import Glibc

/// A POSIX call did what it must not do here. Whatever a scenario can bring about is handled where it is called.
func check(_ code: Int32, _ call: StaticString) {
    if code != 0 { preconditionFailure("\(call): \(String(cString: strerror(code)))") }
}

/// The same for calls that answer −1 and leave the reason in `errno`.
func checkErrno(_ result: Int32, _ call: StaticString) {
    if result != 0 { check(errno, call) }
}

/// A mutex for the native runtime's own books.
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
