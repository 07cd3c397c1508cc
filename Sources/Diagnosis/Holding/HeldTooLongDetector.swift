import Text
import Trace

/// Locks that were held for at least half a second at a stretch, while another thread waited for them as long.
package struct HeldTooLongDetector: Detector {
    private struct Case {
        var holder: ThreadID
        var hold: Hold
        var released: SiteID
        var duration: UInt64
        var victim: Wait

        var lock: ObjectID { hold.object }
    }

    private var worst: [ObjectID: Case] = [:]

    private static let limit: UInt64 = 500_000_000

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        guard case .released(let hold) = run.heldChange else { return }
        let duration = event.time > hold.time ? event.time - hold.time : 0
        guard duration >= Self.limit, duration > worst[hold.object]?.duration ?? 0,
            let victim = run.graph.blocked.first(where: {
                $0.isForLock && $0.object == hold.object && event.time >= $0.time + Self.limit
            })
        else { return }
        worst[hold.object] = Case(
            holder: event.thread, hold: hold, released: event.site, duration: duration, victim: victim)
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        worst.values.sorted { $0.lock < $1.lock }.map { finding($0, names) }
    }

    private func finding(_ found: Case, _ names: Names) -> Finding {
        let (holder, lock) = (names.name(found.holder), names.name(found.lock))
        let duration = ReadableDuration.text(nanoseconds: Int64(clamping: found.duration))
        return Finding(
            .heldTooLong, summary: "\(holder) held \(lock) for \(duration), and others had to wait.",
            story: [
                "\(holder) takes \(lock)\(names.at(found.hold.site)) and releases it\(names.at(found.released)).",
                "\(names.name(found.victim.thread)) waits for it\(names.at(found.victim.site)) for most of that time.",
            ], threads: [found.holder, found.victim.thread], objects: [found.lock],
            sites: [found.hold.site, found.released, found.victim.site])
    }
}
