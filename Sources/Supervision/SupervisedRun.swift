import Diagnosis
import Trace

/// What became of a run.
package struct SupervisedRun: Sendable {
    /// With its outcome.
    package let trace: TraceDocument
    /// What the detectors found, the gravest first: in all events, also those that the trace does not keep.
    package let findings: [Finding]

    package init(trace: TraceDocument, findings: [Finding]) {
        self.trace = trace
        self.findings = findings
    }
}
