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
        """
    static let guide: Guide? = .classDesign(
        "Pitfalls of GCD", "Using dispatch_async for Memory-Intensive Operations")
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case unbounded
        case bounded
        case cancelled

        var summary: String {
            switch self {
            case .unbounded: "every image is queued at once"
            case .bounded: "the producer waits until one of the images in progress is done"
            case .cancelled: "when memory is short, the operations that have not begun are cancelled"
            }
        }

        var expectation: Expectation { self == .unbounded ? .must(.assertion) : .completes }
    }

    @Parameter("variant of the program") var variant = Variant.unbounded
    @Parameter("number of images", in: 3...100) var images = 3
    @Parameter("images that memory has room for", in: 1...10) var room = 2
    @Parameter("time to decode one", in: .zero ... .seconds(1)) var work = Duration.milliseconds(10)

    func run() throws {
        let memory = Memory(room)
        switch variant {
        case .unbounded, .bounded:
            let queue = try WorkQueue("decoder")
            let slots = try Semaphore("room", value: variant == .bounded ? room : images)
            for _ in 0..<images {
                try slots.wait()
                try memory.allocate()
                try queue.async {
                    try Thread.sleep(for: work)
                    try memory.free()
                    try slots.signal()
                }
            }
            try queue.sync {}
        case .cancelled:
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
    }

    /// The images in memory: waiting, or being decoded.
    private struct Memory: Sendable {
        let room: Int
        let used = Atomic("images in memory", 0)

        init(_ room: Int) { self.room = room }

        func isFull() throws -> Bool { try used.load() >= room }

        func allocate() throws {
            let now = try used.add(1) + 1
            try check(now <= room, "\(now) images are in memory, which has room for \(room)")
        }

        func free() throws { try used.add(-1) }
    }
}
