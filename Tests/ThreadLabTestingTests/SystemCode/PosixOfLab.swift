// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

// Code that uses the lab's types with the names of POSIX: see `CodeOfLab`.
import Glibc
import ThreadLabPthread

private typealias pthread_mutex_t = Lab.pthread_mutex_t
private typealias pthread_mutexattr_t = Lab.pthread_mutexattr_t
private typealias pthread_cond_t = Lab.pthread_cond_t
private typealias pthread_condattr_t = Lab.pthread_condattr_t
private typealias pthread_rwlock_t = Lab.pthread_rwlock_t
private typealias pthread_key_t = Lab.pthread_key_t
private typealias pthread_once_t = Lab.pthread_once_t
private typealias pthread_t = Lab.pthread_t
private typealias pthread_attr_t = Lab.pthread_attr_t
private typealias timespec = Lab.timespec
private typealias timeval = Lab.timeval

enum PosixOfLab {
    static let parts: [@Sendable () -> [String]] = [
        { collect(Code.mutexes) }, { collect(Code.time) }, { collect(Code.readersAndWriters) },
        { collect(Code.keys) },
    ]

    private static func collect(_ part: (Results) -> Void) -> [String] {
        let results = Results()
        part(results)
        return results.all
    }
}

private final class Results {
    private(set) var all: [String] = []

    func add(_ entry: some Any) { all.append("\(entry)") }
}

// MARK: - The same in both files

/// As much code keeps its lock: in a class, with its address taken at each call.
private final class Wallet: @unchecked Sendable {
    private var mutex = pthread_mutex_t()
    private var changed = pthread_cond_t()
    private var balance = 0

    func deposit(_ amount: Int) {
        pthread_mutex_lock(&mutex)
        defer { pthread_mutex_unlock(&mutex) }
        balance += amount
        pthread_cond_broadcast(&changed)
    }

    func awaitBalance(of amount: Int) -> Int {
        pthread_mutex_lock(&mutex)
        while balance < amount { pthread_cond_wait(&changed, &mutex) }
        defer { pthread_mutex_unlock(&mutex) }
        return balance
    }

    deinit {
        pthread_mutex_destroy(&mutex)
        pthread_cond_destroy(&changed)
    }
}

/// In memory of its own.
private final class Lock: @unchecked Sendable {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(type: Int) {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, .init(type))
        precondition(pthread_mutex_init(mutex, &attributes) == 0)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }
}

/// A lock without an initializer, as C's PTHREAD_MUTEX_INITIALIZER makes it, that lives as long as the process.
nonisolated(unsafe) private var global = pthread_mutex_t()

nonisolated(unsafe) private var released = 0

private enum Code {
    static func mutexes(_ results: Results) {
        let wallet = Wallet()
        var threads = [pthread_t](repeating: pthread_t(), count: 2)
        for index in threads.indices {
            let argument = Unmanaged.passRetained(wallet).toOpaque()
            let code = pthread_create(
                &threads[index], nil,
                { argument in
                    Unmanaged<Wallet>.fromOpaque(argument!).takeRetainedValue().deposit(2)
                    return nil
                }, argument)
            results.add(code)
        }
        results.add(wallet.awaitBalance(of: 4))
        for thread in threads { results.add(pthread_join(thread, nil)) }
        let recursive = Lock(type: PTHREAD_MUTEX_RECURSIVE)
        pthread_mutex_lock(recursive.mutex)
        results.add(pthread_mutex_trylock(recursive.mutex))
        pthread_mutex_unlock(recursive.mutex)
        results.add(pthread_mutex_unlock(recursive.mutex))
        let plain = Lock(type: PTHREAD_MUTEX_ERRORCHECK)
        pthread_mutex_lock(plain.mutex)
        results.add(pthread_mutex_trylock(plain.mutex) == EBUSY)
        pthread_mutex_unlock(plain.mutex)
        results.add(pthread_mutex_lock(&global))
        results.add(pthread_mutex_trylock(&global) == EBUSY)
        results.add(pthread_mutex_unlock(&global))
    }

    static func time(_ results: Results) {
        var (mutex, condition) = (pthread_mutex_t(), pthread_cond_t())
        pthread_mutex_init(&mutex, nil)
        pthread_cond_init(&condition, nil)
        var now = timeval()
        gettimeofday(&now, nil)
        var deadline = timespec(tv_sec: now.tv_sec, tv_nsec: now.tv_usec * 1000)
        pthread_mutex_lock(&mutex)
        results.add(pthread_cond_timedwait(&condition, &mutex, &deadline) == ETIMEDOUT)
        results.add(pthread_mutex_unlock(&mutex))
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        results.add(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
        var other = pthread_cond_t()
        pthread_cond_init(&other, &attributes)
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_nsec += 1
        pthread_mutex_lock(&mutex)
        results.add(pthread_cond_timedwait(&other, &mutex, &deadline) == ETIMEDOUT)
        pthread_mutex_unlock(&mutex)
        var pause = timespec(tv_sec: 0, tv_nsec: 1000)
        results.add(nanosleep(&pause, nil))
        pthread_cond_destroy(&condition)
        pthread_cond_destroy(&other)
        results.add(pthread_mutex_destroy(&mutex))
    }

    static func readersAndWriters(_ results: Results) {
        var lock = pthread_rwlock_t()
        results.add(pthread_rwlock_init(&lock, nil))
        pthread_rwlock_rdlock(&lock)
        results.add(pthread_rwlock_tryrdlock(&lock))
        results.add(pthread_rwlock_trywrlock(&lock) == EBUSY)
        pthread_rwlock_unlock(&lock)
        pthread_rwlock_unlock(&lock)
        results.add(pthread_rwlock_wrlock(&lock))
        results.add(pthread_rwlock_tryrdlock(&lock) == EBUSY)
        pthread_rwlock_unlock(&lock)
        results.add(pthread_rwlock_destroy(&lock))
    }

    static func keys(_ results: Results) {
        struct Once {
            nonisolated(unsafe) static var once: pthread_once_t = PTHREAD_ONCE_INIT
            nonisolated(unsafe) static var key = pthread_key_t()
        }
        for _ in 1...2 {
            pthread_once(&Once.once) {
                released = 0
                pthread_key_create(&Once.key) { value in
                    released += value == nil ? 0 : 1
                    value?.deallocate()
                }
            }
        }
        let key = Once.key
        results.add(pthread_getspecific(key) == nil)
        let value = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        defer { value.deallocate() }
        results.add(pthread_setspecific(key, value))
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_JOINABLE))
        pthread_create(
            &thread, &attributes,
            { argument in
                let value = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
                pthread_setspecific(Once.key, value)
                return pthread_getspecific(Once.key) == value ? argument : nil
            }, value)
        pthread_attr_destroy(&attributes)
        var result: UnsafeMutableRawPointer?
        results.add(pthread_join(thread, &result))
        results.add(result == value)
        results.add(pthread_getspecific(key) == value)
        results.add(pthread_setspecific(key, nil))
        results.add(released)
        let own: pthread_t = pthread_self()
        results.add(pthread_equal(own, pthread_self()) != 0)
        results.add(pthread_equal(own, thread))
    }
}
