import CLab
import Execution
import Glibc
import Machine

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
