import Diagnosis
import Trace

/// The result of a run.
package struct SupervisedRun: Sendable {
    /// The trace, with its outcome.
    package var trace: TraceDocument
    /// The findings of the detectors, most severe first, in all events, including those that the trace does not keep.
    package let findings: [Finding]

    package init(trace: TraceDocument, findings: [Finding]) {
        self.trace = trace
        self.findings = findings
    }
}
