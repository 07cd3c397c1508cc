import Trace

/// Threads that wait for a lock or a semaphore while others take it, again and again.
///
/// No lock promises whose turn it is, and a few turns of others are as it should be. It is told if they had a hundred, and, on
/// real threads, if that took a tenth of a second: there hundreds of turns pass while a thread wakes up.
package struct StarvationDetector: Detector {
    private struct Wait {
        var event: Event
        /// How often the object had been taken when the wait began.
        var before: Int
    }

    private struct Case {
        var wait: Event
        var passes: Int
        var duration: UInt64
        var last: Event
    }

    private var taken = PerObject<(count: Int, last: Event?)>((0, nil))
    private var waits = PerThread<Wait?>(nil)
    private var worst: [ObjectID: Case] = [:]
    private var now: UInt64 = 0

    private static let fewestPasses = 100
    private static let shortest: UInt64 = 100_000_000

    package init() {}

    package mutating func consume(_ event: Event) {
        now = event.time
        if let wait = waits[event.thread] {
            let object = wait.event.object
            if let found = pending(wait), found.passes > worst[object]?.passes ?? 0 { worst[object] = found }
            waits[event.thread] = nil
        }
        switch event.kind {
        case .mutexAcquire, .readAcquire, .writeAcquire, .semaphoreAcquire:
            taken[event.object].count += 1
            taken[event.object].last = event
        case .mutexWait, .readWait, .writeWait, .semaphoreWait:
            waits[event.thread] = Wait(event: event, before: taken[event.object].count)
        default: break
        }
    }

    /// What the wait has come to so far. Nil: nothing to speak of.
    private func pending(_ wait: Wait) -> Case? {
        let (count, last) = taken[wait.event.object]
        guard let last, count - wait.before >= Self.fewestPasses else { return nil }
        let duration = now > wait.event.time ? now - wait.event.time : 0
        return Case(wait: wait.event, passes: count - wait.before, duration: duration, last: last)
    }

    package func findings(in words: Words) -> [Finding] {
        var cases = worst
        for case let wait? in waits.all.map(\.value) {
            guard let found = pending(wait) else { continue }
            if found.passes > cases[wait.event.object]?.passes ?? 0 { cases[wait.event.object] = found }
        }
        let isNative = words.trace.header.runtime == .native
        return cases.values.filter { !isNative || $0.duration >= Self.shortest }
            .sorted { ($1.passes, $0.wait.object) < ($0.passes, $1.wait.object) }.map { finding($0, words) }
    }

    private func finding(_ found: Case, _ words: Words) -> Finding {
        let waiter = words.name(found.wait.thread)
        let object = words.name(found.wait.object)
        let duration = ReadableDuration.text(nanoseconds: Int64(clamping: found.duration))
        let time = found.duration > 0 ? ", in \(duration)" : ""
        return Finding(
            .starvation, summary: "\(waiter) waited for \(object) while others took it \(found.passes) times\(time).",
            story: [
                "\(waiter) waits for \(object)\(words.at(found.wait.site)).",
                "\(words.name(found.last.thread)) is the last of the others to take it\(words.at(found.last.site)).",
            ], threads: [found.wait.thread, found.last.thread], objects: [found.wait.object],
            sites: [found.wait.site, found.last.site])
    }
}
