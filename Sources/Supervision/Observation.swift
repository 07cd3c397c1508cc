import Diagnosis
import Trace

/// What looks at a run's events as they come. A reference, so that it can be handed events while the trace is being added to.
final class Observation {
    private(set) var examination: Examination
    var watch = DeadlockWatch()
    private let watches: Bool

    /// - Parameter watches: whether the run has to be watched for deadlocks.
    init(_ examination: Examination, watches: Bool) {
        self.examination = examination
        self.watches = watches
    }

    func consume(_ event: Event) {
        examination.consume(event)
        if watches { watch.consume(event) }
    }
}
