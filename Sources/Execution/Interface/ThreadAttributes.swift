/// The attributes of a new thread. They are read once, when the thread starts: changing them later does not change the
/// thread (POSIX).
public struct ThreadAttributes: Sendable {
    /// The size of the thread's stack in bytes: a multiple of the page size, at least 16 KiB. Nil for the system's
    /// default. Under the scheduler a thread has at least 8 MiB, so overflows of smaller stacks show only on real
    /// threads.
    public var stackSize: Int?
    /// The scheduling priority, from 0 to 31; a thread with a higher one is more likely to run. Nil to set none: Linux
    /// then gives the thread that of the creating thread. It is a hint: Linux lets only privileged processes raise it,
    /// and the controlled scheduler ignores it.
    public var priority: Int?
    /// The size of the inaccessible memory below the stack in bytes, rounded up to pages, which turns an overflow into
    /// a crash instead of damage. Nil for one page. Under the scheduler it has no effect: the guard is a little larger
    /// than 1 MiB.
    public var guardSize: Int?
    /// How the system shares the processors between threads. Nil to inherit it. Under the scheduler it has no effect.
    public var policy: Policy?
    /// Whether the thread is detached: no thread can join it, and if it still runs when the process ends, it is cut
    /// off. A thread that is not detached must be joined.
    public var isDetached: Bool
    /// Whether another thread can kill this one (`Thread.kill`). POSIX has no such attribute. Here, a thread that can
    /// be killed checks for that before each of its operations, and each check is a step.
    public var canBeKilled: Bool
    /// Whether starting the thread takes no step: either it exists as soon as its creator does, or its creator has
    /// already taken that step.
    package var takesNoStep = false

    public init(
        stackSize: Int? = nil, priority: Int? = nil, isDetached: Bool = false, guardSize: Int? = nil,
        policy: Policy? = nil, canBeKilled: Bool = false
    ) {
        self.stackSize = stackSize
        self.priority = priority
        self.isDetached = isDetached
        self.guardSize = guardSize
        self.policy = policy
        self.canBeKilled = canBeKilled
    }

    /// The scheduling policies of POSIX.
    public enum Policy: Sendable {
        /// The default: every thread gets its share of the processors.
        case usual
        /// Real time: the thread runs before all threads with the default policy, until it waits. Only for privileged
        /// processes; others are refused (`EPERM`).
        case firstInFirstOut
        /// Like `firstInFirstOut`, with time slices among threads of equal priority.
        case roundRobin
    }

    /// The minimum stack size of POSIX threads here, in bytes (`PTHREAD_STACK_MIN`).
    public static let minimumStackSize = 16384

    /// Why the attributes are invalid. Nil if they are valid.
    package var refusal: String? {
        if let stackSize, stackSize < Self.minimumStackSize || stackSize % 4096 != 0 {
            return "a stack of \(stackSize) bytes: it must be a multiple of 4096, at least \(Self.minimumStackSize)"
        }
        if let priority, let refusal = Self.refusal(ofPriority: priority) { return refusal }
        if let guardSize, guardSize < 0 { return "a guard of \(guardSize) bytes: it cannot be negative" }
        return nil
    }

    /// The priority of a thread for which none was set.
    package static let defaultPriority = 15

    /// Why the priority is invalid. Nil if it is valid.
    package static func refusal(ofPriority priority: Int) -> String? {
        (0...31).contains(priority) ? nil : "a priority of \(priority): it must be from 0 to 31"
    }
}

/// The body of a thread, with or without a value for the thread that joins it.
///
/// There are two cases, because wrapping one closure in another would cost each thread an allocation.
package enum ThreadBody: @unchecked Sendable {
    case plain(() throws -> Void)
    case returning(() throws -> Int)

    /// Runs the body on the calling thread.
    ///
    /// - Returns: its value; 0 if it has none.
    @inline(__always) package func run() throws -> Int {
        switch self {
        case .plain(let body):
            try body()
            return 0
        case .returning(let body): return try body()
        }
    }
}
