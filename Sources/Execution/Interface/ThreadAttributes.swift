/// The attributes of a new thread. Read once, when it starts: changing them later does not change the thread (POSIX).
public struct ThreadAttributes: Sendable {
    /// The bytes of its stack: a multiple of the page size, at least 16 KiB. Nil: the system's default. Under the
    /// scheduler a thread has 8 MiB, or more if more are asked for: overflows of smaller stacks show only on real
    /// threads.
    public var stackSize: Int?
    /// The scheduling priority, 0 to 31, higher is likelier to run. Nil: inherited. A hint: Linux grants raised ones to
    /// privileged processes only, and the controlled scheduler decides by its strategy.
    public var priority: Int?
    /// Detached: no thread can join it, it dies with the process. Otherwise it is joinable, and must be joined.
    public var isDetached: Bool
    /// Whether starting it is not a step: it exists as soon as its maker does, or its maker has taken the step already.
    package var takesNoStep = false

    public init(stackSize: Int? = nil, priority: Int? = nil, isDetached: Bool = false) {
        self.stackSize = stackSize
        self.priority = priority
        self.isDetached = isDetached
    }

    /// The least stack that POSIX threads accept here, in bytes (`PTHREAD_STACK_MIN`).
    public static let minimumStackSize = 16384

    /// Why the attributes are invalid, or nil.
    package var refusal: String? {
        if let stackSize, stackSize < Self.minimumStackSize || stackSize % 4096 != 0 {
            return "a stack of \(stackSize) bytes: it must be a multiple of 4096, at least \(Self.minimumStackSize)"
        }
        if let priority, !(0...31).contains(priority) {
            return "a priority of \(priority): it must be from 0 to 31"
        }
        return nil
    }
}
