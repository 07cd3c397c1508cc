import Authoring

/// A handler that runs the loop again.
struct RunLoopNested: Scenario {
    static let name = "run-loop-nested"
    static let summary = "A handler waits for an answer by running its own run loop again."
    static let lesson = """
        A handler may run its loop again, in any mode. While it does, the outer run waits for the handler, as for \
        every other handler. In the same mode the inner run handles the events of the outer one too, so a handler can \
        be called while an earlier call of it is still waiting: the calls end in the reverse order, and what the first \
        one had begun is not finished. In a mode of its own the inner run handles only what it waits for.
        """
    static let guide: Guide? = .runLoops("Starting the Run Loop")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case ownMode = "own-mode"
        case sameMode = "same-mode"

        var summary: String {
            switch self {
            case .ownMode: "the inner run is in a mode that has only the answer's port"
            case .sameMode: "the inner run is in the default mode, and handles the next order before the answer"
            }
        }

        var expectation: Expectation { self == .ownMode ? .completes : .must(.assertion) }
    }

    @Parameter("variant of the program") var variant = Variant.ownMode
    @Parameter("number of orders", in: 2...20) var orders = 2

    func run() throws {
        let loop = RunLoop.current
        let mode: RunLoop.Mode = variant == .ownMode ? "answer" : .default
        let desk = Desk()
        let answers = Port("answers") { _ in desk.answered += 1 }
        try loop.add(answers, to: mode)
        let counter = Port("orders") { order in
            try desk.begin(order.id)
            let sent = desk.answered + 1
            try loop.perform(after: .milliseconds(1), inModes: [mode]) { try answers.send(PortMessage(order.id)) }
            while desk.answered < sent { try loop.run(mode: mode) }
            desk.finish(order.id)
        }
        try loop.add(counter)
        for order in 1...orders { try counter.send(PortMessage(order)) }
        while desk.finished < orders { try loop.run() }
    }

    /// Orders must be finished one after the other. Only the main thread uses this.
    private final class Desk: @unchecked Sendable {
        var answered = 0
        private(set) var finished = 0
        private var open: Int?

        func begin(_ order: Int) throws {
            note("order \(order) begins")
            if let open { try check(false, "order \(order) began while order \(open) waited for its answer") }
            open = order
        }

        func finish(_ order: Int) {
            note("order \(order) is finished")
            open = nil
            finished += 1
        }
    }
}
