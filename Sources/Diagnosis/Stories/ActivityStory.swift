import Trace

/// What every thread that is left was doing when the run stopped, a line each.
struct ActivityStory {
    let words: Words
    let graph: WaitForGraph
    let lastEvents: PerThread<Event?>

    /// More threads than this are only counted.
    private static let limit = 10

    var threads: [ThreadID] { graph.alive }

    var lines: [String] {
        let told = threads.prefix(Self.limit).map(line)
        let rest = threads.count - told.count
        return rest > 0 ? told + ["And \(Words.count(rest, "thread")) more."] : told
    }

    private func line(_ thread: ThreadID) -> String {
        let name = words.name(thread)
        if let wait = graph.wait(of: thread) {
            let holders = graph.blockers(of: thread).filter { graph.hold(awaitedBy: wait, of: $0) != nil }
            return "\(name) \(words.words(wait, heldBy: holders))."
        }
        guard let event = lastEvents[thread] else {
            return thread == .main ? "\(name) had done nothing yet that is seen." : "\(name) had not started yet."
        }
        switch event.kind.effect {
        case .sleep: return "\(name) was asleep\(words.since(event.site))."
        case .startThread: return "\(name) was running, and had done nothing yet that is seen."
        default:
            let object = event.object == .none ? "" : " \(words.name(event.object))"
            return "\(name) was running\(words.since(event.site)), where it did \(event.kind.name)\(object)."
        }
    }
}
