import Glibc
import Machine
import Trace

/// The moment at which a search, or all that explains its result, is to be over.
///
/// Each phase asks it, and has no time of its own: so a command that has more phases does not take longer. The clock is a coarse
/// one, which costs a few nanoseconds and is exact to a few milliseconds.
package struct Deadline: Sendable {
    private let end: UInt64

    /// - Parameter time: from now, in nanoseconds.
    package init(after time: UInt64) { end = Self.now &+ min(time, .max / 2) }

    private init(end: UInt64) { self.end = end }

    package var isOver: Bool { left == 0 }

    /// In nanoseconds. 0: it is over.
    package var left: UInt64 {
        let now = Self.now
        return end > now ? end - now : 0
    }

    /// Whether it has been over for this long, in nanoseconds.
    func isOver(by grace: UInt64) -> Bool { Self.now > end &+ grace }

    /// The moment when a part of the time that is left is over; or all of it, if that comes first.
    package func at(most time: UInt64) -> Deadline { Deadline(end: min(end, Self.now &+ min(time, .max / 2))) }

    /// The moment when all time that is left is over; or when this time is, in nanoseconds, if that comes last.
    func orAfter(_ time: UInt64) -> Deadline { Deadline(end: max(end, Self.now &+ time)) }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// Ends an execution at the deadline, in the middle if it must: under a memory model, a step of a long execution takes long.
final class TimedChooser: Chooser {
    private let chooser: any Chooser
    private let isOver: () -> Bool
    /// Whether it has ended an execution. The scheduler stops some by itself.
    private(set) var hasGivenUp = false

    /// - Parameter isOver: asked before each choice of a thread.
    init(_ chooser: any Chooser, isOver: @escaping () -> Bool) {
        self.chooser = chooser
        self.isOver = isOver
    }

    func begin() { chooser.begin() }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        if isOver() {
            hasGivenUp = true
            return nil
        }
        return chooser.chooseThread(enabled, last: last, state: state)
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        chooser.chooseAlternative(count, of: thread, state: state)
    }

    func letsTimePass(beside thread: UInt16, state: MachineState) -> Bool? {
        chooser.letsTimePass(beside: thread, state: state)
    }

    var cycleSearch: CycleSearch { chooser.cycleSearch }
    var plan: ChoosersPlan { chooser.plan }
    func end(_ verdict: Verdict, state: MachineState) { chooser.end(verdict, state: state) }
}
