import Authoring

/// A thread of low priority that gets no processor time, because one of high priority always has work.
struct PriorityStarvation: Scenario {
    static let name = "priority-starvation"
    static let summary = "A thread of low priority waits for the processor, which a thread of high priority keeps busy."
    static let lesson = """
        If a thread of high priority always has something to do, those of low priority never run, although there is no \
        lock for which they wait. That is why the guide recommends to leave priorities at the default. A high priority \
        is for a thread that mostly waits, and has little to do when it wakes up. Systems that promise every thread its \
        turn let a priority increase with the time that a thread has waited (aging).

        The threads share a simulated processor, which always runs the thread with the highest priority, as \
        `SCHED_FIFO` does on one real processor: a unit of work is a pause, and the processor changes threads between \
        two units.

        Linux does not starve ordinary threads. Under the default policy, `SCHED_OTHER`, a priority is a nice value, \
        and that is a share: the least one has one or two percent of a processor beside a thread with the usual one, \
        which is little, and not nothing. Under the real-time policies, which need a privilege, a thread keeps its \
        processor as here, up to a limit: by default all of them together leave 5% of each second to the others.
        """
    static let guide: Guide? = .threads("Setting the Thread Priority")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case starved
        case defaultPriority = "default-priority"
        case waits
        case aging

        var summary: String {
            switch self {
            case .starved: "high has the higher priority and always has work: low gets no turn until high is done"
            case .defaultPriority: "both have the default priority, and take turns"
            case .waits: "high has the higher priority, and waits for an event after each unit of work"
            case .aging: "the priority of a thread increases with each unit of work for which it waits"
            }
        }

        var expectation: Expectation { self == .starved ? .may(.assertion) : .completes }
    }

    @Parameter("variant of the program") var variant = Variant.starved
    @Parameter("units of work that high does", in: 10...1000) var work = 12
    @Parameter("time taken by a unit of work", in: .zero ... .seconds(1)) var pause = Duration.milliseconds(1)

    private static let (low, usual, high) = (5, 15, 25)  // priorities
    /// The increase of a priority for each unit of waiting: low is as urgent as high after four.
    private static let step = 5
    /// The number of units of other work for which low is willing to wait.
    private static let patience = 6

    private enum User: String, CaseIterable { case low, high }

    var expectedDuration: Duration { pause * (work + 1) * (variant == .waits ? 2 : 1) }

    func run() throws {
        let processor = try Processor<User>(piece: pause, aging: variant == .aging ? Self.step : 0)
        let isRunning = try Semaphore("high is running", value: 0)
        let high = try Thread("high", ThreadAttributes(priority: priority(Self.high))) {
            try processor.enter(.high, urgency: Thread.priority)
            try isRunning.signal()
            for _ in 1...work {
                try processor.work(.high)
                if variant == .waits { try waitForEvent(processor) }
            }
            try processor.leave(.high)
        }
        try isRunning.wait()
        let low = try Thread("low", ThreadAttributes(priority: priority(Self.low))) {
            let before = try processor.enter(.low, urgency: Thread.priority)
            let meanwhile = try processor.units() - before
            try processor.work(.low)
            try processor.leave(.low)
            try check(meanwhile <= Self.patience, "low waited while high did \(meanwhile) units of work")
        }
        try low.join()
        try high.join()
    }

    private func priority(_ own: Int) -> Int { variant == .defaultPriority ? Self.usual : own }

    /// Releases the processor to other threads during the wait.
    private func waitForEvent(_ processor: Processor<User>) throws {
        try processor.leave(.high)
        try Thread.sleep(for: pause)
        try processor.enter(.high, urgency: Thread.priority)
    }
}
