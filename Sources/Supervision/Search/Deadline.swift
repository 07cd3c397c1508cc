import Glibc
import Machine
import Synchronization
import Trace

/// The moment at which a command is to be over, or a part of it.
///
/// It is made once, when the command begins, and each phase asks it and has no time of its own: so a command that has more phases does not
/// take longer. The clock is the user's, on a busy machine too; a coarse one, which costs a few nanoseconds and is exact to a few
/// milliseconds.
package struct Deadline: Sendable {
    private let end: UInt64
    /// Of a test, in place of a clock: how often it may be asked.
    private let countdown: Countdown?

    /// - Parameter time: from now, in nanoseconds.
    package init(after time: UInt64) { self.init(end: Self.now &+ min(time, .max / 2)) }

    /// - Parameter moment: of `Deadline.now`.
    package init(after time: UInt64, since moment: UInt64) {
        self.init(end: min(moment, Self.now) &+ min(time, .max / 2))
    }

    private init(end: UInt64, _ countdown: Countdown? = nil) {
        self.end = end
        self.countdown = countdown
    }

    package var isOver: Bool { left == 0 }

    /// In nanoseconds. 0: it is over.
    package var left: UInt64 {
        if let countdown { return countdown.isOver ? 0 : Self.longest }
        let now = Self.now
        return end > now ? end - now : 0
    }

    /// Whether it has been over for this long, in nanoseconds.
    func isOver(by grace: UInt64) -> Bool { countdown?.isOver ?? (Self.now > end &+ grace) }

    /// The moment when a part of the time that is left is over; or all of it, if that comes first.
    package func at(most time: UInt64) -> Deadline {
        if let countdown { return Deadline(end: end, countdown.of(time)) }
        return Deadline(end: min(end, Self.now &+ min(time, .max / 2)))
    }

    /// The moment when all time that is left is over; or when this time is, in nanoseconds, if that comes last: what is the least that a
    /// command says takes a moment, though there is none left.
    package func orAfter(_ time: UInt64) -> Deadline {
        if let countdown { return Deadline(end: end, countdown.orAfter(time)) }
        return Deadline(end: max(end, Self.now &+ time))
    }

    /// What is left for a search, in nanoseconds: not the last tenth, in which what it has found is repeated and told.
    package var leftForSearch: UInt64 {
        let left = left
        return left - min(left / 10, Self.longestReport)
    }

    private static let longestReport: UInt64 = 10_000_000_000
    private static let longest: UInt64 = 1 << 60

    /// On the clock of deadlines, which all processes share, in nanoseconds.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: - In tests

    /// One that is over when it has been asked as often, by this process and those that it forks: whatever the time and the load.
    ///
    /// - Parameter moment: how often it can be asked in the time that there is in any case.
    static func afterAsking(_ count: Int, moment: Int = 20) throws(SupervisionFailed) -> Deadline {
        let memory = try SharedMemory(size: MemoryLayout<Int>.size, for: "a deadline")
        return Deadline(end: .max / 2, Countdown(memory, until: count, moment: moment))
    }

    /// How often it has been asked.
    var asked: Int { countdown?.asked ?? 0 }

    private final class Countdown: Sendable {
        private let memory: SharedMemory
        private let most: Int
        private let moment: Int

        init(_ memory: SharedMemory, until most: Int, moment: Int) {
            self.memory = memory
            self.most = most
            self.moment = moment
        }

        private var word: UnsafeMutablePointer<Atomic<Int>> {
            memory.bytes.baseAddress!.assumingMemoryBound(to: Atomic<Int>.self)
        }

        var asked: Int { word.pointee.load(ordering: .relaxed) }

        var isOver: Bool { word.pointee.wrappingAdd(1, ordering: .relaxed).oldValue >= most }

        /// The same for a part of the time, which is none if that is.
        func of(_ time: UInt64) -> Countdown { time == 0 ? Countdown(memory, until: 0, moment: moment) : self }

        func orAfter(_ time: UInt64) -> Countdown {
            time == 0 ? self : Countdown(memory, until: max(most, asked + moment), moment: moment)
        }
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
