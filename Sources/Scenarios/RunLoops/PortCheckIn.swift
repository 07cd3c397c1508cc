import Authoring

/// A worker that sends its port to the main thread: the guide's check-in message.
struct PortCheckIn: Scenario {
    static let name = "port-check-in"
    static let summary = "A worker checks in with the main thread, and the two talk through a port each."
    static let lesson = """
        A port is a queue of messages that a run loop watches. Unlike a custom source it needs no signal and no \
        wake-up: a message wakes the loop by itself. A port receives; for a conversation each side needs one. The \
        main thread gives its port to the worker it starts. The worker makes its own port on its own thread, adds it \
        to its own loop, and sends it to the main thread in a first message. When the main thread has that message, it \
        knows that the worker is ready.

        Without the check-in the main thread has to guess when the worker's port is there. And a port is in modes \
        like every source: in a mode that does not run, its messages wait.
        """
    static let guide: Guide? = .runLoops("Configuring a Port-Based Input Source")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case checkIn = "check-in"
        case guess
        case otherMode = "other-mode"
        case gone

        var summary: String {
            switch self {
            case .checkIn: "the worker's first message brings its port, and the main thread answers it"
            case .guess: "the main thread takes the worker's port from shared memory, without a check-in"
            case .otherMode: "the worker adds its port to a mode in which its loop never runs"
            case .gone: "the worker invalidates its port after the check-in: the main thread learns that it is gone"
            }
        }

        var expectation: Expectation {
            switch self {
            case .checkIn, .gone: .completes
            case .guess: .may(.assertion)
            case .otherMode: .must(.deadlock)
            }
        }

        var guide: Guide? { self == .otherMode ? .runLoops("Run Loop Modes") : nil }
    }

    @Parameter("variant of the program") var variant = Variant.checkIn
    @Parameter("number of commands", in: 1...100) var commands = 1

    private static let (checkIn, command, done) = (100, 1, 2)  // the numbers of the kinds of messages

    func run() throws {
        let inbox = Inbox()
        let mainPort = Port("main's port") { inbox.last = $0 }
        try RunLoop.current.add(mainPort)
        let announced = Announced()
        let worker = try Thread("worker") { try work(mainPort, announced) }
        if variant == .guess {
            try check(announced.isThere.load(), "the worker has no port yet")
            inbox.last = PortMessage(Self.checkIn, replyPort: announced.port)
        } else {
            try RunLoop.current.run()
        }

        guard let workerPort = inbox.last?.replyPort else { return try check(false, "the worker sent no port") }
        for _ in 1...commands {
            if try workerPort.send(PortMessage(Self.command)) == .gone {
                try check(variant == .gone, "the worker's port is gone")
                note("the worker is gone, and the command was not sent")
                break
            }
            if variant != .gone { try RunLoop.current.run() }
        }
        try worker.join()
    }

    private func work(_ mainPort: Port, _ announced: Announced) throws {
        let handled = Handled()
        let port = Port("worker's port") { message in
            note("handles command \(message.id)")
            handled.count += 1
            try mainPort.send(PortMessage(Self.done))
        }
        try RunLoop.current.add(port, to: variant == .otherMode ? .modalPanel : .default)
        if variant == .otherMode { try RunLoop.current.add(InputSource("keeps the loop running") {}) }
        if variant == .gone { try port.invalidate() }
        if variant == .guess {
            announced.port = port
            try announced.isThere.store(true)
        } else {
            try mainPort.send(PortMessage(Self.checkIn, replyPort: port))
        }
        while variant != .gone && handled.count < commands { try RunLoop.current.run() }
    }

    /// What the main thread received. Only the main thread uses it.
    private final class Inbox: @unchecked Sendable {
        var last: PortMessage?
    }

    /// Only the worker uses it.
    private final class Handled: @unchecked Sendable {
        var count = 0
    }

    /// The worker's port in shared memory: written before the flag, and read after it.
    private final class Announced: @unchecked Sendable {
        let isThere = Atomic("worker's port is there", false)
        var port: Port?
    }
}
