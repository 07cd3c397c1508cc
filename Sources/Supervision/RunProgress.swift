import Diagnosis
import Trace

/// The progress of a run on real threads, as far as its events have been read: the last few milliseconds are missing.
package struct RunProgress {
    /// Since the process was started, in nanoseconds.
    private let elapsed: UInt64
    /// The time of the run's events.
    package let time: UInt64
    /// Do not keep it: while it is shared, the next event copies it.
    package let trace: TraceDocument
    private let examination: Examination

    init(elapsed: UInt64, time: UInt64, trace: TraceDocument, examination: Examination) {
        self.elapsed = elapsed
        self.time = time
        self.trace = trace
        self.examination = examination
    }

    /// For example: `3 s, 41 events; first waits for b (2.9 s)`.
    package var text: String {
        let events = Names.count(trace.events.count + trace.dropped, "event")
        let activity = examination.activity(in: Names(trace), at: time).joined(separator: ", ")
        return "\(elapsed / 1_000_000_000) s, \(events)" + (activity.isEmpty ? "" : "; \(activity)")
    }
}
