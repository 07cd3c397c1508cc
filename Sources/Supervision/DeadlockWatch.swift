import Diagnosis
import Trace

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
