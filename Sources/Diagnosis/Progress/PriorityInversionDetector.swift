import Trace

/// Finds priority inversions: a thread of high priority waits for a lock of a thread of low priority, which cannot run
/// because a third thread, of medium priority, runs all the time.
///
/// Only threads with an explicit priority count. The third thread must record at least ten events while the holder
/// records none, which distinguishes this from threads that take turns.
package struct PriorityInversionDetector: Detector {
    private struct Case {
        var wait: Wait
        var hold: Hold
        var holder: ThreadID
        var third: ThreadID
        /// The number of events of the third thread while the holder recorded none.
        var deeds: Int
    }

    private var priorities = PerThread<Int64?>(nil)
    /// For each holder of an awaited lock: the number of events of each thread of medium priority since the holder's
    /// last event.
    private var deeds: [ThreadID: [ThreadID: Int]] = [:]
    /// By awaited object: the case with the most events of the third thread.
    private var worst: [ObjectID: Case] = [:]
    /// Whether any thread has a priority.
    private var isInUse = false

    /// The minimum number of events of the third thread.
    private static let fewestDeeds = 10

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        if event.kind.effect == .setPriority {
            priorities[event.thread] = event.value
            isInUse = true
        }
        // Before the first event of this kind, no thread has a priority, so there is nothing to count.
        guard isInUse else { return }
        if let priority = priorities[event.thread] { examine(event.thread, priority, run.graph) }
    }

    /// Examines an event of a thread with this priority. If the thread is a holder, the counts about it start again
    /// from zero; if it is a third thread, its event is counted.
    private mutating func examine(_ thread: ThreadID, _ priority: Int64, _ graph: WaitForGraph) {
        deeds[thread] = [:]
        var counted: Set<ThreadID> = []
        for wait in graph.blocked {
            guard let waiting = priorities[wait.thread], waiting > priority, let object = wait.object else { continue }
            for holder in graph.blockers(of: wait.thread) where holder != thread {
                guard let low = priorities[holder], low < priority, let hold = graph.hold(awaitedBy: wait, of: holder)
                else { continue }
                // Several threads may wait for the holder.
                if counted.insert(holder).inserted { deeds[holder, default: [:]][thread, default: 0] += 1 }
                let count = deeds[holder]?[thread] ?? 0
                guard count >= Self.fewestDeeds, count > worst[object]?.deeds ?? 0 else { continue }
                worst[object] = Case(wait: wait, hold: hold, holder: holder, third: thread, deeds: count)
            }
        }
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        // The holder of an inheriting mutex gets the priority of the waiting thread from the system, which no event
        // shows.
        worst.filter { names.trace.object($0.key)?.kind != .inheritingMutex }.sorted { $0.key < $1.key }
            .map { finding($0.value, names) }
    }

    private func finding(_ found: Case, _ names: Names) -> Finding {
        let (high, low, third) = (names.name(found.wait.thread), names.name(found.holder), names.name(found.third))
        return Finding(
            .priorityInversion, summary: "\(high) waits for \(low), which cannot run because \(third) is running.",
            story: [
                "\(low), priority \(priority(found.holder)), holds \(names.words(found.hold)).",
                "\(high), priority \(priority(found.wait.thread)), \(names.words(found.wait)).",
                "\(third), priority \(priority(found.third)), recorded \(found.deeds) events "
                    + "while \(low) recorded none.",
            ], threads: [found.wait.thread, found.holder, found.third], objects: [found.hold.object],
            sites: [found.hold.site, found.wait.site])
    }

    private func priority(_ thread: ThreadID) -> Int64 { priorities[thread] ?? 0 }
}
