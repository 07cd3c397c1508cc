import CPthread
import Synchronization

/// How a native run ends: the variables by which its threads agree on the end and leave.
final class NativeEnding: @unchecked Sendable {
    /// Whether the end of the run and its reason are decided. No later decision replaces them.
    let isDecided = Atomic(false)
    /// Whether the thread that decided the end has recorded it, and has started the helper, a thread that wakes blocked
    /// threads, if one is needed.
    let isAnnounced = Atomic(false)
    /// Whether the run ended because something went wrong.
    let hasFailed = Atomic(false)
    /// The number of threads other than the main one that may still use the runtime.
    let alive = Atomic(0)
    /// Whether the main thread's body is over, however it ended.
    let isMainOver = Atomic(false)
    /// Whether the helper may stop.
    let isSettled = Atomic(false)
    /// The helper's handle. Written by the thread that decided the end, before it sets `hasHelper`.
    var helper = pthread_t()
    let hasHelper = Atomic(false)

    /// Posted when a thread leaves, and when the run ends. A main thread that has exited and waits for the others waits
    /// for it.
    let change = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    /// Posted when the main thread's body is over. A thread that joins the main thread waits for it.
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

    /// Decides that the run ends now. Returns true for the first caller, which must then end it.
    func decide() -> Bool { !isDecided.exchange(true, ordering: .acquiringAndReleasing) }
}

/// Flags that every operation of a native run checks. They share one word, which is usually in the processor's cache,
/// so that another flag needs no further load.
struct RunSigns: ~Copyable {
    /// The flags are computed properties: every operation reads them, and an unoptimized build tests whether a stored
    /// one is initialized.
    struct Sign: OptionSet {
        let rawValue: UInt8

        /// The run has ended: blocking calls throw, and nothing more is recorded.
        static var ended: Sign { Sign(rawValue: 1) }
        /// Nothing is recorded at all.
        static var unrecorded: Sign { Sign(rawValue: 2) }
        /// A thread has, or had, a hook, or there is a signal handler.
        static var hooks: Sign { Sign(rawValue: 4) }

        /// The two flags because of which nothing is recorded: `ended` and `unrecorded`.
        static var silent: Sign { Sign(rawValue: 3) }
        /// The two flags because of which operations need more than the fast path: `ended`, and `hooks`, since a hook
        /// may come first.
        static var special: Sign { Sign(rawValue: 5) }
    }

    private let word: Atomic<UInt8>

    init(_ signs: Sign) { word = Atomic(signs.rawValue) }

    /// Whether any of the flags is set.
    @inline(__always) func have(_ signs: Sign) -> Bool { word.load(ordering: .relaxed) & signs.rawValue != 0 }

    /// Sets a flag.
    ///
    /// - Returns: whether it was already set.
    @discardableResult
    func set(_ sign: Sign) -> Bool {
        word.bitwiseOr(sign.rawValue, ordering: .sequentiallyConsistent).oldValue & sign.rawValue != 0
    }
}
