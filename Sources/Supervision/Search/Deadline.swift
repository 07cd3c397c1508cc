import Glibc
import Machine
import Synchronization
import Trace

/// The moment at which a command, or a part of it, must end.
///
/// The deadline of a command is made once, when the command begins. Its phases share that deadline or have earlier ones
/// (`at(most:)`), so that a command with more phases does not take longer. Deadlines count real time, however busy the
/// machine is. Their clock is a coarse one: reading it costs a few nanoseconds, and it is exact to a few milliseconds.
package struct Deadline: Sendable {
    private let end: UInt64
    /// For tests, instead of a clock: how often it may be asked.
    private let countdown: Countdown?

    /// - Parameter time: the time from now, in nanoseconds.
    package init(after time: UInt64) { self.init(end: Self.now &+ min(time, .max / 2)) }

    /// - Parameter moment: the beginning of the time, as a value of `Deadline.now`. A later one counts as now.
    package init(after time: UInt64, since moment: UInt64) {
        self.init(end: min(moment, Self.now) &+ min(time, .max / 2))
    }

    private init(end: UInt64, _ countdown: Countdown? = nil) {
        self.end = end
        self.countdown = countdown
    }

    package var isOver: Bool { left == 0 }

    /// The time left, in nanoseconds. 0: the time is over. In tests: 0 or `longest`.
    package var left: UInt64 {
        if let countdown { return countdown.isOver ? 0 : Self.longest }
        let now = Self.now
        return end > now ? end - now : 0
    }

    /// Whether the time was over at least `grace` nanoseconds ago.
    func isOver(by grace: UInt64) -> Bool { countdown?.isOver ?? (Self.now > end &+ grace) }

    /// An earlier deadline: after `time` nanoseconds from now, and no later than this one.
    package func at(most time: UInt64) -> Deadline {
        if let countdown { return Deadline(end: end, countdown.of(time)) }
        return Deadline(end: min(end, Self.now &+ min(time, .max / 2)))
    }

    /// A later deadline: after `time` nanoseconds from now, and no earlier than this one. For the least that a command
    /// has to report, which takes a moment even if no time is left.
    package func orAfter(_ time: UInt64) -> Deadline {
        if let countdown { return Deadline(end: end, countdown.orAfter(time)) }
        return Deadline(end: max(end, Self.now &+ time))
    }

    /// The time left for a search, in nanoseconds. Keeps a tenth, at most `longestReport`, for repeating and reporting
    /// what it finds.
    package var leftForSearch: UInt64 {
        let left = left
        return left - min(left / 10, Self.longestReport)
    }

    private static let longestReport: UInt64 = 10_000_000_000
    private static let longest: UInt64 = 1 << 60

    /// The time of the clock of deadlines, which all processes share, in nanoseconds.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: - In tests

    /// A deadline that is over after this process and those that it forks have asked it `count` times, whatever the
    /// time and the load.
    ///
    /// - Parameter extra: how often it can be asked during the time that `orAfter` grants.
    static func afterAsking(_ count: Int, moment extra: Int = 20) throws(SupervisionFailed) -> Deadline {
        let memory = try SharedMemory(size: MemoryLayout<Int>.size, for: "a deadline")
        return Deadline(end: .max / 2, Countdown(memory, until: count, extra: extra))
    }

    /// How often the deadline has been asked.
    var asked: Int { countdown?.asked ?? 0 }

    /// Counts how often a deadline is asked, in memory that forked processes share.
    private final class Countdown: Sendable {
        private let memory: SharedMemory
        private let most: Int
        private let extra: Int

        init(_ memory: SharedMemory, until most: Int, extra: Int) {
            self.memory = memory
            self.most = most
            self.extra = extra
        }

        private var word: UnsafeMutablePointer<Atomic<Int>> {
            memory.bytes.baseAddress!.assumingMemoryBound(to: Atomic<Int>.self)
        }

        var asked: Int { word.pointee.load(ordering: .relaxed) }

        var isOver: Bool { word.pointee.wrappingAdd(1, ordering: .relaxed).oldValue >= most }

        /// The countdown for a part of the time. It is over at once if the part is empty.
        func of(_ time: UInt64) -> Countdown { time == 0 ? Countdown(memory, until: 0, extra: extra) : self }

        func orAfter(_ time: UInt64) -> Countdown {
            time == 0 ? self : Countdown(memory, until: max(most, asked + extra), extra: extra)
        }
    }
}

/// A chooser that follows another one, and ends the execution when its time is over. Under a weaker memory model one
/// execution can take long, because each step of a long execution takes long.
final class TimedChooser: Chooser {
    private let chooser: any Chooser
    private let isOver: () -> Bool
    /// Whether an execution was ended because its time was over, and not for another reason.
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
