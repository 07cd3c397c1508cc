/// One thing that a step touches, and how.
package struct Access: Equatable, Sendable, BitwiseCopyable {
    /// An object's number, or one of the negative numbers below.
    package var thing: Int32
    /// Whether it changes what another step on the same thing would do or find.
    package var isWrite: Bool

    package init(_ thing: Int32, isWrite: Bool) {
        self.thing = thing
        self.isWrite = isWrite
    }

    /// Everything: what the exit of the process touches.
    package static let world: Int32 = -1
    /// The order in which threads are started, which gives them their numbers.
    package static let threadNumbers: Int32 = -2
    /// The budget of spurious wake-ups and of spurious failures of compare-exchanges.
    package static let spuriousBudget: Int32 = -3

    /// The virtual clock, where steps move it and the program can read it.
    package static let clock: Int32 = -4

    /// Whether the run continues: a step that ends it depends on every step that touches anything.
    package static let end: Int32 = -5

    /// Whether a thread's step closes a cycle of waiting threads; only in entries about sleeping threads.
    package static let cycle: Int32 = -7

    /// The values of all observed objects together.
    package static let observed: Int32 = -6

    /// The number of these general things: −1 to −7.
    package static let thingsInGeneral = 7

    /// Whether a thread can be joined, or was.
    package static func thread(_ index: Int) -> Int32 { -8 - Int32(truncatingIfNeeded: index) }

    package static func thread(of thing: Int32) -> Int? { thing <= thread(0) ? Int(thread(0) - thing) : nil }

    /// The least of these numbers.
    package static let least = thread(MachineState.maximumThreads - 1)
}
