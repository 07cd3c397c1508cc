import Trace

/// The events of a run that show a finding: the accesses of a race, the waits that never end and what they wait for, the
/// step that failed.
struct FaultSteps {
    /// The numbers of the events in the trace, from 0, the most important first.
    let events: [Int]

    /// How many of the last signals of a condition, or takers of a permit, are shown.
    private static let mostSignals = 2

    init(_ finding: Finding, _ past: RunPast) {
        if !finding.events.isEmpty {
            events = finding.events.map { $0 - 1 - past.trace.dropped }.filter(past.trace.events.indices.contains)
            return
        }
        let isStuck = finding.outcome == .deadlock || finding.outcome == .livelock
        let waits = isStuck ? finding.threads.compactMap { Self.wait(of: $0, past) } : []
        let stuck = Self.withoutConsequences(waits, past)
        if !stuck.isEmpty {
            events = stuck + stuck.prefix(Account.mostSteps).flatMap { Self.causes(of: $0, past) }
            return
        }
        let failures = Self.failures(finding, past)
        events = failures.isEmpty ? Self.ends(of: past.trace.threads.indices.map { ThreadID($0) }, past) : failures
    }

    // MARK: - Threads that are stuck

    /// The event with which the thread's last wait began. Nil: the thread is not blocked.
    private static func wait(of thread: ThreadID, _ past: RunPast) -> Int? {
        guard let last = past.ends[thread] else { return nil }
        return past.event(last).kind.blocks || past.event(last).kind == .objectWait ? last : nil
    }

    /// The waits without those for the end of a thread that is stuck itself: they are a consequence. A thread for whose
    /// lock another one waits is a part of the cause.
    private static func withoutConsequences(_ waits: [Int], _ past: RunPast) -> [Int] {
        let awaited = Set(waits.compactMap { past.holder(awaitedBy: $0).map { past.event($0).thread } })
        let stuck = Set(waits.map { past.event($0).thread })
        let causes = waits.filter { wait in
            let event = past.event(wait)
            guard event.kind.effect == .wait(.threadEnd), let other = event.valueAsThread else { return true }
            return !stuck.contains(other) || awaited.contains(event.thread)
        }
        return causes.isEmpty ? waits : causes
    }

    /// What a wait lacks: how the holder got the lock, and its end if it has kept the lock to its end; how the last
    /// permits were taken; the last signals of the condition, and what the thread had read before it waited, if that was
    /// changed since.
    private static func causes(of wait: Int, _ past: RunPast) -> [Int] {
        let event = past.event(wait)
        if let taken = past.holder(awaitedBy: wait) {
            let holder = past.event(taken).thread
            let end = past.last(before: past.count) { $0.thread == holder && $0.kind.effect.endsThread }
            return [taken] + [end].compactMap(\.self)
        }
        if event.kind.effect == .wait(.permit) {
            return lastOnes(past) { $0.object == event.object && $0.kind.effect == .takePermit }
        }
        guard event.kind.effect == .park || event.kind == .objectWait else { return [] }
        return lastOnes(past) { $0.object == event.object && $0.kind.effect.isSignal }
            + past.outdated(before: past.count, of: event.thread)
    }

    private static func lastOnes(_ past: RunPast, where holds: (Event) -> Bool) -> [Int] {
        var events: [Int] = []
        while events.count < mostSignals, let last = past.last(before: events.last ?? past.count, where: holds) {
            events.append(last)
        }
        return events
    }

    // MARK: - Steps that failed

    private static func failures(_ finding: Finding, _ past: RunPast) -> [Int] {
        let failed = past.trace.events.indices.last { index in
            let event = past.event(index)
            let isFailure = event.kind.effect.isReport || event.kind.effect == .misuse
            return isFailure && (finding.sites.isEmpty || finding.sites.contains(event.site) || event.site == .unknown)
                && (finding.threads.isEmpty || finding.threads.contains(event.thread))
        }
        if let failed { return [failed] + places(of: finding, before: failed, past) }
        switch finding.outcome {
        // The run was stopped where its threads were.
        case .crash, .timeout, .livelock, .starvation, .deadlock, .error, .interrupted:
            return ends(of: finding.threads, past)
        case .completed, .lockOrder, .leak, .race, .assertion, .claim, .brokenClaim, .misuse, nil:
            return places(of: finding, before: past.count, past)
        }
    }

    /// The last step of each thread.
    private static func ends(of threads: [ThreadID], _ past: RunPast) -> [Int] {
        threads.compactMap { past.ends[$0] }
    }

    /// For each place of the finding where nothing failed: the last event there, such as the release of a block of memory
    /// that was used later.
    private static func places(of finding: Finding, before end: Int, _ past: RunPast) -> [Int] {
        let failed = end < past.count ? past.event(end).site : .unknown
        // A thread that was left behind is created at the place, by another one.
        let threads = finding.threads.isEmpty ? [nil] : finding.threads.map { Optional($0) }
        return finding.sites.filter { $0 != failed }.prefix(Account.mostSteps).flatMap { site in
            threads.prefix(Account.mostSteps).compactMap { thread in
                past.last(before: end) { event in
                    event.site == site
                        && (thread == nil || event.thread == thread || event.valueAsThread == thread)
                        && (finding.objects.isEmpty || event.object == .none || finding.objects.contains(event.object))
                }
            }
        }
    }
}
