import Trace

/// How to end a livelock, depending on what the threads keep trying.
struct LivelockAdvice {
    /// What a thread keeps trying without success. The advice is about the first of these that occurs.
    private enum Struggle: CaseIterable {
        /// Threads try for a lock and give way.
        case lock
        /// A semaphore has no permit, a compare-exchange finds another value, or a signal does not arrive in time.
        case permit, exchange, signal
        /// A loop reads memory, and finds the same value again.
        case read
    }

    private let obstacles: [(struggle: Struggle, object: ObjectID)]

    /// - Parameters:
    ///   - obstacles: for each thread, its last failure; if it had none, its last read of memory, or else its last
    ///     event.
    ///   - hasFailures: whether any thread failed. If so, what other threads read does not matter.
    init(_ obstacles: [Event], hasFailures: Bool) {
        self.obstacles = obstacles.compactMap { event in
            Self.struggle(event.kind.effect).map { ($0, event.object) }
        }.filter { !hasFailures || $0.struggle != .read }
    }

    private static func struggle(_ effect: Effect) -> Struggle? {
        if case .refuse(let sought, _) = effect { return sought == .lock ? .lock : .permit }
        if effect == .unpark(isTimeout: true) { return .signal }
        if effect == .mismatch { return .exchange }
        return effect.isRead || effect == .update ? .read : nil
    }

    /// The advice; nil if none is more specific than the general one.
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
            "Take the locks in one order, and wait for them instead of trying; "
                + "or pause for a random time between attempts."
        case .permit:
            "Wait for a permit of \(names) instead of polling, and make sure that some thread returns one."
        case .exchange:
            "Make sure that some thread stores the value that the compare-exchange of \(names) expects, "
                + "or reload the expected value before each attempt."
        case .signal:
            "Make sure that some thread makes the predicate of \(names) true and then signals; "
                + "a longer time limit does not help."
        case .read:
            "Make sure that some thread changes \(names) whatever the others do, for example by letting one go first. "
                + "A thread that can only wait should wait on a condition or with 'await'."
        }
    }
}
