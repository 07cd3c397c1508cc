import Authoring
import Glibc
import Testing
import ThreadLabPthread
import ThreadLabTesting

/// Code that was written for POSIX threads, under the lab.
@Suite struct PthreadDropInTests {
    /// As much code keeps a lock: Swift sees an access to the variable for as long as a call lasts.
    private final class Lock: @unchecked Sendable {
        private var mutex = Lab.pthread_mutex_t()

        func lock() { pthread_mutex_lock(&mutex) }
        func unlock() { pthread_mutex_unlock(&mutex) }
        func with(_ body: () -> Void) {
            lock()
            body()
            unlock()
        }
    }

    @Test func `threads wait for a lock whose address is taken at each call`() throws {
        let result = try explore(.exhaustive, time: .seconds(600)) {
            let lock = Lock()
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                lock.with {}
                done.signal()
            }
            lock.with {}
            done.wait()
        }
        #expect(result.triedEveryOrder)
    }

    @Test func `locks in opposite orders deadlock`() throws {
        try explore(time: .seconds(600), expecting: .deadlock) {
            let (a, b) = (Lock(), Lock())
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                b.with { a.with {} }
                done.signal()
            }
            a.with { b.with {} }
            done.wait()
        }
    }

    /// A lock that dies with its object, as nearly all do.
    private final class Owned: @unchecked Sendable {
        private let mutex = UnsafeMutablePointer<Lab.pthread_mutex_t>.allocate(capacity: 1)

        init() { pthread_mutex_init(mutex, nil) }

        func use() {
            pthread_mutex_lock(mutex)
            if pthread_mutex_trylock(mutex) != EBUSY { preconditionFailure("it is not held") }
            pthread_mutex_unlock(mutex)
        }

        deinit {
            use()
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    }

    @Test func `a lock that its object destroys does not keep the search from being complete`() throws {
        let result = try explore(.exhaustive, time: .seconds(600)) {
            let lock = UnsafeMutablePointer<Lab.pthread_mutex_t>.allocate(capacity: 1)
            pthread_mutex_init(lock, nil)
            let owner = Owner(lock)
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                owner.use()
                done.signal()
            }
            owner.use()
            done.wait()
        }
        #expect(result.triedEveryOrder)
    }

    private final class Owner: @unchecked Sendable {
        private let mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>

        init(_ mutex: UnsafeMutablePointer<Lab.pthread_mutex_t>) { self.mutex = mutex }

        func use() {
            pthread_mutex_lock(mutex)
            pthread_mutex_unlock(mutex)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    }

    @Test func `a deinit that comes too late finds the lock held that it has locked`() throws {
        let body = { @Sendable in
            let object = Owned()
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                object.use()
                done.signal()
            }
            done.wait()
        }
        try explore(.random(executions: 50), time: .seconds(600)) { body() }
        for _ in 1...10 { try run { body() } }
    }

    nonisolated(unsafe) private static var global = Lab.pthread_mutex_t()

    @Test func `a global lock is free at the beginning of each execution`() throws {
        let result = try explore(.random(executions: 10), time: .seconds(600)) {
            pthread_mutex_lock(&Self.global)
            try check(pthread_mutex_trylock(&Self.global) == EBUSY)
            // It stays locked.
        }
        #expect(result.executions == 10)
    }

    @Test(arguments: [false, true])
    func `a condition that is signaled before it is awaited is found`(looks: Bool) throws {
        try explore(time: .seconds(600), expecting: looks ? .completed : .deadlock) {
            let mutex = UnsafeMutablePointer<Lab.pthread_mutex_t>.allocate(capacity: 1)
            let condition = UnsafeMutablePointer<Lab.pthread_cond_t>.allocate(capacity: 1)
            pthread_mutex_init(mutex, nil)
            pthread_cond_init(condition, nil)
            nonisolated(unsafe) let (shared, signaled) = (mutex, condition)
            nonisolated(unsafe) var isReady = false
            Lab.Thread.detachNewThread {
                pthread_mutex_lock(shared)
                isReady = true
                pthread_cond_signal(signaled)
                pthread_mutex_unlock(shared)
            }
            pthread_mutex_lock(mutex)
            if looks {
                while !isReady { pthread_cond_wait(condition, mutex) }
            } else {
                pthread_cond_wait(condition, mutex)
            }
            pthread_mutex_unlock(mutex)
        }
    }

    @Test func `a wait until a time takes no time`() throws {
        try explore(time: .seconds(600)) {
            var (mutex, condition) = (Lab.pthread_mutex_t(), Lab.pthread_cond_t())
            var limit = Lab.timespec()
            clock_gettime(CLOCK_REALTIME, &limit)
            let start = Lab.Date()
            limit.tv_sec += 3600
            pthread_mutex_lock(&mutex)
            while pthread_cond_timedwait(&condition, &mutex, &limit) != ETIMEDOUT {}
            pthread_mutex_unlock(&mutex)
            try check(Lab.Date().timeIntervalSince(start) == 3600)
        }
    }

    @Test func `a reader and a writer exclude each other`() throws {
        let result = try explore(.exhaustive, time: .seconds(600)) {
            let lock = UnsafeMutablePointer<Lab.pthread_rwlock_t>.allocate(capacity: 1)
            pthread_rwlock_init(lock, nil)
            nonisolated(unsafe) let shared = lock
            nonisolated(unsafe) var isWritten = false
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                pthread_rwlock_wrlock(shared)
                isWritten = true
                Lab.Thread.sleep(forTimeInterval: 1)
                isWritten = false
                pthread_rwlock_unlock(shared)
                done.signal()
            }
            pthread_rwlock_rdlock(lock)
            try check(!isWritten)
            pthread_rwlock_unlock(lock)
            done.wait()
            pthread_rwlock_destroy(lock)
            lock.deallocate()
        }
        #expect(result.triedEveryOrder)
    }

    @Test func `a lock of Apple's systems excludes threads, and refuses its holder`() throws {
        try explore(time: .seconds(600)) {
            var lock = Lab.os_unfair_lock()
            os_unfair_lock_lock(&lock)
            try check(!os_unfair_lock_trylock(&lock))
            os_unfair_lock_unlock(&lock)
            try check(os_unfair_lock_trylock(&lock))
        }
        try explore(time: .seconds(600), expecting: .misuse) {
            var lock = Lab.os_unfair_lock()
            os_unfair_lock_lock(&lock)
            os_unfair_lock_lock(&lock)
        }
    }
}
