import Authoring

/// A block of an urgent queue waits for one of a background queue, while a third queue keeps the processor busy.
struct QueueInversion: Scenario {
    static let name = "queue-inversion"
    static let summary = "An urgent block waits for data that a background block holds, which gets no processor time."
    static let lesson = """
        Queues of different quality have threads of different priority. A lock that their blocks share undoes that: the \
        urgent block waits for the background block, which holds the lock and gets no processor time as long as the \
        default queue has work. Nothing in the code of the urgent block shows it.

        Blocks that share data belong in one queue. Its target decides how urgent they are: with the urgent queue as \
        target each block that uses the data runs on the urgent queue's thread, and none of lower priority comes \
        before it. If a lock has to be shared, raise the priority of the thread that holds it while it does. Or do \
        without different priorities: few programs need them.

        As in `priority-inversion`, the queues share a simulated processor, on which the thread with the highest \
        priority runs.
        """
    static let guide: Guide? = .classDesign(
        "Pitfalls of GCD", "Using dispatch_async to Dispatch Memory-Intensive Operations")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case lock
        case unnoticed
        case target
        case raised

        var summary: String {
            switch self {
            case .lock: "the blocks share a lock, and the urgent one is too late"
            case .unnoticed: "the same, but the urgent block does not look how long it has waited"
            case .target: "blocks that use the data are in one queue, whose target is the urgent queue"
            case .raised: "the background block has the urgent priority while it holds the lock"
            }
        }

        var expectation: Expectation {
            switch self {
            case .lock: .may(.assertion)
            case .unnoticed: .may(warning: .priorityInversion)
            case .target, .raised: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.lock
    @Parameter("units of work that the background block does with the data", in: 1...100) var pieces = 3
    @Parameter("units of work that the default queue does", in: 2...1000) var work = 20
    @Parameter("time taken by a unit of work", in: .zero ... .seconds(1)) var pause = Duration.milliseconds(1)

    private static let (background, normal, urgent) = (5, 15, 25)  // priorities of the queues' threads

    /// The queues whose threads compute on the simulated processor.
    private enum User: String, CaseIterable {
        case background
        case normal = "default"
    }

    /// The detector warns after ten operations of the default queue's thread in which the background one does nothing.
    private static let workOfWarning = 10

    var expectation: Expectation {
        variant == .unnoticed && work < Self.workOfWarning ? .completes : variant.expectation
    }

    var expectedDuration: Duration { pause * (pieces + work) }

    func run() throws {
        let processor = try Processor<User>(piece: pause)
        let background = try Self.queue("background", Self.background)
        let normal = try Self.queue("default", Self.normal)
        let urgent = try Self.queue("urgent", Self.urgent)
        let data = try Data(variant, ofBackground: background, ofUrgent: urgent)
        let isUsed = try Semaphore("the data is used", value: 0)
        let isDone = try Semaphore("the urgent block is done", value: 0)
        let begun = Atomic("units begun by default", 0)
        let begunAtEnd = Shared("begun when background was done", 0)

        try data.useInBackground {
            try processor.enter(.background, urgency: Thread.priority)
            try isUsed.signal()
            for _ in 1...pieces { try processor.work(.background) }
            try begunAtEnd.write(begun.load())
            try processor.leave(.background)
        }
        try isUsed.wait()
        try data.useUrgently {
            let meanwhile = try begunAtEnd.read()
            if variant != .unnoticed {
                try check(meanwhile <= 1, "the urgent block waited while default did \(meanwhile) units of other work")
            }
            try isDone.signal()
        }
        try normal.async {
            try processor.enter(.normal, urgency: Thread.priority)
            for _ in 1...work {
                try begun.add(1)
                try processor.work(.normal)
            }
            try processor.leave(.normal)
        }
        try isDone.wait()
        for queue in [background, urgent, normal] { try queue.sync {} }
    }

    private static func queue(_ name: String, _ priority: Int) throws -> WorkQueue {
        try WorkQueue(name, pool: WorkerPool(name, threads: 1, priority: priority))
    }

    /// The data that blocks of both queues use, one at a time.
    private struct Data: Sendable {
        private let variant: Variant
        private let background: WorkQueue
        private let urgent: WorkQueue
        private let lock = Mutex("data")

        init(_ variant: Variant, ofBackground background: WorkQueue, ofUrgent urgent: WorkQueue) throws {
            self.variant = variant
            let own = variant == .target ? try WorkQueue("data", target: urgent) : nil
            self.background = own ?? background
            self.urgent = own ?? urgent
        }

        func useInBackground(_ block: @escaping @Sendable () throws -> Void) throws {
            try background.async {
                switch variant {
                case .target: try block()
                case .lock, .unnoticed: try lock.withLock(block)
                case .raised:
                    try lock.withLock {
                        try Thread.setPriority(QueueInversion.urgent)
                        try block()
                        try Thread.setPriority(QueueInversion.background)
                    }
                }
            }
        }

        func useUrgently(_ block: @escaping @Sendable () throws -> Void) throws {
            try urgent.async { variant == .target ? try block() : try lock.withLock(block) }
        }
    }
}
