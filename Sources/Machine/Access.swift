/// One of the things that a step touches.
public struct Access: Equatable, Sendable, BitwiseCopyable {
    /// An object's number, or one of those below, which are negative.
    public var thing: Int32
    /// Whether it changes what another step on the thing would do or find.
    public var isWrite: Bool

    @inlinable public init(_ thing: Int32, isWrite: Bool) {
        self.thing = thing
        self.isWrite = isWrite
    }

    /// All there is: what the process's exit touches.
    public static let world: Int32 = -1
    /// Who gets which number: threads are numbered in the order in which they are started.
    public static let threadNumbers: Int32 = -2
    /// How many more waits may end without a signal.
    public static let spuriousBudget: Int32 = -3

    /// Whether a thread can be joined, or was.
    @inlinable public static func thread(_ index: Int) -> Int32 { -4 - Int32(truncatingIfNeeded: index) }

    /// The least of these numbers.
    public static let least = thread(MachineState.maximumThreads - 1)
}
