import Authoring

/// A list of delegates that one thread notifies while another changes it.
struct Delegates: Scenario {
    static let name = "delegates"
    static let summary = "One thread notifies a list of delegates while other threads register more."
    static let lesson = """
        Reads of a concurrent queue run side by side, which is safe while nothing changes. A change is queued as a \
        barrier: it runs alone, after the reads before it and before those behind it. Without the barrier it runs \
        beside a read, or beside another change. Callers do not wait for `async`, so registering costs them little. \
        The other design needs no queue: the list is immutable, a lock protects only the step that replaces it, and \
        a reader works on the list that it got. Its delegates may have left the list by then; with the queue they \
        cannot.
        """
    static let guide: Guide? = .classDesign(
        "Your Own Classes", "Practical Thread-Safe Design")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case noBarrier = "no-barrier"
        case barrier
        case snapshot
        case callsBack = "calls-back"

        var summary: String {
            switch self {
            case .noBarrier: "a delegate is added in a concurrent queue, beside whatever runs there"
            case .barrier: "a delegate is added behind a barrier"
            case .snapshot: "an immutable list is replaced under a lock, and the reader keeps the one that it got"
            case .callsBack: "behind a barrier, a delegate is notified, and asks the list for its number"
            }
        }

        var expectation: Expectation {
            switch self {
            case .noBarrier: .may(.race)
            case .barrier, .snapshot: .completes
            case .callsBack: .must(.deadlock)
            }
        }

        var unusedParameters: Set<String> { self == .snapshot ? ["pause"] : [] }
    }

    @Parameter("variant of the program") var variant = Variant.noBarrier
    @Parameter("number of delegates", in: 1...20) var delegates = 2
    @Parameter("time that registering takes", in: .zero ... .milliseconds(100)) var pause = Duration.milliseconds(1)

    var expectedDuration: Duration { pause * delegates }

    func run() throws {
        variant == .snapshot ? try replace() : try queue()
    }

    private func queue() throws {
        let queue = try WorkQueue("delegates", width: 2)
        let count = Shared("number of delegates", 0)
        for _ in 0..<delegates {
            try queue.async(flags: variant == .noBarrier ? [] : .barrier) {
                let number = try count.read()
                if pause > .zero { try Thread.sleep(for: pause) }
                try count.write(number + 1)
                // The delegate learns that it was added, and asks how many delegates there are.
                if variant == .callsBack { _ = try queue.sync { try count.read() } }
            }
        }
        let notified = try queue.sync { try count.read() }
        note("notified: \(notified)")
        // An empty barrier: when it has run, all registrations have ended.
        try queue.sync(flags: .barrier) {}
    }

    private func replace() throws {
        let lock = Mutex("list")
        let current = Shared("number of delegates", 0)
        let threads = try (1...delegates).map { number in
            try Thread("caller \(number)") {
                try lock.withLock { try current.write(current.read() + 1) }
            }
        }
        let notified = try lock.withLock { try current.read() }
        note("notified: \(notified)")
        for thread in threads { try thread.join() }
    }
}
