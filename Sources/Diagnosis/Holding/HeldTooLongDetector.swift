import Text
import Trace

/// Locks that were held for at least half a second at a stretch, while another thread waited for them as long.
package struct HeldTooLongDetector: Detector {
    private struct Case {
        var holder: ThreadID
        var lock: ObjectID
        var taken: SiteID
        var released: SiteID
        var duration: UInt64
        var victim: Event
    }

    private var held = PerThread<[(lock: ObjectID, taken: Event)]>([])
    private var waits = PerThread<Event?>(nil)
    private var worst: [ObjectID: Case] = [:]

    private static let limit: UInt64 = 500_000_000

    package init() {}

    package mutating func consume(_ event: Event) {
        waits[event.thread] = nil
        switch event.kind.effect {
        case .wait(.lock): waits[event.thread] = event
        case .take: held[event.thread].append((event.object, event))
        case .unpark: if let mutex = event.valueAsObject { held[event.thread].append((mutex, event)) }
        case .release: giveBack(event.object, event)
        case .park: if let mutex = event.valueAsObject { giveBack(mutex, event) }
        default: break
        }
    }

    private mutating func giveBack(_ lock: ObjectID, _ event: Event) {
        guard let index = held[event.thread].lastIndex(where: { $0.lock == lock }) else { return }
        let taken = held[event.thread].remove(at: index).taken
        let duration = event.time > taken.time ? event.time - taken.time : 0
        guard duration >= Self.limit, duration > worst[lock]?.duration ?? 0,
            let victim = waits.all.compactMap(\.value).first(where: {
                $0.object == lock && event.time >= $0.time + Self.limit
            })
        else { return }
        worst[lock] = Case(
            holder: event.thread, lock: lock, taken: taken.site, released: event.site, duration: duration,
            victim: victim)
    }

    package func findings(in names: Names) -> [Finding] {
        worst.values.sorted { $0.lock < $1.lock }.map { finding($0, names) }
    }

    private func finding(_ found: Case, _ names: Names) -> Finding {
        let (holder, lock) = (names.name(found.holder), names.name(found.lock))
        let duration = ReadableDuration.text(nanoseconds: Int64(clamping: found.duration))
        return Finding(
            .heldTooLong, summary: "\(holder) held \(lock) for \(duration), and others had to wait.",
            story: [
                "\(holder) takes \(lock)\(names.at(found.taken)) and releases it\(names.at(found.released)).",
                "\(names.name(found.victim.thread)) waits for it\(names.at(found.victim.site)) for most of that time.",
            ], threads: [found.holder, found.victim.thread], objects: [found.lock],
            sites: [found.taken, found.released, found.victim.site])
    }
}
