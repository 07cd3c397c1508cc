import Authoring

/// A call that is delayed to the next turn of the loop, in the hope that everything is ready by then.
struct AsyncFix: Scenario {
    static let name = "async-fix"
    static let summary = "The main thread uses data that a worker loads, one turn of its loop later."
    static let lesson = """
        The data is not there yet, so the call that uses it is put off to the next turn of the run loop, and it \
        works: the worker is fast. Nothing guarantees that. The order of two calls in the loop depends on which \
        thread was faster, and the mistake is still there, only rarer. What has to come after something else must be \
        called by it: the worker's own call brings the data, and uses it.
        """
    static let guide: Guide? = .classDesign("Pitfalls of GCD", "Fixing Timing Issues with dispatch_async")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case nextTurn = "next-turn"
        case whenLoaded = "when-loaded"

        var summary: String {
            switch self {
            case .nextTurn: "the data is used in the next turn of the loop, whether it is there or not"
            case .whenLoaded: "the call that brings the data uses it"
            }
        }

        var expectation: Expectation { self == .nextTurn ? .may(.assertion) : .completes }
    }

    @Parameter("variant of the program") var variant = Variant.nextTurn
    @Parameter("bytes to load", in: 1...1000) var bytes = 100

    func run() throws {
        let loop = RunLoop.current
        try loop.add(InputSource("keeps the loop running") {})
        let data = Loaded()
        let worker = try Thread("worker") {
            try loop.perform {
                data.bytes = bytes
                note("the data is loaded")
                if variant == .whenLoaded { try use(data) }
            }
        }
        if variant == .nextTurn { try loop.perform { try use(data) } }
        while !data.isUsed || data.bytes == 0 { try loop.run() }
        try worker.join()
    }

    private func use(_ data: Loaded) throws {
        data.isUsed = true
        try check(data.bytes == bytes, "the data is used before it is loaded")
    }

    /// Only the main thread uses it.
    private final class Loaded: @unchecked Sendable {
        var bytes = 0
        var isUsed = false
    }
}
