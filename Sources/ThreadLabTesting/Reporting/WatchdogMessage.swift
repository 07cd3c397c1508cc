import Supervision

extension StepWatchdog.Settings {
    /// The settings of the watchdog for a call of this library, with the message that it prints before it ends the
    /// process.
    ///
    /// - Parameters:
    ///   - call: the function that was called: `explore`, `run`, …
    ///   - limit: the limit of time without a step, in nanoseconds. Nil: the default; 0: no limit.
    static func explaining(_ call: String, at place: CallPlace, limit: UInt64?) -> Self {
        let test = "\(place.fileID):\(place.line)"
        var settings = Self { _ in "" }
        if let limit { settings.limit = limit }
        let time = settings.limit.readable
        // A run on real threads cannot be isolated.
        let isolation =
            call == "run"
            ? "" : "\n  - explore it with '.isolated', in processes of its own: an endless loop is then a finding"
        settings.message = { last in
            let thread = last.thread == 0 ? "The main thread" : "Thread \(last.thread), in the order of creation,"
            let since = last.line.map { "its operation at \($0.file):\($0.number)" } ?? "its beginning"
            return """
                threadlab: '\(call)' at \(test) has taken no step for \(time), so this process ends: nothing can \
                interrupt code that neither returns nor calls the lab.
                \(thread) has computed, or waited for something that is not of the lab, since \(since).
                What helps:\(isolation)
                  - put an operation of the lab into the loop, for example 'try Thread.yield()'
                  - if it only takes its time, set THREADLAB_STEP_TIME=10m; with 0s there is no limit

                """
        }
        return settings
    }
}
