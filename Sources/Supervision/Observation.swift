import Diagnosis
import Trace

/// What looks at a run's events as they come. A reference, so that it can be handed events while the trace is being added to.
final class Observation {
    private(set) var examination: Examination
    private var watch = DeadlockWatch()

    init(_ examination: Examination) { self.examination = examination }

    func consume(_ events: ArraySlice<Event>) {
        examination.consume(events)
        watch.consume(events)
    }

    /// Looks whether threads of a run that goes on are in a deadlock, for certain: see `DeadlockWatch`.
    ///
    /// - Parameter areAsleep: asks the kernel whether all threads sleep at one and the same moment.
    func seesDeadlock(_ areAsleep: () -> Bool) -> Bool {
        let graph = examination.graph
        return watch.sees(cycleIn: graph) || watch.sees(allBlockedIn: graph, areAsleep)
    }
}
