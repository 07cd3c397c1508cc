import Glibc
import Trace

/// A clock that threads drive themselves: it advances while one of them computes, and while all of them sleep, but not
/// while one waits for a processor. So a limit on it is reached by what a program does, however busy the machine is.
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

    /// - Parameters:
    ///   - period: threads are not looked at more often, in nanoseconds.
    ///   - longestSleep: the maximum time that counts as sleep between two looks: what happened while the process that looks was itself
    ///     stopped is not known.
    package init(
        period: UInt64 = 10_000_000, longestSleep: UInt64 = 100_000_000, now: UInt64 = RecordingClock.nanoseconds()
    ) {
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
        for look in looks {
            let before = processorTimes.updateValue(look.processorTime, forKey: look.thread) ?? 0
            longest = max(longest, look.processorTime - min(before, look.processorTime))
        }
        computed += longest
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
