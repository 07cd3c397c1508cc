import Text
import Trace

/// Finds locks that a thread held for at least half a second without a break, and for which another thread waited for
/// at least half a second when they were released.
package struct HeldTooLongDetector: Detector {
    private struct Case {
        var holder: ThreadID
        var hold: Hold
        /// Where the holder released the lock.
        var released: SiteID
        /// How long the lock was held, in nanoseconds.
        var duration: UInt64
        /// The part of `duration` in which the holder slept or waited.
        var waited: UInt64
        /// The wait of the thread that suffered, and how long it had waited when the lock was released, in nanoseconds.
        var victim: Wait
        var victimWaited: UInt64

        var lock: ObjectID { hold.object }
    }

    private struct Key: Hashable {
        let holder: ThreadID
        let lock: ObjectID
    }

    /// By lock: the longest hold that is a case.
    private var worst: [ObjectID: Case] = [:]
    /// By thread: the time of its last event, and whether it sleeps or waits since then.
    private var lastEvents = PerThread<(time: UInt64, waits: Bool)?>(nil)
    /// By thread: how long it has slept or waited in total, in nanoseconds.
    private var totalWaits = PerThread<UInt64>(0)
    /// How long the holder had slept or waited in total when it took the lock.
    private var waitedBefore: [Key: UInt64] = [:]

    /// The minimum duration of the hold, and of the victim's wait, in nanoseconds.
    private static let limit: UInt64 = 500_000_000

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        noteWait(before: event, run)
        if case .taken(let lock) = run.heldChange {
            waitedBefore[Key(holder: event.thread, lock: lock)] = totalWaits[event.thread]
        }
        guard case .released(let hold) = run.heldChange else { return }
        let before = waitedBefore.removeValue(forKey: Key(holder: event.thread, lock: hold.object)) ?? 0
        let duration = event.time > hold.time ? event.time - hold.time : 0
        guard duration >= Self.limit, duration > worst[hold.object]?.duration ?? 0,
            let victim = run.graph.blocked.first(where: {
                $0.isForLock && $0.object == hold.object && event.time >= $0.time.added(saturating: Self.limit)
            })
        else { return }
        worst[hold.object] = Case(
            holder: event.thread, hold: hold, released: event.site, duration: duration,
            waited: totalWaits[event.thread] - before, victim: victim,
            victimWaited: event.time > victim.time ? event.time - victim.time : 0)
    }

    /// Adds the time since the thread's last event to `totalWaits`, if the thread slept or waited in between.
    private mutating func noteWait(before event: Event, _ run: RunState) {
        if let last = lastEvents[event.thread], event.time > last.time, last.waits || event.kind.effect == .awake {
            totalWaits[event.thread] = totalWaits[event.thread].added(saturating: event.time - last.time)
        }
        let waits = run.graph.wait(of: event.thread) != nil || event.kind.effect == .sleep
        lastEvents[event.thread] = (event.time, waits)
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        // Virtual time passes for all threads when one sleeps: a holder that did not wait itself may have been able to
        // continue all that time.
        let isVirtual = names.trace.header.runtime == .controlled
        return worst.values.filter { !isVirtual || $0.waited >= Self.limit }.sorted { $0.lock < $1.lock }
            .map { finding($0, names) }
    }

    private func finding(_ found: Case, _ names: Names) -> Finding {
        let (holder, lock) = (names.name(found.holder), names.name(found.lock))
        let duration = ReadableDuration.text(nanoseconds: Int64(clamping: found.duration))
        let wait = ReadableDuration.text(nanoseconds: Int64(clamping: found.victimWaited))
        return Finding(
            .heldTooLong, summary: "\(holder) held \(lock) for \(duration), and others had to wait.",
            story: [
                "\(holder) takes \(lock)\(names.at(found.hold.site)) and releases it\(names.at(found.released)).",
                "\(names.name(found.victim.thread)) waits for it\(names.at(found.victim.site)) for \(wait) of that time.",
            ], threads: [found.holder, found.victim.thread], objects: [found.lock],
            sites: [found.hold.site, found.released, found.victim.site])
    }
}
