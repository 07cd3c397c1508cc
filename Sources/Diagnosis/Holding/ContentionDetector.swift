import Text
import Trace

/// Measures lock contention: how often each lock was taken, how often and how long threads waited for it, and how long
/// it was held. Reports a note for each lock of the program for which a thread had to wait, for at most ten of them.
package struct ContentionDetector: Detector {
    private struct Lock {
        var acquisitions = 0
        var waits = Durations()
        /// The number of waits that ended because their time was over.
        var timeouts = 0
        var holds = Durations()
        var lastWait: Event?
    }

    private var locks = PerObject(Lock())
    /// Each thread's current wait for a lock.
    private var waiting = PerThread<Event?>(nil)

    /// The maximum number of locks that are reported, those with the most waits first.
    private static let mostLocks = 10

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        let effect = event.kind.effect
        if effect.waitsForLock {
            waiting[event.thread] = event
            locks[event.object].lastWait = event
        }
        if effect.takesLock {
            locks[event.object].acquisitions += 1
            endWait(event)
        }
        if effect == .refuse(.lock, .timeout) {
            locks[event.object].timeouts += 1
            endWait(event)
        }
        if effect.isUnpark { waiting[event.thread] = nil }
        if case .released(let hold) = run.heldChange {
            locks[hold.object].holds.add(event.time > hold.time ? event.time - hold.time : 0)
        }
    }

    private mutating func endWait(_ event: Event) {
        guard let wait = waiting[event.thread], wait.object == event.object else { return }
        locks[event.object].waits.add(event.time > wait.time ? event.time - wait.time : 0)
        waiting[event.thread] = nil
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        locks.all.filter { $0.value.waits.count > 0 && names.trace.object($0.key)?.kind != .part }
            .sorted { ($1.value.waits.count, $0.key) < ($0.value.waits.count, $1.key) }
            .prefix(Self.mostLocks).map { finding($0.key, $0.value, names) }
    }

    private func finding(_ object: ObjectID, _ lock: Lock, _ names: Names) -> Finding {
        let name = names.name(object)
        let acquisitions = Names.count(lock.acquisitions, "acquisition")
        let waits = max(0, lock.waits.count - lock.timeouts)
        let late = lock.timeouts == 0 ? "" : "; \(Names.count(lock.timeouts, "wait")) timed out"
        return Finding(
            .contention, summary: "\(name): \(acquisitions), \(waits) of them after a wait\(late).",
            story: [line("Waited for", lock.waits), line("Held", lock.holds)].compactMap(\.self),
            threads: [lock.lastWait?.thread].compactMap(\.self), objects: [object],
            sites: [lock.lastWait?.site].compactMap(\.self))
    }

    /// A line such as `Held: median 1 ms, …`. Nil if no time passed.
    private func line(_ what: String, _ durations: Durations) -> String? {
        guard durations.greatest > 0 else { return nil }
        func text(_ nanoseconds: UInt64) -> String {
            ReadableDuration.text(nanoseconds: Int64(clamping: nanoseconds))
        }
        return "\(what): median \(text(durations.quantile(0.5))), 99th percentile "
            + "\(text(durations.quantile(0.99))), maximum \(text(durations.greatest))."
    }
}
