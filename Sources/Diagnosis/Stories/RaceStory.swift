import Text
import Trace

/// Explains a data race: both accesses, the distance between them, the locks that each thread held, and the lock that
/// was held at most accesses.
struct RaceStory {
    let names: Names
    let cell: ObjectID
    let earlier: CellAccess
    let later: CellAccess
    let threadUse: ThreadUse
    let lockUse: LockUse
    let lockSets: LockSets
    /// The read that would have ordered the accesses, had the memory orders been stronger.
    let sight: WeakSights.Sight?

    var finding: Finding {
        Finding(
            .race, summary: "Data race: \(summary).",
            story: [line(earlier), line(later)] + [order, distance, hint].compactMap(\.self),
            advice: release?.advice(sight: reportedSight) ?? orderAdvice ?? advice,
            threads: [earlier.thread, later.thread], objects: [cell], sites: [earlier.site, later.site], fault: fault,
            events: [earlier.number, later.number])
    }

    /// Nil: neither access frees the memory.
    private var release: ReleaseStory? { ReleaseStory(names: names, earlier: earlier, later: later) }

    private var summary: String {
        if let release { return release.summary }
        let threads = names.list([earlier.thread, later.thread])
        let uses = earlier.isWrite && later.isWrite ? "write" : "access"
        return "threads \(threads) \(uses) \(names.name(cell)) without synchronization"
    }

    private func line(_ access: CellAccess) -> String {
        let verb = access.isFree ? "frees" : access.isWrite ? "writes" : "reads"
        let memory = ReleaseStory.memory(access, names)
        let held = lockSets.locks(access.locks).map {
            names.name($0.object) + ($0.mode == .shared ? " for reading" : "")
        }
        let locks = held.isEmpty ? "no lock" : Names.list(held)
        let manner = access.isAtomic ? " as an atomic" : ""
        return
            "\(names.name(access.thread)) \(verb) \(memory)\(manner)\(names.at(access.site)), holding \(locks)."
    }

    /// Why a write of an atomic by the earlier thread, which the later thread then read, does not order the two
    /// accesses.
    private var order: String? {
        guard let sight = reportedSight else { return nil }
        let atomic = names.name(sight.object)
        let (writer, reader) = (names.name(earlier.thread), names.name(later.thread))
        let write = "\(writer) writes \(atomic)\(names.at(sight.write.site))"
        let read = "\(reader) sees that\(names.at(sight.read.site))"
        return switch (sight.write.order.releases, sight.read.order.acquires) {
        case (false, false): "\(write), and \(read); but both are \(sight.orders), so \(atomic) orders nothing."
        case (false, true): "\(write), and \(read); but the write is \(sight.write.order.word), so it orders nothing."
        case (true, _) where sight.read.order.releases:
            "\(write), and \(read); but it reads with \(sight.read.order.word) only, which acquires nothing."
        case (true, _): "\(write), and \(read); but the read is \(sight.read.order.word), so it orders nothing."
        }
    }

    /// The sight, unless its atomic belongs to the C++ library, which is not meant to order the program's accesses.
    var reportedSight: WeakSights.Sight? {
        sight.flatMap { names.name($0.object).hasPrefix("std::") ? nil : $0 }
    }

    private var orderAdvice: String? {
        guard let sight = reportedSight else { return nil }
        let (write, read) = (MemoryOrder.release.word, MemoryOrder.acquire.word)
        return switch (sight.write.order.releases, sight.read.order.acquires) {
        case (false, false): "Write \(names.name(sight.object)) with the order \(write), and read it with \(read)."
        case (false, true): "Write \(names.name(sight.object)) with the order \(write)."
        case (true, _): "Read \(names.name(sight.object)) with the order \(read)."
        }
    }

    private var distance: String {
        let events = Names.count(later.number - earlier.number, "event")
        let time = later.event.time > earlier.event.time ? Int64(clamping: later.event.time - earlier.event.time) : 0
        let apart = time > 0 ? " and \(ReadableDuration.text(nanoseconds: time))" : ""
        return "They were \(events)\(apart) apart here; in another run their order may be reversed."
    }

    /// How often the usual lock is held. Nil if there is none, or it is held at every access.
    private var hint: String? {
        guard let (lock, uses) = lockUse.usual(in: lockSets), uses < lockUse.uses else { return nil }
        return "\(names.name(lock)) is held at \(uses) of the \(lockUse.uses) accesses to \(names.name(cell))."
    }

    private var advice: String {
        let object = names.name(cell)
        if earlier.isAtomic || later.isAtomic {
            return
                "An atomic is ordered with other atomics alone: make the plain accesses of \(object) atomic too, or order them otherwise."
        }
        let isLocked = [earlier, later].map { !lockSets.locks($0.locks).isEmpty }
        if isLocked == [false, false] {
            guard threadUse.isOneWay else { return "Protect both accesses with the same mutex." }
            return
                "If \(object) is a number or a flag on its own, make it atomic; otherwise protect both accesses with "
                + "the same mutex."
        }
        if isLocked.contains(false) {
            return "A lock protects \(object) only if every thread that accesses \(object) takes it."
        }
        return readingAdvice ?? "The threads hold different locks: both must hold the same one."
    }

    /// Advice if both threads hold the same lock, and the one that writes holds it only for reading. Nil if they hold
    /// no common lock.
    private var readingAdvice: String? {
        let held = [earlier, later].map { lockSets.locks($0.locks).map(\.object) }
        guard let lock = held[0].first(where: held[1].contains) else { return nil }
        return
            "Several threads may hold \(names.name(lock)) for reading: a thread that writes \(names.name(cell)) must hold it "
            + "for writing."
    }
}
