import Foundation

/// A number behind a POSIX mutex, whose address is taken at each call, as in much code.
public final class Counter: @unchecked Sendable {
    private var mutex = pthread_mutex_t()
    private var number = 0
    private let holdsLock: Bool

    /// - Parameter holdsLock: without the bug: the mutex is held from the look to the change.
    public init(holdsLock: Bool) {
        self.holdsLock = holdsLock
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(&mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit { pthread_mutex_destroy(&mutex) }

    /// The bug: between the look and the change another thread adds too.
    public func add() {
        pthread_mutex_lock(&mutex)
        let before = number
        if !holdsLock {
            pthread_mutex_unlock(&mutex)
            pthread_mutex_lock(&mutex)
        }
        number = before + 1
        pthread_mutex_unlock(&mutex)
    }

    public var value: Int {
        pthread_mutex_lock(&mutex)
        defer { pthread_mutex_unlock(&mutex) }
        return number
    }
}
