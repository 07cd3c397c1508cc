import CLab
import CPthread
import Glibc
import Machine
import Trace

/// Points in time on the monotonic clock, as POSIX calls take them.
enum NativeTime {
    /// The interval, in nanoseconds, at which blocked calls that only their object can wake check whether the run has
    /// ended.
    ///
    /// All check at the same moments, the multiples of this: in between, a blocked thread really sleeps, so that an
    /// outside observer can see that all of them do.
    static let slice = 20_000_000

    static func timespec(_ nanoseconds: Int) -> CPthread.timespec {
        let nanoseconds = max(0, nanoseconds)
        return CPthread.timespec(
            tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }

    static var now: Int { Int(RecordingClock.nanoseconds()) }

    /// The end of the present slice.
    static var sliceEnd: Int { (now / slice + 1) * slice }
}

extension NativeRuntime {
    /// A deadline of the run's clock on the monotonic clock. One that is too distant becomes the latest possible.
    func absolute(_ deadline: Int) -> Int {
        let (sum, overflow) = deadline.addingReportingOverflow(start)
        return overflow ? Operation.never : sum
    }

    /// Blocks, in slices.
    ///
    /// - Parameters:
    ///   - deadline: on the run's clock.
    ///   - attempt: makes the POSIX call, which blocks at most until the given time of the monotonic clock, and returns
    ///     its error code.
    /// - Returns: whether the call succeeded before the deadline.
    /// - Throws: `RunEnded`.
    func block(until deadline: Int, _ attempt: (Int) -> Int32) throws -> Bool {
        let deadline = absolute(deadline)
        while true {
            try checkRunning()
            let end = min(deadline, NativeTime.sliceEnd)
            switch attempt(end) {
            case 0: return true
            case ETIMEDOUT: if NativeTime.now >= deadline { return false }
            case EINTR, EAGAIN: continue
            case let code: check(code, "a timed POSIX call")
            }
        }
    }

