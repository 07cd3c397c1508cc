import Trace

/// What would end a livelock. That depends on what the threads fail at.
struct LivelockAdvice {
    private enum Struggle: CaseIterable {
        /// Each tries for a lock, and gives way.
        case lock
        case permit, exchange, signal
        /// A loop looks at memory, and finds what it found before.
        case look
    }

    private let obstacles: [(struggle: Struggle, object: ObjectID)]

    /// - Parameters:
    ///   - obstacles: for each thread the last thing that it failed at or, if it failed at nothing, looked at.
    ///   - hasFailures: whether any thread failed at something. Then what others looked at does not matter.
    init(_ obstacles: [Event], hasFailures: Bool) {
        self.obstacles = obstacles.compactMap { event in
            Self.struggle(event.kind).map { ($0, event.object) }
        }.filter { !hasFailures || $0.struggle != .look }
    }

    private static func struggle(_ kind: EventKind) -> Struggle? {
        switch kind {
        case .mutexBusy, .lockBusy, .mutexTimeout, .lockTimeout: .lock
        case .semaphoreBusy, .semaphoreTimeout: .permit
        case .conditionTimeout: .signal
        case .atomicMismatch: .exchange
        case .atomicLoad, .atomicUpdate, .cellRead: .look
        default: nil
        }
    }

    /// Nil: nothing better than what is always right.
    func text(_ names: Names) -> String? {
        let first = Struggle.allCases.first { struggle in obstacles.contains { $0.struggle == struggle } }
        return first.map { text($0, list(of: $0, names)) }
    }

    private func list(of struggle: Struggle, _ names: Names) -> String {
        var found: [String] = []
        for obstacle in obstacles where obstacle.struggle == struggle {
            let name = names.name(obstacle.object)
            if !found.contains(name) { found.append(name) }
        }
        return found.count > 4 ? Names.list(found.prefix(3) + ["others"]) : Names.list(found)
    }

    private func text(_ struggle: Struggle, _ names: String) -> String {
        switch struggle {
        case .lock:
            "Take the locks in one order, and wait for them instead of trying; or wait for a random time before the next try."
        case .permit:
            "Wait for a permit of \(names) instead of trying again and again; and see that some thread gives one back."
        case .exchange:
            "See that some thread stores the value of \(names) that the compare-exchange expects, or read the value anew before each attempt."
        case .signal:
            "See that some thread makes true what the waits on \(names) are for, and signals it; a longer time limit does not help."
        case .look:
            "See that some thread changes \(names) whatever the others do: let one of them go first. Where nothing is left to do but wait, wait in a condition or with 'await'."
        }
    }
}
