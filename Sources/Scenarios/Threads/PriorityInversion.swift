import Authoring

/// A high-priority thread that waits for a low-priority thread's lock, while a third keeps the processor busy.
struct PriorityInversion: Scenario {
    static let name = "priority-inversion"
    static let summary = "A high-priority thread waits for a lock whose holder does not get the processor."
    static let lesson = """
        The thread low holds a lock that high waits for. Meanwhile middle has work to do that needs no lock and has a \
        higher priority than low, so it keeps the processor until it is done. As a result high, which has the highest \
        priority, waits for middle, with which it shares nothing. POSIX has two protocols that fix this: the mutex \
        lends the priority of its waiter to its holder (inheritance), or its holder runs at the highest priority of \
        all threads that may use the lock (ceiling).

        Neither threadlab's scheduler nor Linux guarantees that the thread with the highest priority runs, and a \
        computer has several processors. The three threads therefore share a simulated processor, which does \
        guarantee it: a unit of work is a pause, and after each unit the thread with the highest priority continues. \
        Under the inherit protocol the system lends the priority, so here high does it for the simulated processor.
        """
    static let guide: Guide? = .threads("Setting the Thread Priority")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case plain
        case unnoticed
        case inheritance
        case ceiling

        var summary: String {
            switch self {
            case .plain: "the lock ignores priorities, and high is too late"
            case .unnoticed: "the same, but high does not look how long it has waited"
            case .inheritance: "a mutex with the inherit protocol: while high waits, low has the priority of high"
            case .ceiling: "a mutex with a ceiling: whichever thread holds it has the priority of high"
            }
        }

        var expectation: Expectation {
            switch self {
            case .plain: .may(.assertion)
            case .unnoticed: .may(warning: .priorityInversion)
            case .inheritance, .ceiling: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.plain
    @Parameter("units of work that low does with the lock held", in: 1...100) var pieces = 3
    @Parameter("units of work that middle does", in: 2...1000) var work = 20
    @Parameter("time taken by a unit of work", in: .zero ... .seconds(1)) var pause = Duration.milliseconds(1)

    private static let (low, middle, high) = (5, 15, 25)  // priorities

    /// The threads that compute on the simulated processor.
    private enum User: String, CaseIterable { case low, middle }

    /// The detector warns after ten operations of middle in which low does nothing.
    private static let workOfWarning = 10

    var expectation: Expectation {
        variant == .unnoticed && work < Self.workOfWarning ? .completes : variant.expectation
    }

    private func makeMutex() throws -> Mutex {
        switch variant {
        case .plain, .unnoticed: Mutex("data")
        case .inheritance: try Mutex("data", priority: .inherit)
        case .ceiling: try Mutex("data", priority: .ceiling(Self.high))
        }
    }

    var expectedDuration: Duration { pause * (pieces + work) }

    func run() throws {
        let processor = try Processor<User>(piece: pause)
        let data = try makeMutex()
        let isHeld = try Semaphore("data is held", value: 0)
        let begun = Atomic("pieces begun by middle", 0)
        let begunAtRelease = Shared("begun when low gave data back", 0)

        let low = try Thread("low", ThreadAttributes(priority: Self.low)) {
            try processor.enter(.low, urgency: Self.low)
            try data.lock()
            if variant == .ceiling { try processor.setUrgency(of: .low, to: Thread.priority) }
            try isHeld.signal()
            for _ in 1...pieces { try processor.work(.low) }
            try begunAtRelease.write(begun.load())
            try data.unlock()
            try processor.leave(.low)
        }
        try isHeld.wait()
        let high = try Thread("high", ThreadAttributes(priority: Self.high)) {
            if variant == .inheritance { try processor.setUrgency(of: .low, to: Self.high) }
            let before = try begun.load()
            let meanwhile = try data.withLock { try begunAtRelease.read() } - before
            if variant == .unnoticed { return }
            try check(meanwhile <= 1, "high waited for the data while middle did \(meanwhile) units of other work")
        }
        let middle = try Thread("middle", ThreadAttributes(priority: Self.middle)) {
            try processor.enter(.middle, urgency: Self.middle)
            for _ in 1...work {
                try begun.add(1)
                try processor.work(.middle)
            }
            try processor.leave(.middle)
        }
        for thread in [low, high, middle] { try thread.join() }
    }
}
