import Text
import Trace

/// Finds threads that wait for a lock or a semaphore while others take it again and again.
///
/// It counts the turns of others that had already had a turn since the wait began: in a queue, the waiting thread would
/// have come first. If each of many threads takes the object once, in any order, that is not starvation. Locks do not
/// promise an order, and a few turns of others are normal, so starvation is reported after a hundred such turns. On
/// real threads these must also have taken a tenth of a second, because hundreds of turns can pass while a thread wakes
/// up.
package struct StarvationDetector: Detector {
    /// A wait that has not ended.
    private struct OpenWait {
        var event: Event
        /// How often the object had been taken when the wait began.
        var before: Int
    }

    /// The wait for an object during which threads took repeated turns most often.
    private struct Case {
        var wait: Event
        /// The number of turns of threads that had already had one since the wait began.
        var repeats: Int
        /// How long the wait took, in nanoseconds.
        var duration: UInt64
        /// The last turn of another thread.
        var last: Event
    }

    /// The turns of an object: how often it was taken, and by which threads.
    private struct Turns {
        var count = 0
        var last: Event?
        /// The number of threads that wait for the object now.
        var waiting = 0
        /// By thread: the number of its last turn at which a thread was waiting; 0 if there was none.
        var lastTurns = PerThread(0)
        /// The last result of `repeats`: of the turns after `before` up to `count`, this many went to threads that had
        /// already had one.
        var known = (before: 0, count: 0, repeats: 0)

        mutating func add(_ event: Event) {
            count += 1
            last = event
            if waiting > 0 { lastTurns[event.thread] = count }
        }

        /// The number of turns after the turn `before` that went to threads that had already had one after it. Nil if
        /// there are fewer than `fewest`.
        mutating func repeats(since before: Int, atLeast fewest: Int) -> Int? {
            // A thread's first turn is not a repetition, and each turn since the last result adds at most one, so most
            // calls return here.
            if count - before <= fewest { return nil }
            if before >= known.before && known.repeats + count - known.count < fewest { return nil }
            let threads = lastTurns.all.count { $0.value > before }
            known = (before, count, count - before - threads)
            return known.repeats < fewest ? nil : known.repeats
        }
    }

    private var turns = PerObject(Turns())
    private var waits = PerThread<OpenWait?>(nil)
    private var worst: [ObjectID: Case] = [:]
    /// The time of the last event.
    private var now: UInt64 = 0

    private static let fewestRepeats = 100
    /// The minimum duration of a wait on real threads, in nanoseconds.
    private static let shortest: UInt64 = 100_000_000

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        now = event.time
        if let wait = waits[event.thread] { end(wait) }
        let effect = event.kind.effect
        if effect.takesLock || effect == .takePermit { turns[event.object].add(event) }
        if effect.waitsForLock || effect == .wait(.permit) {
            waits[event.thread] = OpenWait(event: event, before: turns[event.object].count)
            turns[event.object].waiting += 1
        }
    }

    private mutating func end(_ wait: OpenWait) {
        let object = wait.event.object
        if let repeats = turns[object].repeats(since: wait.before, atLeast: Self.fewestRepeats),
            repeats > worst[object]?.repeats ?? 0, let last = turns[object].last
        {
            let duration = now > wait.event.time ? now - wait.event.time : 0
            worst[object] = Case(wait: wait.event, repeats: repeats, duration: duration, last: last)
        }
        turns[object].waiting -= 1
        waits[wait.event.thread] = nil
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        // Waits that are still in progress are ended in a copy, because the run may continue.
        var whole = self
        for case let wait? in waits.all.map(\.value) { whole.end(wait) }
        return whole.worstFindings(in: names)
    }

    private func worstFindings(in names: Names) -> [Finding] {
        let isNative = names.trace.header.runtime == .native
        return worst.values.filter { !isNative || $0.duration >= Self.shortest }
            .sorted { ($1.repeats, $0.wait.object) < ($0.repeats, $1.wait.object) }.map { finding($0, names) }
    }

    private func finding(_ found: Case, _ names: Names) -> Finding {
        let waiter = names.name(found.wait.thread)
        let object = names.name(found.wait.object)
        let duration = ReadableDuration.text(nanoseconds: Int64(clamping: found.duration))
        let time = found.duration > 0 ? ", in \(duration)" : ""
        return Finding(
            .starvation,
            summary: "\(waiter) waited for \(object) while others took it again \(found.repeats) times\(time).",
            story: [
                "\(waiter) waits for \(object)\(names.at(found.wait.site)).",
                "\(names.name(found.last.thread)) was the last of them to take it\(names.at(found.last.site)).",
            ], threads: [found.wait.thread, found.last.thread], objects: [found.wait.object],
            sites: [found.wait.site, found.last.site])
    }
}
