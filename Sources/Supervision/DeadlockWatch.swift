import Diagnosis
import Trace

/// Watches a run on real threads for threads that wait for each other, while it goes on.
///
/// A cycle is believed when it is seen twice with no event of its threads in between: what is read from the threads' lanes at
/// one look may be a little older on one lane than on another, but a thread that does nothing stays where it is.
struct DeadlockWatch {
    private var graph = WaitForGraph()
    private var seen = 0
    private var eventCounts: [Int] = []
    private var suspicion: [ThreadID: Int] = [:]
    /// For how many looks everybody has been blocked and asleep, and how many events were known all the while.
    private var quietLooks = 0
    private var quietSince = 0

    /// Looks at the events that have come since the last look.
    ///
    /// - Returns: whether threads are in a deadlock for certain.
    mutating func look() -> Bool {
        var next: [ThreadID: Int] = [:]
        for thread in graph.cycles().flatMap(\.threads) { next[thread] = count(of: thread) }
        defer { suspicion = next }
        return !next.isEmpty && next.contains { suspicion[$0.key] == $0.value } && isConfirmed(next)
    }

    /// Whether nobody can go on: every thread that has begun and not ended is blocked, for good.
    ///
    /// The events lag behind the threads a little. So it is believed at the look after the one at which all threads slept,
    /// if no event has come in between: what was known then was all that there was. Who awaits a change of memory looks only
    /// now and then (`NativeRuntime.longestNap`), so there have to be looks enough for it to have seen the last one.
    ///
    /// - Parameter areAsleep: asks the kernel whether all threads sleep at one and the same moment.
    mutating func isEverybodyBlocked(_ areAsleep: () -> Bool) -> Bool {
        guard graph.allBlocked, areAsleep() else {
            quietLooks = 0
            return false
        }
        if quietSince != seen { quietLooks = 0 }
        quietSince = seen
        quietLooks += 1
        return quietLooks >= (graph.awaitsMemory ? 4 : 2)
    }

    /// A cycle stands when all of its threads have stood still.
    private func isConfirmed(_ next: [ThreadID: Int]) -> Bool {
        graph.cycles().contains { cycle in
            cycle.threads.allSatisfy { thread in suspicion[thread] != nil && suspicion[thread] == next[thread] }
        }
    }

    mutating func consume(_ event: Event) {
        graph.consume(event)
        let thread = Int(event.thread.index)
        while eventCounts.count <= thread { eventCounts.append(0) }
        eventCounts[thread] += 1
        seen += 1
    }

    private func count(of thread: ThreadID) -> Int {
        Int(thread.index) < eventCounts.count ? eventCounts[Int(thread.index)] : 0
    }
}
