import CLab
import Execution
import Glibc
import Machine
import Trace

/// Ends this process if a program that runs under the scheduler on the calling thread takes no step for too long. A
/// thread that computes cannot be interrupted in a process that has to continue, so the process would hang.
///
/// Time in which the thread waits for a processor does not count, and of a time in which the whole process is stopped
/// only a moment does. While a debugger is attached, nothing is ended.
package final class StepWatchdog {
    package struct Settings: Sendable {
        /// The maximum time without a step in which the program's thread computes or sleeps, in nanoseconds. 0: no
        /// limit.
        package var limit: UInt64 = 60_000_000_000
        /// What the process says before its end.
        package var message: @Sendable (Place) -> String
        /// For tests: the time between two looks, in nanoseconds, and another clock.
        package var interval: UInt64 = 1_000_000_000
        package var now: (@Sendable () -> UInt64)?

        package init(message: @escaping @Sendable (Place) -> String) { self.message = message }
    }

    /// Where a program is that takes no step.
    package struct Place: Equatable, Sendable {
        /// The number of the running thread. 0 is the main thread.
        package var thread: Int
        /// The line of the thread's last operation. Nil: it has performed none.
        package var line: (file: String, number: Int)?

        package static func == (a: Place, b: Place) -> Bool {
            a.thread == b.thread && a.line?.file == b.line?.file && a.line?.number == b.line?.number
        }
    }

    private let memory: UnsafeMutableRawBufferPointer
    private let watch: Watch?

    package var log: ChoiceMemory { ChoiceMemory(memory) }

    /// Watches executions of the calling thread, until `stop`.
    package init(_ settings: Settings, _ rules: Rules) {
        let size = ChoiceMemory.size(for: rules.maximumSteps)
        // Zeroed pages take no memory until a schedule is long enough to use them.
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

    /// Ends the watch: the calling thread runs no more executions.
    package func stop() { watch?.stop() }

    deinit {
        stop()
        free(memory.baseAddress)
    }
}

/// The thread that made this value, as seen by other threads.
struct WatchedThread: @unchecked Sendable {
    private let thread = pthread_self()
    /// Where the thread stores the address of the execution that it runs.
    private let context = clab_current_address()
    let kernelNumber = clab_thread_id()

    /// Where the thread's execution is. Must be called only if the thread has taken no step for a long time, because
    /// every step changes what this reads.
    func place(in schedule: Schedule) -> StepWatchdog.Place {
        let steps = schedule.choices.filter { !$0.isAlternative }
        var place = StepWatchdog.Place(thread: steps.last?.index ?? 0, line: nil)
        // The first step of a created thread is its start, which has no line.
        let count = steps.count { $0.index == place.thread }
        guard count > (place.thread == 0 ? 0 : 1), let found = clab_peek(context) else { return place }
        let site = ControlledRuntime.site(ofThread: place.thread, in: found)
        if let name = site.flatMap({ UnsafePointer<CChar>(bitPattern: $0.fileAddress) }), let site {
            place.line = (String(cString: name), site.line)
        }
        return place
    }

    /// Ends the process, with the text on standard error. The signal is sent to the thread, so that the backtrace shows
    /// it. Threads of Dispatch, on which tests run, do not block this signal.
    func end(_ text: String) -> Never {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { break }
            rest = rest.dropFirst(max(0, count))
        }
        pthread_kill(thread, SIGTRAP)
        // Gives the signal handler time to write the backtrace.
        sleep(60)
        abort()
    }
}

/// How long a watchdog waits for a program that takes no step. Used only by the watchdog's thread.
final class Patience<Pulse: Equatable>: @unchecked Sendable {
    private let settings: StepWatchdog.Settings
    private var standstill = Standstill<Pulse>()
    /// The watchdog reads the clock once a second. A much longer time between two readings is not counted as sleep,
    /// because the whole process may have been stopped.
    private var clock = OwnClock(longestSleep: 2_000_000_000)

    init(_ settings: StepWatchdog.Settings) { self.settings = settings }

    /// Looks at the program's progress. Returns whether its time is over, which it never is while a debugger is
    /// attached.
    ///
    /// - Parameter threads: the kernel's numbers of the threads that could take a step.
    func isOver(_ pulse: Pulse, _ threads: [Int32]) -> Bool {
        guard settings.limit > 0 else { return false }
        clock.read(threads)
        standstill.look(pulse, at: settings.now?() ?? clock.time)
        return standstill.time >= settings.limit && !Debugger.isAttached
    }
}

/// How long a program has been at the same step, as far as observed.
package struct Standstill<Pulse: Equatable> {
    private var lastPulse: Pulse?
    private var lastLook: UInt64 = 0
    /// In nanoseconds.
    package private(set) var time: UInt64 = 0

    package init() {}

    /// - Parameters:
    ///   - pulse: the program's progress now.
    ///   - now: the time on a clock that never goes back, and that does not count time in which the program could not
    ///     run: see `OwnClock`.
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

    /// The process that traces, 0 for none. Nil: the line says something else.
    static func tracer(ofLine line: String) -> Int? {
        let parts = line.split(whereSeparator: \.isWhitespace)
        return parts.first == "TracerPid:" && parts.count == 2 ? Int(parts[1]) : nil
    }
}
