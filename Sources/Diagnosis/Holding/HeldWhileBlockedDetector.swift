import Trace

/// Locks that a thread holds while it waits for something else: a thread's end, a permit, a signal, or time.
///
/// It is a warning if another thread had to wait for the lock during that wait, and the wait was for a thread's end or
/// for a signal with another mutex, or the run got stuck in it. Otherwise it is a note: a sleep ends by itself, and
/// some correct programs wait for a permit with a lock held (a light switch).
package struct HeldWhileBlockedDetector: Detector {
    private struct Block {
        var event: Event
        var holds: [Hold]
        /// The first thread that had to wait for one of the locks.
        var victim: Wait?
        var isOver = true

        var isHarm: Bool {
            let effect = event.kind.effect
            return victim != nil && (effect == .wait(.threadEnd) || effect == .park || !isOver)
        }
    }

    private struct Spot: Hashable {
        var lock: ObjectID
        var site: SiteID
    }

    private var blocks = PerThread<Block?>(nil)
    /// Whether the thread holds a lock: cheaper than looking at its locks.
    private var isBlocked = PerThread(false)
    private var worst: [Spot: Block] = [:]
    private var spots: [Spot] = []
    private var hasReachedEnd = false

    private static let mostSpots = 100

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        if isBlocked[event.thread] { endBlock(of: event.thread) }
        let effect = event.kind.effect
        if effect == .wait(.threadEnd) || effect == .wait(.permit) || effect == .park || effect == .sleep {
            begin(event, run)
        }
        if effect.waitsForLock {
            let wait = run.graph.wait(of: event.thread)
            for holder in run.graph.holders(of: event.object) where holder != event.thread {
                if blocks[holder] != nil && blocks[holder]?.victim == nil { blocks[holder]?.victim = wait }
            }
        }
        if effect.isOwnEnd { hasReachedEnd = true }
    }

    private mutating func begin(_ event: Event, _ run: RunState) {
        let holds = run.locks(of: event.thread)
        guard !holds.isEmpty else { return }
        let victim = run.graph.blocked.first { wait in
            wait.isForLock && holds.contains { $0.object == wait.object }
        }
        blocks[event.thread] = Block(event: event, holds: holds, victim: victim)
        isBlocked[event.thread] = true
    }

    private mutating func endBlock(of thread: ThreadID) {
        if let block = blocks[thread] { keep(block) }
        blocks[thread] = nil
        isBlocked[thread] = false
    }

    private mutating func keep(_ block: Block) {
        let spot = Spot(lock: block.holds[0].object, site: block.event.site)
        if let known = worst[spot] {
            if known.victim == nil || !block.isOver { worst[spot] = block }
        } else if spots.count < Self.mostSpots {
            worst[spot] = block
            spots.append(spot)
        }
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        var copy = self
        for case var block? in blocks.all.map(\.value) {
            block.isOver = hasReachedEnd
            copy.keep(block)
        }
        return copy.spots.compactMap { copy.worst[$0] }.map { finding($0, names) }
    }

    private func finding(_ block: Block, _ names: Names) -> Finding {
        let holder = names.name(block.event.thread)
        let held = Names.list(block.holds.map { names.name($0.object) })
        var story = [
            "\(holder) holds \(Names.list(block.holds.map { names.words($0) })) and \(deed(block.event, names))."
        ]
        if let victim = block.victim {
            story.append(
                "\(names.name(victim.thread)) wants \(names.name(victim.object ?? .none))\(names.at(victim.site)), "
                    + "and has to wait too.")
        }
        return Finding(
            .heldWhileBlocked, block.isHarm ? .warning : .note,
            summary: "\(holder) keeps \(held) locked while it waits for something else.", story: story,
            threads: [block.event.thread, block.victim?.thread].compactMap(\.self), objects: block.holds.map(\.object),
            sites: block.holds.map(\.site) + [block.event.site, block.victim?.site ?? .unknown])
    }

    private func deed(_ event: Event, _ names: Names) -> String {
        if event.kind.effect == .sleep { return "sleeps\(names.at(event.site))" }
        return Wait(event, isTimed: false).map { names.words($0) } ?? names.trace.name(of: event)
    }
}
