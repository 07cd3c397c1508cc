import Diagnosis
import Trace

/// What the runs on one runtime have shown.
struct GatheredEvidence {
    var evidence: Evidence
    /// The trace of a run for each outcome that is not allowed, if the plan keeps traces.
    var traces: [OutcomeKind: TraceDocument] = [:]
}
