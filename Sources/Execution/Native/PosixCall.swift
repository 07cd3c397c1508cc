import CPthread
import Glibc

/// Traps if a POSIX call has failed, given the error code that it returned. Failures that a scenario can cause are
/// handled at the call instead.
func check(_ code: Int32, _ call: StaticString) {
    if code != 0 { preconditionFailure("\(call): \(String(cString: strerror(code)))") }
}

/// Traps if a call has failed, given its result. For calls that return −1 and set `errno`.
func checkErrno(_ result: Int32, _ call: StaticString) {
    if result != 0 { check(errno, call) }
}

/// Ends the process with a message, as Swift does for its own errors. Called for a mistake of code outside a run, where
/// no report could name it.
func failOutsideRun(_ what: String) -> Never { preconditionFailure("outside a run, \(what)") }

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

/// An event for which one thread waits, and which another thread causes once.
package final class Signal: Sendable {
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() {
        semaphore.initialize(to: sem_t())
        checkErrno(sem_init(semaphore, 0, 0), "sem_init")
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func post() { checkErrno(sem_post(semaphore), "sem_post") }

    package func wait() { while sem_wait(semaphore) != 0 {} }
}
