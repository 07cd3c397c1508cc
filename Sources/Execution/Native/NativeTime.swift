import CLab
import CPthread
import Glibc
import Machine
import Trace

/// Times on the monotonic clock, in nanoseconds, for POSIX calls.
enum NativeTime {
    /// The interval at which threads that are blocked in `NativeRuntime.block` check whether the run has ended.
    ///
    /// All of them check at the same times, the multiples of this interval. Between these times, blocked threads really
    /// sleep, so that an outside observer can see that all of them do.
    static let slice = 20_000_000

    static func timespec(_ nanoseconds: Int) -> CPthread.timespec {
        let nanoseconds = max(0, nanoseconds)
        return CPthread.timespec(
            tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }

    static var now: Int { Int(RecordingClock.nanoseconds()) }

    /// The end of the current interval.
    static var sliceEnd: Int { (now / slice + 1) * slice }
}

extension NativeRuntime {
    /// Converts a deadline of the run's clock to the monotonic clock. A deadline that is too distant becomes
    /// `Operation.never`.
    func absolute(_ deadline: Int) -> Int {
        let (sum, overflow) = deadline.addingReportingOverflow(start)
        return overflow ? Operation.never : sum
    }

    /// Blocks in intervals of at most `NativeTime.slice`.
    ///
    /// - Parameters:
    ///   - deadline: a time on the run's clock.
    ///   - attempt: makes the POSIX call, which blocks until the given time on the monotonic clock at the latest, and
    ///     returns its error code.
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

    /// Sleeps until the deadline. Returns 0, the result of the operation.
    ///
    /// - Parameter duration: the time that the scenario asked to sleep, for traces. 0 if it gave a deadline.
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

/// A clock that advances while a thread of the observed program computes, and while all of them sleep, but not while a
/// thread waits for a processor that another program has. So a program reaches a time limit only by what it does,
/// however busy the machine is.
///
/// The clock is read at intervals. It assumes that during an interval, the threads did what the kernel says at its end.
package struct OwnClock {
    /// The time in which a thread computed, and the time in which all threads slept, in nanoseconds.
    package private(set) var computed: UInt64 = 0
    package private(set) var slept: UInt64 = 0
    /// By thread: its processor time, in nanoseconds.
    private var processorTimes: [Int32: UInt64] = [:]
    private var lastRead: UInt64
    private let period: UInt64
    private let longestSleep: UInt64
    private let processors: UInt64

    /// - Parameters:
    ///   - period: the minimum time between two readings, in nanoseconds.
    ///   - longestSleep: the maximum time between two readings that counts as sleep, in nanoseconds. If more time has
    ///     passed, the observing process was itself stopped, and does not know what happened.
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

    /// The clock's time, in nanoseconds.
    package var time: UInt64 { computed + slept }

    /// Reads the clock for these threads of this process.
    package mutating func read(_ threads: [Int32]) {
        read(at: RecordingClock.nanoseconds()) { Self.looks("self", threads) }
    }

    /// Reads the clock for all threads of another process.
    package mutating func read(process: Int32) {
        read(at: RecordingClock.nanoseconds()) { Self.looks("\(process)", Self.numbers(in: "/proc/\(process)/task")) }
    }

    /// Reads the clock for the threads of all processes of a group.
    package mutating func read(group: Int32) {
        read(at: RecordingClock.nanoseconds()) {
            Self.numbers(in: "/proc").filter { getpgid($0) == group }
                .flatMap { Self.looks("\($0)", Self.numbers(in: "/proc/\($0)/task")) }
        }
    }

    /// What the kernel says about a thread.
    struct Look: Equatable {
        var thread: Int32
        var isAsleep: Bool
        /// The processor time that the thread has used, in nanoseconds.
        var processorTime: UInt64
    }

    /// Reads the clock.
    ///
    /// - Parameters:
    ///   - now: the time of the monotonic clock, in nanoseconds.
    ///   - examine: asks the kernel about the threads. Called only if the last reading is at least `period` ago.
    mutating func read(at now: UInt64, _ examine: () -> [Look]) {
        let passed = now - min(lastRead, now)
        guard passed >= period else { return }
        lastRead = now
        let looks = examine()
        // The kernel counts in ticks, so a thread may seem to have computed for longer than the time that has passed.
        var longest: UInt64 = 0
        var total: UInt64 = 0
        for look in looks {
            let before = processorTimes.updateValue(look.processorTime, forKey: look.thread) ?? 0
            let more = look.processorTime - min(before, look.processorTime)
            longest = max(longest, more)
            total += more
        }
        // If more threads compute than there are processors, they wait for each other, which is the program's own
        // doing.
        computed += max(longest, total / processors)
        // Threads that have ended count as asleep.
        if looks.allSatisfy(\.isAsleep) { slept += min(passed - min(longest, passed), longestSleep) }
    }

    // MARK: - The kernel's files

    /// The names of the entries of a directory of `/proc` that are numbers: of processes, or of threads.
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

    /// What the kernel says about threads of a process, whose number may be `self`.
    private static func looks(_ process: String, _ threads: [Int32]) -> [Look] {
        threads.compactMap { thread in
            look(thread, SystemText.read("/proc/\(process)/task/\(thread)/stat", limit: 1024))
        }
    }

    /// Reads what the kernel says about a thread. Returns nil if the text is empty, because the thread does not exist.
    ///
    /// - Parameter text: the thread's file `stat`: its number, its name in parentheses, a letter for its state, and so
    ///   on. The twelfth and thirteenth words after the name are the ticks that it has computed.
    static func look(_ thread: Int32, _ text: String) -> Look? {
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let words = text[text.utf8.index(after: end)...].split(separator: " ")
        guard words.count > 12, let user = UInt64(words[11]), let system = UInt64(words[12]) else { return nil }
        // S: asleep; T: stopped by a signal; Z, X: ended. A thread that a debugger has stopped (t) does not count.
        let isAsleep = "STZX".contains(words[0])
        return Look(thread: thread, isAsleep: isAsleep, processorTime: (user + system) * nanosecondsPerTick)
    }

    private static let nanosecondsPerTick = 1_000_000_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
}

/// Asks the kernel whether threads of this or another process are asleep.
package enum KernelSleep {
    private struct Look: Equatable {
        var isAsleep: Bool
        /// How often the thread has left a processor, by itself or not.
        var switches: Int
    }

    /// Whether all these threads were asleep at one moment: none was running, and none had been woken and was about to
    /// run. A thread that has ended counts as asleep.
    ///
    /// Each thread is examined twice. One that slept both times, and was on no processor in between, slept all the
    /// time. So all of them slept at the moment between the two rounds.
    ///
    /// - Parameters:
    ///   - threads: the kernel's numbers of the threads.
    ///   - process: the process to which they belong. Nil for this one.
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

    /// Reads what the kernel says about a thread. Returns nil if the thread does not exist.
    private static func look(_ thread: Int32, _ process: Int32?) -> Look? {
        let text = SystemText.read("/proc/\(process.map(String.init) ?? "self")/task/\(thread)/status", limit: 4096)
        if text.isEmpty { return nil }
        var result = Look(isAsleep: false, switches: 0)
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            if parts[0].elementsEqual("State".utf8) {
                // A thread that has ended cannot wake another one either.
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
