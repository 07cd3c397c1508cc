import Authoring

/// The steps of one task as operations. Their dependencies determine the order.
struct OperationOrder: Scenario {
    static let name = "operation-order"
    static let summary = "A picture is loaded, decoded and shown, each step an operation of one queue."
    static let lesson = """
        A queue that runs several operations at once promises no order among them, whatever the order in which they \
        were added. A dependency is such a promise: an operation begins when all that it depends on have finished. It \
        is to operations what a condition is to threads, but nothing is blocked meanwhile, and the order is written in \
        one place.

        Dependencies in a cycle leave nothing that could begin first. No thread holds or waits for anything then: \
        the queue has operations, and runs none. An operation that is never added does the same to those that depend \
        on it. Ask the queue for its operations, and each for what it waits for: that is why operations have names.

        What to try: 'run operation-order --variant cycle', and read what waits for what.
        """
    static let guide: Guide? = .classDesign(
        "Pitfalls of GCD", "Using dispatch_async to Dispatch Memory-Intensive Operations")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case ordered
        case missing
        case cycle
        case notAdded = "not-added"
        case listed

        var summary: String {
            switch self {
            case .ordered: "each step depends on the one before it"
            case .missing: "the dependency of the last step is missing"
            case .cycle: "loading depends on showing too: no step can begin"
            case .notAdded: "the step in the middle is not added to the queue"
            case .listed: "the main thread prints what runs and what waits while the picture is loaded"
            }
        }

        var expectation: Expectation {
            switch self {
            case .ordered, .listed: .completes
            case .missing: .may(.assertion)
            case .cycle, .notAdded: .must(.deadlock)
            }
        }

        var guide: Guide? { self == .ordered || self == .missing ? .basics("Synchronization Tools") : nil }
    }

    @Parameter("variant of the program") var variant = Variant.ordered
    @Parameter("operations that the queue runs at once", in: 2...8) var limit = 2

    /// An idle worker waits for a second before it ends. Only then is it certain that nothing more happens.
    var expectedDuration: Duration { variant == .notAdded ? .seconds(1) : .zero }

    func run() throws {
        let queue = try OperationQueue("pictures", maxConcurrentOperationCount: limit)
        let picture = Picture()
        let (isLoading, hasLooked) = (try Semaphore("load runs", value: 0), try Semaphore("main has looked", value: 0))
        let load = BlockOperation("load") { _ in
            if variant == .listed {
                try isLoading.signal()
                try hasLooked.wait()
            }
            try picture.advance(to: .loaded)
        }
        let decode = BlockOperation("decode") { _ in try picture.advance(to: .decoded) }
        let show = BlockOperation("show") { _ in try picture.advance(to: .shown) }

        try decode.addDependency(on: load)
        if variant != .missing { try show.addDependency(on: decode) }
        if variant == .cycle { try load.addDependency(on: show) }

        // No operation begins before all have been added.
        try queue.suspend()
        try queue.addOperation(load)
        if variant != .notAdded { try queue.addOperation(decode) }
        try queue.addOperation(show)
        try queue.resume()
        if variant == .listed {
            try isLoading.wait()
            try list(queue)
            try hasLooked.signal()
        }
        try queue.waitUntilAllOperationsAreFinished()
        try check(picture.stage.load() == Stage.shown.rawValue, "the picture is not shown")
    }

    /// Notes what the queue runs, and which operations wait for which.
    private func list(_ queue: OperationQueue) throws {
        let summaries = try queue.operations().map { try $0.summary() }
        for summary in summaries { note(summary) }
        try check(
            summaries == ["load runs", "decode waits for load", "show waits for decode"],
            "the operations say \(summaries)")
    }

    private enum Stage: Int {
        case none, loaded, decoded, shown
    }

    /// The state of the picture. Each step needs the one before it.
    private struct Picture: Sendable {
        let stage = Atomic("stage", Stage.none.rawValue)

        func advance(to next: Stage) throws {
            let now = try stage.load()
            try check(now == next.rawValue - 1, "the picture is to be \(next), but is \(Stage(rawValue: now)!)")
            try stage.store(next.rawValue)
        }
    }
}
