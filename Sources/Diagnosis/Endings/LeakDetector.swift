import Trace

/// Threads that are joinable and that nobody joined. The system keeps such a thread's stack for ever; if it was still
/// running when the main thread left, it was cut off in the middle of its work.
package struct LeakDetector: Detector {
    private struct Created {
        var site: SiteID
        var creator: ThreadID
        var hasEnded = false
        var isSettled = false
    }

    private var created = PerThread<Created?>(nil)
    private var hasReachedEnd = false
    private var isOver = false

    package init() {}

    package mutating func consume(_ event: Event) {
        if event.kind == .runExit || event.kind == .runComplete { hasReachedEnd = true }
        if event.kind.endsRun { isOver = true }
        guard !isOver else { return }
        switch event.kind {
        case .threadCreate:
            guard let thread = event.valueAsThread else { return }
            created[thread] = Created(site: event.site, creator: event.thread)
        case .threadExit: created[event.thread]?.hasEnded = true
        case .threadJoin, .threadDetach:
            guard let thread = event.valueAsThread else { return }
            created[thread]?.isSettled = true
        default: break
        }
    }

    package func findings(in words: Words) -> [Outcome] {
        guard hasReachedEnd else { return [] }
        let leaked = created.all.compactMap { entry in
            entry.value.flatMap { $0.isSettled ? nil : (thread: entry.thread, created: $0) }
        }
        guard !leaked.isEmpty else { return [] }
        let threads = leaked.map(\.thread)
        let verb = threads.count == 1 ? "was" : "were"
        let summary = "\(words.list(threads)) \(verb) never joined, and not detached either."
        var details = leaked.map { line($0.thread, $0.created, words) }
        details.append("Join a thread to wait for its end, or detach it if nobody needs to know.")
        return [Outcome(.leak, summary: summary, details: details)]
    }

    private func line(_ thread: ThreadID, _ created: Created, _ words: Words) -> String {
        let birth = "\(words.name(created.creator)) created \(words.name(thread))\(words.at(created.site))"
        return created.hasEnded
            ? "\(birth); it ended, and what the system keeps of it is lost."
            : "\(birth); it was still running when the process ended, and was cut off."
    }
}
