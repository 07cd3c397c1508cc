import Trace

/// Locks that a thread keeps while it waits for something else: for a thread's end, a permit, a signal, or the time to pass.
///
/// It is a warning if another thread had to wait for the lock meanwhile, and the wait was for a thread's end or for a signal of
/// another mutex's condition, or the run got stuck in it. Otherwise it is a note: a sleep ends by itself, and to wait for a
/// permit with a lock held is how some sound programs are made (a light switch).
package struct HeldWhileBlockedDetector: Detector {
    private struct Block {
        var event: Event
        var holds: [Hold]
        /// The first who had to wait for one of the locks.
        var victim: Event?
        var isOver = true

        var isHarm: Bool {
            guard victim != nil else { return false }
            switch event.kind.effect {
            case .wait(.threadEnd), .park: return true
            default: return !isOver
            }
        }
    }

    private struct Place: Hashable {
        var lock: ObjectID
        var site: SiteID
    }

    private var locks = HeldLocks()
    private var blocks = PerThread<Block?>(nil)
    /// Whether it has one: cheaper to look at.
    private var isBlocked = PerThread(false)
    /// Who waits for a lock.
    private var waits = PerThread<Event?>(nil)
    private var worst: [Place: Block] = [:]
    private var places: [Place] = []
    private var hasReachedEnd = false

    private static let mostPlaces = 100

    package init() {}

    package mutating func consume(_ event: Event) {
        if isBlocked[event.thread] { endBlock(of: event.thread) }
        locks.consume(event)
        waits[event.thread] = nil
        let effect = event.kind.effect
        switch effect {
        case .wait(.threadEnd), .wait(.permit), .park, .sleep: begin(event)
        case .wait(.lock):
            waits[event.thread] = event
            for holder in locks.holders(of: event.object) where holder != event.thread {
                if blocks[holder] != nil && blocks[holder]?.victim == nil { blocks[holder]?.victim = event }
            }
        default: if effect.isOwnEnd { hasReachedEnd = true }
        }
    }

    private mutating func begin(_ event: Event) {
        let holds = locks.locks(of: event.thread)
        guard !holds.isEmpty else { return }
        let victim = waits.all.lazy.compactMap(\.value).first { wait in holds.contains { $0.object == wait.object } }
        blocks[event.thread] = Block(event: event, holds: holds, victim: victim)
        isBlocked[event.thread] = true
    }

    private mutating func endBlock(of thread: ThreadID) {
        if let block = blocks[thread] { keep(block) }
        blocks[thread] = nil
        isBlocked[thread] = false
    }

    private mutating func keep(_ block: Block) {
        let place = Place(lock: block.holds[0].object, site: block.event.site)
        if let known = worst[place] {
            if known.victim == nil || !block.isOver { worst[place] = block }
        } else if places.count < Self.mostPlaces {
            worst[place] = block
            places.append(place)
        }
    }

    package func findings(in words: Words) -> [Finding] {
        var copy = self
        for case var block? in blocks.all.map(\.value) {
            block.isOver = hasReachedEnd
            copy.keep(block)
        }
        return copy.places.compactMap { copy.worst[$0] }.map { finding($0, words) }
    }

    private func finding(_ block: Block, _ words: Words) -> Finding {
        let holder = words.name(block.event.thread)
        let held = Words.list(block.holds.map { words.name($0.object) })
        var story = [
            "\(holder) holds \(Words.list(block.holds.map { words.words($0) })), and \(deed(block.event, words))."
        ]
        if let victim = block.victim {
            story.append(
                "\(words.name(victim.thread)) wants \(words.name(victim.object))\(words.at(victim.site)), "
                    + "and has to wait as well.")
        }
        return Finding(
            .heldWhileBlocked, block.isHarm ? .warning : .note,
            summary: "\(holder) keeps \(held) locked while it waits for something else.", story: story,
            threads: [block.event.thread, block.victim?.thread].compactMap(\.self), objects: block.holds.map(\.object),
            sites: block.holds.map(\.site) + [block.event.site, block.victim?.site ?? .unknown])
    }

    private func deed(_ event: Event, _ words: Words) -> String {
        if event.kind.effect == .sleep { return "sleeps\(words.at(event.site))" }
        return Wait(event, isTimed: false).map { words.words($0) } ?? event.kind.name
    }
}
