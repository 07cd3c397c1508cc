import Authoring

/// A producer that queues work faster than it is done.
struct Backpressure: Scenario {
    static let name = "backpressure"
    static let summary = "A producer queues images to be decoded, faster than they are decoded."
    static let lesson = """
        `async` never refuses and never waits, so a queue grows as long as its producer is faster, and each block \
        keeps its memory until it has run. A limit on the blocks that run at once is no limit on those that wait. \
        Some of the waiting must reach the producer: with a semaphore it waits until one of its images is done. Or the \
        work is given up: operations that have not begun are cancelled when memory is short.

        Figures: 'run backpressure --variant measured --native --images 40 --room 4'. Both ways take the same time, \
        because one image is decoded after the other. Only the memory differs.
        """
    static let guide: Guide? = .classDesign(
        "Pitfalls of GCD", "Using dispatch_async to Dispatch Memory-Intensive Operations")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case unbounded
        case bounded
        case cancelled
        case measured

        var summary: String {
            switch self {
            case .unbounded: "every image is queued at once"
            case .bounded: "the producer waits until one of the images in progress is done"
            case .cancelled: "when memory is short, the operations that have not begun are cancelled"
            case .measured: "without a limit, then with one: the images in memory over time"
            }
        }

        var measures: Bool { self == .measured }

        var expectation: Expectation { self == .unbounded ? .must(.assertion) : .completes }
    }

    @Parameter("variant of the program") var variant = Variant.unbounded
    @Parameter("number of images", in: 3...100) var images = 3
    @Parameter("images that memory has room for", in: 1...10) var room = 2
    @Parameter("time to decode one", in: .milliseconds(1) ... .seconds(1)) var work = Duration.milliseconds(10)

    /// If all images fit into memory, even the unbounded variant completes.
    var expectation: Expectation { variant == .unbounded && images <= room ? .completes : variant.expectation }
    var expectedDuration: Duration { work * images * (variant == .measured ? 2 : 1) }

    func run() throws {
        switch variant {
        case .unbounded: try decode(atOnce: images, in: Memory(room))
        case .bounded: try decode(atOnce: room, in: Memory(room))
        case .cancelled: try decodeOrCancel(in: Memory(room))
        case .measured:
            let unlimited = try measure("without a limit", atOnce: images)
            let limited = try measure("with a limit", atOnce: room)
            Meter("memory without a limit").record(bytes: unlimited * Self.size)
            Meter("memory with a limit").record(bytes: limited * Self.size)
        }
    }

    /// - Parameter limit: the maximum number of images in progress.
    /// - Returns: the maximum number of images in memory.
    @discardableResult
    private func decode(atOnce limit: Int, in memory: Memory) throws -> Int {
        var most = 0
        let queue = try WorkQueue("decoder")
        let slots = try Semaphore("room", value: limit)
        for _ in 0..<images {
            try slots.wait()
            most = try max(most, memory.allocate())
            try queue.async {
                try Thread.sleep(for: work)
                try memory.free()
                try slots.signal()
            }
        }
        try queue.sync {}
        return most
    }

    private func decodeOrCancel(in memory: Memory) throws {
        let queue = try OperationQueue("decoder", maxConcurrentOperationCount: 1)
        for number in 1...images {
            if try memory.isFull() {
                note("memory is short: what has not begun is cancelled")
                try queue.cancelAllOperations()
                try queue.waitUntilAllOperationsAreFinished()
            }
            try memory.allocate()
            let decode: @Sendable (BlockOperation) throws -> Void = { _ in try Thread.sleep(for: work) }
            try queue.addOperation(BlockOperation("image \(number)", completion: memory.free, decode))
        }
        try queue.waitUntilAllOperationsAreFinished()
    }

    /// - Returns: the maximum number of images in memory.
    private func measure(_ way: String, atOnce limit: Int) throws -> Int {
        let memory = Memory(images, Meter("images \(way)"))
        return try Meter("time \(way)").time { try decode(atOnce: limit, in: memory) }
    }

    /// The simulated size of a decoded image of three million pixels. Nothing is decoded.
    private static let size = 12 << 20

    /// The images in memory: waiting, or being decoded.
    private struct Memory: Sendable {
        let room: Int
        let used = Atomic("images in memory", 0)
        let meter: Meter?

        init(_ room: Int, _ meter: Meter? = nil) {
            self.room = room
            self.meter = meter
        }

        func isFull() throws -> Bool { try used.load() >= room }

        @discardableResult
        func allocate() throws -> Int {
            let now = try used.add(1) + 1
            meter?.record(now)
            try check(now <= room, "\(now) images are in memory, which has room for \(room)")
            return now
        }

        func free() throws {
            let now = try used.add(-1) - 1
            meter?.record(now)
        }
    }
}