    /// - Parameter duration: the duration of sleep that the scenario asked for, if any, for traces.
    func sleep(
        until deadline: Int, meaning duration: Int, _ me: NativeThread, _ site: SourceSite
    ) throws -> Int {
        me.record(.threadSleep, 0, duration > 0 ? duration : max(0, deadline - now), site)
        _ = try block(until: deadline) { end in
            var time = NativeTime.timespec(end)
            let code = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
            return code == 0 ? ETIMEDOUT : code
        }
        me.record(.threadAwake, 0, 0, site)
        return 0
    }
}

/// A clock that threads drive themselves: it advances while one of them computes, and while all of them sleep, but not
/// while one waits for a processor that another program has. So a limit on it is reached by what a program does, however
/// busy the machine is.
///
/// It is read from time to time: what happened in between is taken to be what the kernel says of the threads now.
package struct OwnClock {
    /// In nanoseconds.
    package private(set) var computed: UInt64 = 0
    package private(set) var slept: UInt64 = 0
    /// By thread, in nanoseconds.
    private var processorTimes: [Int32: UInt64] = [:]
    private var lastRead: UInt64
    private let period: UInt64
    private let longestSleep: UInt64
    private let processors: UInt64

    /// - Parameters:
    ///   - period: threads are not looked at more often, in nanoseconds.
    ///   - longestSleep: the maximum time that counts as sleep between two looks: what happened while the process that looks was itself
    ///     stopped is not known.
    ///   - processors: the number of processors that the threads may use.
    package init(
        period: UInt64 = 10_000_000, longestSleep: UInt64 = 100_000_000, processors: Int = Int(clab_processor_count()),
        now: UInt64 = RecordingClock.nanoseconds()
    ) {
        self.processors = UInt64(max(1, processors))
        self.period = period
        self.longestSleep = longestSleep
        lastRead = now
    }

    /// The time so far, in nanoseconds.
    package var time: UInt64 { computed + slept }

    /// Looks at these threads of this process.
    package mutating func read(_ threads: [Int32]) {
        read(at: RecordingClock.nanoseconds()) { Self.look("self", threads) }
    }

    /// Looks at all threads of another process.
    package mutating func read(process: Int32) {
        read(at: RecordingClock.nanoseconds()) { Self.look("\(process)", Self.numbers(in: "/proc/\(process)/task")) }
    }

    /// Looks at the threads of all processes of a group.
    package mutating func read(group: Int32) {
        read(at: RecordingClock.nanoseconds()) {
            Self.numbers(in: "/proc").filter { getpgid($0) == group }
                .flatMap { Self.look("\($0)", Self.numbers(in: "/proc/\($0)/task")) }
        }
    }

    /// One thread, as the kernel describes it.
    struct Look: Equatable {
        var thread: Int32
        var isAsleep: Bool
        /// In nanoseconds.
        var processorTime: UInt64
    }

    mutating func read(at now: UInt64, _ look: () -> [Look]) {
        let passed = now - min(lastRead, now)
        guard passed >= period else { return }
        lastRead = now
        let looks = look()
        // The kernel counts in ticks, so a thread may seem to have computed for longer than has passed.
        var longest: UInt64 = 0
        var total: UInt64 = 0
        for look in looks {
            let before = processorTimes.updateValue(look.processorTime, forKey: look.thread) ?? 0
            let more = look.processorTime - min(before, look.processorTime)
            longest = max(longest, more)
            total += more
        }
        // More threads than processors wait for each other, and that is the program's own time.
        computed += max(longest, total / processors)
        // Threads that are gone count as asleep.
        if looks.allSatisfy(\.isAsleep) { slept += min(passed - min(longest, passed), longestSleep) }
    }

    // MARK: - The kernel's files

    /// The directory's entries that are numbers.
    private static func numbers(in path: String) -> [Int32] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var numbers: [Int32] = []
        while let entry = readdir(directory) {
            let number = withUnsafeBytes(of: entry.pointee.d_name) { name in
                Int32(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
            }
            if let number { numbers.append(number) }
        }
        return numbers
    }

    private static func look(_ process: String, _ threads: [Int32]) -> [Look] {
        threads.compactMap { thread in
            look(thread, SystemText.read("/proc/\(process)/task/\(thread)/stat", limit: 1024))
        }
    }

    /// Nil: there is no such thread, or no more.
    ///
    /// - Parameter text: of the thread's file `stat`: its number, its name in parentheses, a letter for its state; the
    ///   ticks that it has computed are the twelfth and thirteenth numbers after that.
    static func look(_ thread: Int32, _ text: String) -> Look? {
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let words = text[text.utf8.index(after: end)...].split(separator: " ")
        guard words.count > 12, let user = UInt64(words[11]), let system = UInt64(words[12]) else { return nil }
        // One that a person has stopped sleeps too. A debugger's thread stands still.
        let isAsleep = "STZX".contains(words[0])
        return Look(thread: thread, isAsleep: isAsleep, processorTime: (user + system) * nanosecondsPerTick)
    }

    private static let nanosecondsPerTick = 1_000_000_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
}

/// Asks the kernel whether threads of this or another process are asleep.
package enum KernelSleep {
    private struct Look: Equatable {
        var isAsleep: Bool
        /// How often the thread has left a processor, voluntarily or not.
        var switches: Int
    }

    /// Whether all these threads were asleep at the same moment: none of them was running, and none had been woken and
    /// was about to run. A thread that is gone counts as asleep.
    ///
    /// Each is examined twice. One that slept both times and was on no processor in between slept all the time, so all
    /// of them slept at the moment between the two rounds.
    ///
    /// - Parameters:
    ///   - threads: the kernel's numbers.
    ///   - process: the process that they belong to; nil: this one.
    package static func areAllAsleep(_ threads: [Int32], of process: Int32? = nil) -> Bool {
        var first: [Look?] = []
        first.reserveCapacity(threads.count)
        for thread in threads {
            let look = look(thread, process)
            if look?.isAsleep == false { return false }
            first.append(look)
        }
        for (thread, before) in zip(threads, first) {
            guard let now = look(thread, process) else { continue }
            if now != before { return false }
        }
        return true
    }

    /// Nil if there is no such thread.
    private static func look(_ thread: Int32, _ process: Int32?) -> Look? {
        let text = SystemText.read("/proc/\(process.map(String.init) ?? "self")/task/\(thread)/status", limit: 4096)
        if text.isEmpty { return nil }
        var result = Look(isAsleep: false, switches: 0)
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            if parts[0].elementsEqual("State".utf8) {
                // Zombies and dead threads cannot wake a thread either.
                result.isAsleep = value.first.map { "SZX".utf8.contains($0) } ?? false
            } else if parts[0].elementsEqual("voluntary_ctxt_switches".utf8)
                || parts[0].elementsEqual("nonvoluntary_ctxt_switches".utf8)
            {
                result.switches += Int(Substring(value)) ?? 0
            }
        }
        return result
    }
}
