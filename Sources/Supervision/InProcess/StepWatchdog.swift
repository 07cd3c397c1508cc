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
