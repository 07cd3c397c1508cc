import Diagnosis
import Trace

/// What looks at a run on real threads while it runs. It reads what the run has recorded, as the supervisor does, so
/// the run does not notice.
package struct RunWatch {
    /// The time between two looks, in nanoseconds.
    package var period: UInt64
    /// Receives all events, in batches.
    package var consume: ((ArraySlice<Event>) -> Void)?
    /// Receives what the scenario prints. Nil: that goes to standard error.
    package var output: (([UInt8]) -> Void)?
    /// Called once in each period.
    package var show: (RunProgress) -> Void
    /// Called when the process has ended, after the last event.
    package var finish: ((RunProgress) -> Void)?

    package init(every period: UInt64, show: @escaping (RunProgress) -> Void) {
        self.period = period
        self.show = show
    }
}

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

/// Watches a run on real threads for deadlocks while it is running.
///
/// A cycle is confirmed when it is seen twice with no event of its threads in between: one check may read some lanes a
/// little earlier than others, but a thread that does nothing stays where it is.
struct DeadlockWatch {
    private var seen = 0
    private var eventCounts: [Int] = []
    private var suspicion: [ThreadID: Int] = [:]
    /// The number of consecutive checks at which every thread was blocked and asleep, and the number of events known
    /// during that time.
    private var quietLooks = 0
    private var quietSince = 0

    mutating func consume(_ events: ArraySlice<Event>) {
        seen += events.count
        for event in events {
            let thread = Int(event.thread.index)
            while eventCounts.count <= thread { eventCounts.append(0) }
            eventCounts[thread] += 1
        }
    }

    /// Whether threads wait for each other in a cycle, and did so at the last check.
    mutating func sees(cycleIn graph: WaitForGraph) -> Bool {
        let cycles = graph.cycles()
        let before = suspicion
        suspicion = [:]
        for thread in cycles.flatMap(\.threads) { suspicion[thread] = count(of: thread) }
        return cycles.contains { cycle in
            cycle.threads.allSatisfy { before[$0] != nil && before[$0] == suspicion[$0] }
        }
    }

    /// Whether no thread can continue: every thread that has started and not ended is blocked permanently.
    ///
    /// The events lag a little behind the threads. A standstill is therefore confirmed at the check after the one at
    /// which all threads slept, if no event has come in between: then all events were known. A thread that awaits a
    /// change of memory polls only now and then (`NativeRuntime.longestNap`), so enough checks are needed for it to
    /// have seen the last change.
    ///
    /// - Parameter areAsleep: asks the kernel whether all threads are asleep at the same moment.
    mutating func sees(allBlockedIn graph: WaitForGraph, _ areAsleep: () -> Bool) -> Bool {
        guard graph.allBlocked, areAsleep() else {
            quietLooks = 0
            return false
        }
        if quietSince != seen { quietLooks = 0 }
        quietSince = seen
        quietLooks += 1
        return quietLooks >= (graph.awaitsMemory ? 4 : 2)
    }

    private func count(of thread: ThreadID) -> Int {
        Int(thread.index) < eventCounts.count ? eventCounts[Int(thread.index)] : 0
    }
}
