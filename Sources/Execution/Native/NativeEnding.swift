import CPthread
import Synchronization

/// How a native run ends: the words that its threads share about it.
final class NativeEnding: @unchecked Sendable {
    /// The end of the run and its reason are decided; no later decision replaces this one.
    let isDecided = Atomic(false)
    /// The thread that ended the run has finished doing so: there is a helper now, or there will be none.
    let isTold = Atomic(false)
    /// It ended because something went wrong.
    let hasFailed = Atomic(false)
    /// Threads besides the main one that may still touch the runtime.
    let alive = Atomic(0)
    /// The main thread's body is over, by a thread exit or otherwise.
    let isMainOver = Atomic(false)
    /// The helper that wakes blocked threads at the end may stop.
    let isSettled = Atomic(false)
    /// The helper's handle, once there is one: written by the thread that decided, before `hasHelper`.
    var helper = pthread_t()
    let hasHelper = Atomic(false)

    /// Posted when a thread has left and when the run ends, for a main thread that waits for the others.
    let change = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    /// Posted when the main thread's body is over, for the thread that joins it.
    let mainExit = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        for semaphore in [change, mainExit] {
            semaphore.initialize(to: sem_t())
            checkErrno(sem_init(semaphore, 0, 0), "sem_init")
        }
    }

    deinit {
        for semaphore in [change, mainExit] {
            sem_destroy(semaphore)
            semaphore.deallocate()
        }
    }

    /// True for the first caller only.
    func decide() -> Bool { !isDecided.exchange(true, ordering: .acquiringAndReleasing) }
}

/// What every operation of a native run looks at, in one word, which is in the processor's cache anyway: a question
/// more costs no load more.
struct RunSigns: ~Copyable {
    /// Computed, not stored: every operation reads them, and a stored one is behind a test in an unoptimized build.
    struct Sign: OptionSet {
        let rawValue: UInt8

        /// The run has ended: blocking calls throw, and nothing more is recorded.
        static var ended: Sign { Sign(rawValue: 1) }
        /// Nothing is recorded at all.
        static var unrecorded: Sign { Sign(rawValue: 2) }
        /// A thread has, or had, a hook.
        static var hooks: Sign { Sign(rawValue: 4) }

        static var silent: Sign { Sign(rawValue: 3) }
        /// An operation is not simply performed: the run has ended, or a hook may come before it.
        static var special: Sign { Sign(rawValue: 5) }
    }

    private let word: Atomic<UInt8>

    init(_ signs: Sign) { word = Atomic(signs.rawValue) }

    /// Whether one of them has been set.
    @inline(__always) func have(_ signs: Sign) -> Bool { word.load(ordering: .relaxed) & signs.rawValue != 0 }

    /// - Returns: whether it had been set before.
    @discardableResult
    func set(_ sign: Sign) -> Bool {
        word.bitwiseOr(sign.rawValue, ordering: .sequentiallyConsistent).oldValue & sign.rawValue != 0
    }
}
