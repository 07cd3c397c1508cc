import Trace

/// Finds locks that a thread holds while it waits for something else: a thread's end, a permit, a signal, or time.
///
/// It is a warning if another thread had to wait for the lock meanwhile, and the holder either waited for a thread's
/// end or for a signal (whose wait releases another mutex), or was still waiting when the run got stuck. Otherwise it
/// is a note: a sleep ends by itself, and some correct programs wait for a permit with a lock held, for example the
/// first reader of a read-write lock that is made of semaphores.
package struct HeldWhileBlockedDetector: Detector {
    /// A wait or sleep of a thread that holds locks.
    private struct Block {
        var event: Event
        var holds: [Hold]
        /// The wait of the first thread that had to wait for one of the locks.
        var victim: Wait?
        /// Whether the wait has ended, or the run has ended by itself.
        var isOver = true

        /// Whether this is a warning.
        var isHarm: Bool {
            let effect = event.kind.effect
            return victim != nil && (effect == .wait(.threadEnd) || effect == .park || !isOver)
        }
    }

    /// A place in the program, for which the worst case is reported.
    private struct Spot: Hashable {
        var lock: ObjectID
        var site: SiteID
    }

    /// Each thread's current wait with locks held.
    private var blocks = PerThread<Block?>(nil)
    /// Whether `blocks` has an entry for the thread, which is cheaper to look up.
    private var isBlocked = PerThread(false)
    private var worst: [Spot: Block] = [:]
    private var spots: [Spot] = []
    /// Whether the run ended by itself.
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

    /// Keeps the case if none is known at its place in the program, or if the known one has no victim, or if this one
    /// is not over.
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
        // Waits that are still in progress are added in a copy, because the run may continue.
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
