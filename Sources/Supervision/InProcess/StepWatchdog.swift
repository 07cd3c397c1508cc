import CLab
import Execution
import Glibc
import Machine
import Trace

/// Ends this process if a program that runs under the scheduler on the calling thread takes no step for too long: a thread
/// that computes cannot be interrupted in a process that has to continue, and the process would hang.
///
/// Time in which the thread waits for a processor does not count, nor more than a moment of one in which the whole process
/// is stopped, and while a debugger is attached nothing is ended.
package final class StepWatchdog {
    package struct Settings: Sendable {
        /// The longest time without a step in which the program's thread computes or sleeps, in nanoseconds. 0: any.
        package var limit: UInt64 = 60_000_000_000
        /// What the process says before its end.
        package var message: @Sendable (Place) -> String
        /// The time between two looks, in nanoseconds, and another clock, for tests.
        package var interval: UInt64 = 1_000_000_000
        package var now: (@Sendable () -> UInt64)?

        package init(message: @escaping @Sendable (Place) -> String) { self.message = message }
    }

    /// Where the program is that takes no step.
    package struct Place: Equatable, Sendable {
        /// The thread that runs, by its number: 0 is the main thread.
        package var thread: Int
        /// The line of its last operation. Nil: it has performed none.
        package var line: (file: String, number: Int)?

        package static func == (a: Place, b: Place) -> Bool {
            a.thread == b.thread && a.line?.file == b.line?.file && a.line?.number == b.line?.number
        }
    }

    private let memory: UnsafeMutableRawBufferPointer
    private let watch: Watch?

    /// Receives the choices of the executions that are watched.
    package var log: ChoiceMemory { ChoiceMemory(memory) }

    /// Watches executions of the calling thread, until `stop`.
    package init(_ settings: Settings, _ rules: Rules) {
        let size = ChoiceMemory.size(for: rules.maximumSteps)
        // Zeroed, and used as far as schedules are long.
        guard let memory = calloc(1, size) else { preconditionFailure("no memory for a schedule") }
        self.memory = UnsafeMutableRawBufferPointer(start: memory, count: size)
        // Other threads may read it at any time.
        nonisolated(unsafe) let log = ChoiceMemory(self.memory)
        guard settings.limit > 0 else {
            watch = nil
            return
        }
        let watched = WatchedThread()
        let patience = Patience<ChoiceMemory.Pulse>(settings)
        watch = Watch(every: Int(clamping: settings.interval)) {
            if patience.isOver(log.pulse, [watched.kernelNumber]) {
                watched.end(settings.message(watched.place(in: log.schedule)))
            }
            return true
        }
    }

    /// The calling thread runs nothing more that has to be watched.
    package func stop() { watch?.stop() }

    deinit {
        stop()
        free(memory.baseAddress)
    }
}

/// The thread that made this value, as another one sees it.
struct WatchedThread: @unchecked Sendable {
    private let thread = pthread_self()
    private let context = clab_current_address()
    let kernelNumber = clab_thread_id()

    /// Where its execution is. Must be called only when the thread has stood still for long: what it reads is changed by
    /// every step.
    func place(in schedule: Schedule) -> StepWatchdog.Place {
        let steps = schedule.choices.filter { !$0.isAlternative }
        var place = StepWatchdog.Place(thread: steps.last?.index ?? 0, line: nil)
        // The first step of a thread that was created is its start, which has no line.
        let count = steps.count { $0.index == place.thread }
        guard count > (place.thread == 0 ? 0 : 1), let found = clab_peek(context) else { return place }
        let site = ControlledRuntime.site(ofThread: place.thread, in: found)
        if let name = site.flatMap({ UnsafePointer<CChar>(bitPattern: $0.fileAddress) }), let site {
            place.line = (String(cString: name), site.line)
        }
        return place
    }

    /// Ends the process, with the text on standard error. The signal is the thread's, so that a backtrace is of it; and it
    /// is one that Dispatch's threads, on which tests run, do not block.
    func end(_ text: String) -> Never {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { break }
            rest = rest.dropFirst(max(0, count))
        }
        pthread_kill(thread, SIGTRAP)
        // A handler writes the backtrace, which takes its time.
        sleep(60)
        abort()
    }
}

/// How long a watchdog looks at a program that takes no step. Used by the watchdog's thread alone.
final class Patience<Pulse: Equatable>: @unchecked Sendable {
    private let settings: StepWatchdog.Settings
    private var standstill = Standstill<Pulse>()
    /// It is read once a second.
    private var clock = OwnClock(longestSleep: 2_000_000_000)

    init(_ settings: StepWatchdog.Settings) { self.settings = settings }

    /// Looks at the program's progress. Returns whether the time is over; it never is for a person with a debugger.
    ///
    /// - Parameter threads: the kernel's numbers of those that could take a step.
    func isOver(_ pulse: Pulse, _ threads: [Int32]) -> Bool {
        guard settings.limit > 0 else { return false }
        clock.read(threads)
        standstill.look(pulse, at: settings.now?() ?? clock.time)
        return standstill.time >= settings.limit && !Debugger.isAttached
    }
}

/// How long a program has been at the same step, as far as was observed.
package struct Standstill<Pulse: Equatable> {
    private var lastPulse: Pulse?
    private var lastLook: UInt64 = 0
    /// In nanoseconds.
    package private(set) var time: UInt64 = 0

    package init() {}

    /// - Parameters:
    ///   - pulse: the program's progress now.
    ///   - now: on a clock that never goes back, and stands still when the program does through no fault of its own:
    ///     see `OwnClock`.
    package mutating func look(_ pulse: Pulse, at now: UInt64) {
        time = pulse == lastPulse ? time + (now - lastLook) : 0
        lastPulse = pulse
        lastLook = now
    }
}

/// Whether a debugger, or another tracer, is attached to this process.
enum Debugger {
    static var isAttached: Bool {
        guard let file = fopen("/proc/self/status", "re") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if let tracer = tracer(ofLine: text) { return tracer != 0 }
        }
        return false
    }

    /// Nil: another line.
    static func tracer(ofLine line: String) -> Int? {
        let parts = line.split(whereSeparator: \.isWhitespace)
        return parts.first == "TracerPid:" && parts.count == 2 ? Int(parts[1]) : nil
    }
}
