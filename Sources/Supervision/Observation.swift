import Diagnosis
import Trace

/// Examines a run's events as they arrive. A class, so that it can receive events while the trace is being extended.
final class Observation {
    private(set) var examination: Examination
    private var watch = DeadlockWatch()

    init(_ examination: Examination) { self.examination = examination }

    func consume(_ events: ArraySlice<Event>) {
        examination.consume(events)
        watch.consume(events)
    }

    /// Checks whether threads of a run in progress are certainly deadlocked: see `DeadlockWatch`.
    ///
    /// - Parameter areAsleep: asks the kernel whether all threads are asleep at the same moment.
    func seesDeadlock(_ areAsleep: () -> Bool) -> Bool {
        let graph = examination.graph
        return watch.sees(cycleIn: graph) || watch.sees(allBlockedIn: graph, areAsleep)
    }
}
