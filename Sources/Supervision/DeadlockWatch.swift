import Diagnosis
import Trace

/// Watches a run on real threads for threads that wait for each other, while it goes on.
///
/// A cycle is believed when it is seen twice with no event of its threads in between: what is read from the threads' lanes at
/// one look may be a little older on one lane than on another, but a thread that does nothing stays where it is.
struct DeadlockWatch {
    private var seen = 0
    private var eventCounts: [Int] = []
    private var suspicion: [ThreadID: Int] = [:]
    /// For how many looks everybody has been blocked and asleep, and how many events were known all the while.
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

    /// Whether threads wait for each other in a circle, and did so at the last look.
    mutating func sees(cycleIn graph: WaitForGraph) -> Bool {
        let cycles = graph.cycles()
        let before = suspicion
        suspicion = [:]
        for thread in cycles.flatMap(\.threads) { suspicion[thread] = count(of: thread) }
        return cycles.contains { cycle in
            cycle.threads.allSatisfy { before[$0] != nil && before[$0] == suspicion[$0] }
        }
    }

    /// Whether nobody can go on: every thread that has begun and not ended is blocked, for good.
    ///
    /// The events lag behind the threads a little. So it is believed at the look after the one at which all threads slept,
    /// if no event has come in between: what was known then was all that there was. Who awaits a change of memory looks only
    /// now and then (`NativeRuntime.longestNap`), so there have to be looks enough for it to have seen the last one.
    ///
    /// - Parameter areAsleep: asks the kernel whether all threads sleep at one and the same moment.
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
