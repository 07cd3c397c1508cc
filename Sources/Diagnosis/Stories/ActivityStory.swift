import Trace

/// What each remaining thread was doing when the run stopped, one line each.
struct ActivityStory {
    let names: Names
    let graph: WaitForGraph
    let lastEvents: PerThread<Event?>

    /// More threads than this are only counted.
    private static let limit = 10

    var threads: [ThreadID] { graph.alive }

    var lines: [String] {
        let told = threads.prefix(Self.limit).map(line)
        let rest = threads.count - told.count
        return rest > 0 ? told + ["And \(Names.count(rest, "thread")) more."] : told
    }

    private func line(_ thread: ThreadID) -> String {
        let name = names.name(thread)
        if let wait = graph.wait(of: thread) {
            let holders = graph.blockers(of: thread).filter { graph.hold(awaitedBy: wait, of: $0) != nil }
            return "\(name) \(names.words(wait, heldBy: holders))."
        }
        guard let event = lastEvents[thread] else {
            return thread == .main ? "\(name) had not recorded an event yet." : "\(name) had not started yet."
        }
        switch event.kind.effect {
        case .sleep: return "\(name) was asleep\(names.since(event.site))."
        case .startThread: return "\(name) was running, and had not recorded an event yet."
        default:
            let object = event.object == .none ? "" : " \(names.name(event.object))"
            return "\(name) was running; its last event is \(event.kind.name)\(object)\(names.at(event.site))."
        }
    }
}
