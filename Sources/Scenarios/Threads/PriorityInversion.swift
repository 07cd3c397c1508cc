import Authoring

/// An urgent thread that waits for an unhurried one's lock, while a third keeps the processor busy.
struct PriorityInversion: Scenario {
    static let name = "priority-inversion"
    static let summary = "An urgent thread waits for a lock whose holder does not get the processor."
    static let lesson = """
        The thread low holds a lock that high waits for. Meanwhile middle has work to do that needs no lock, and is more \
        urgent than low: it has the processor until it is done. So high, the most urgent of all, waits for middle, with \
        which it shares nothing. Two protocols of POSIX fix it: the mutex lends the urgency of whoever waits to the \
        holder (inheritance), or the holder is as urgent as any thread that may ever want the lock (ceiling).

        Neither this lab's scheduler nor Linux promises that the more urgent thread runs, and there is more than one \
        processor. So the three share one of the scenario's own, which does: a piece of work on it is a pause, and between \
        two pieces it goes to the most urgent.
        """
    static let guide = Guide.threads("Setting the Thread Priority")
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case plain
        case inheritance
        case ceiling

        var summary: String {
            switch self {
            case .plain: "the lock knows nothing of urgency"
            case .inheritance: "while high waits for the lock, low is as urgent as high"
            case .ceiling: "whoever holds the lock is as urgent as high"
            }
        }

        var expectation: Expectation { self == .plain ? .may(.assertion) : .completes }
    }

    @Parameter("what the lock does about urgency") var variant = Variant.plain
    @Parameter("pieces of work that low does with the lock", in: 1...100) var pieces = 3
    @Parameter("pieces of work that middle does", in: 2...1000) var work = 20
    @Parameter("how long a piece of work takes", in: .zero ... .seconds(1)) var pause = Duration.milliseconds(1)

    private static let (low, middle, high) = (5, 15, 25)

    func run() throws {
        let processor = try Processor(piece: pause)
        let data = Mutex("data")
        let isHeld = try Semaphore("data is held", value: 0)
        let begun = Atomic("pieces begun by middle", 0)
        let begunAtRelease = Shared("begun when low gave data back", 0)

        let low = try Thread("low", ThreadAttributes(priority: Self.low)) {
            try processor.enter(.low, urgency: Self.low)
            try data.lock()
            if variant == .ceiling { try processor.setUrgency(of: .low, to: Self.high) }
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
            try check(meanwhile <= 1, "high waited for the data while middle did \(meanwhile) pieces of other work")
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
