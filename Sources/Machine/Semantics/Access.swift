/// One thing that a step touches, and whether it reads or writes it: an entry of the step's footprint.
package struct Access: Equatable, Sendable, BitwiseCopyable {
    /// An object's number, or one of the negative numbers below.
    package var thing: Int32
    /// Whether the step changes what another step on the same thing would do or find.
    package var isWrite: Bool

    package init(_ thing: Int32, isWrite: Bool) {
        self.thing = thing
        self.isWrite = isWrite
    }

    /// Everything: what the exit of the process touches, and the look at all memory at the end (`Process.inspect`).
    package static let world: Int32 = -1
    /// The order in which threads are started, which gives them their numbers.
    package static let threadNumbers: Int32 = -2
    /// The budget of spurious wake-ups and of spurious failures of compare-exchanges.
    package static let spuriousBudget: Int32 = -3

    /// The virtual clock, where steps move it and the program can read it.
    package static let clock: Int32 = -4

    /// Whether the run continues: a step that ends it depends on every step that touches anything.
    package static let end: Int32 = -5

    /// The values of all observed objects together.
    package static let observed: Int32 = -6

    /// Whether a thread's step closes a cycle of waiting threads. Only in sleep sets, not in footprints.
    package static let cycle: Int32 = -7

    /// The number of the general things above, which are −1 to −7.
    package static let thingsInGeneral = 7

    /// The life of a thread: whether it can be joined, and whether it was joined or detached. Threads have the numbers
    /// from −8 down.
    package static func thread(_ index: Int) -> Int32 { -8 - Int32(truncatingIfNeeded: index) }

    /// The thread whose life the thing is. Nil: it is another thing.
    package static func thread(of thing: Int32) -> Int? { thing <= thread(0) ? Int(thread(0) - thing) : nil }

    /// The lowest number of a thing.
    package static let least = thread(MachineState.maximumThreads - 1)
}
