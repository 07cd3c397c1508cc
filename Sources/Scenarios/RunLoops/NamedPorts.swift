import Authoring

/// A service that clients find by its port's name, and ask with a time-out.
struct NamedPorts: Scenario {
    static let name = "named-ports"
    static let summary = "A client finds a service's port by its name, and asks it for a square."
    static let lesson = """
        A name server lets threads find a port without handing it over: the service registers its port under a name, \
        and clients look it up. The name may not be there yet, another port may have it, and a port may be gone \
        although its name is still there. A client that waits for the name and for the reply, each with a time limit, \
        and looks at what came back, is prepared for all three. A request runs the client's own loop, in a mode in \
        which only the reply counts.

        Names also let a worker check in without handing over its port: it makes a port under a name of its own, and \
        sends that name to the port whose name it knows. And a port that has room for a limited number of messages makes \
        its senders wait while it is full: a send with a time limit gives up instead.
        """
    static let guide: Guide? = .runLoops("Configuring a Port-Based Input Source")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case waiting
        case tooEarly = "too-early"
        case taken
        case gone
        case checkIn = "check-in"
        case full
        case sendLimit = "send-limit"

        var summary: String {
            switch self {
            case .waiting: "the client waits until the name is there, and until the reply comes"
            case .tooEarly: "the client looks the name up once, and expects it to be there"
            case .taken: "another port has the service's name, and the client waits forever for its reply"
            case .gone: "the service has left, but not its name: the request tells the client"
            case .checkIn: "a worker makes a port of its own, and checks in with the port's name"
            case .full: "a client sends to a full port, whose owner waits for the client"
            case .sendLimit: "the same, and the client gives up sending after a time"
            }
        }

        var expectation: Expectation {
            switch self {
            case .waiting, .gone, .checkIn, .sendLimit: .completes
            case .tooEarly: .may(.assertion)
            case .taken: .may(.deadlock)
            case .full: .must(.deadlock)
            }
        }

        var unusedParameters: Set<String> { self == .full || self == .sendLimit ? ["number"] : [] }
    }

    @Parameter("variant of the program") var variant = Variant.waiting
    @Parameter("number to square", in: 0...1000) var number = 7

    private static let serviceName = "squares"

    func run() throws {
        switch variant {
        case .waiting, .tooEarly, .taken, .gone: try find()
        case .checkIn: try checkIn()
        case .full, .sendLimit: try fill()
        }
    }

    private func find() throws {
        let names = MessagePortNameServer("port names")
        let left = try Semaphore("service has left", value: 0)
        let service = try Thread("service") { try serve(names, left) }
        if variant == .taken {
            // A port that no loop watches.
            _ = try names.register(Port("impostor") { _ in }, as: Self.serviceName)
        }
        let patience: Instant = variant == .tooEarly ? .distantPast : .now + .seconds(1)
        let port = try names.port(named: Self.serviceName, until: patience)
        try check(port != nil, "there is no port named \(Self.serviceName)")
        if variant == .gone { try left.wait() }
        if let port { try ask(port) }
        try service.join()
    }

    private func ask(_ port: Port) throws {
        switch try port.request(number) {
        case .reply(let message):
            note("the square of \(number) is \(message.id)")
            try check(message.id == number * number, "the reply is \(message.id)")
        case .gone: try check(variant == .gone, "the service is gone")
        case .sendTimedOut, .replyTimedOut: try check(false, "there is no reply")
        }
    }

    private func serve(_ names: MessagePortNameServer, _ left: Semaphore) throws {
        let port = Port("service's port") { message in
            try message.replyPort?.send(PortMessage(message.id * message.id))
        }
        try RunLoop.current.add(port)
        guard try names.register(port, as: Self.serviceName) else {
            note("the name is taken")
            return
        }
        if variant != .gone { try RunLoop.current.run() }
        try port.invalidate()
        try left.signal()
    }

    // MARK: - Check-in by name

    /// The guide's listing with `CFMessagePort`: the worker knows the name of main's port, and sends its own.
    private func checkIn() throws {
        let names = MessagePortNameServer("port names")
        let inbox = Inbox()
        let mainPort = Port("main's port") { inbox.last = $0 }
        try RunLoop.current.add(mainPort)
        _ = try names.register(mainPort, as: "main")
        let worker = try Thread("worker") { try work(names, replyTo: "main") }

        try RunLoop.current.run()
        let name = inbox.last?.content as? String
        note("a worker has checked in as \(name ?? "nothing")")
        let port = try name.flatMap { try names.port(named: $0) }
        try check(port != nil, "there is no port named \(name ?? "nothing")")
        if let port { try ask(port) }
        try worker.join()
    }

    private func work(_ names: MessagePortNameServer, replyTo mainName: String) throws {
        let port = Port("worker's port") { message in
            try message.replyPort?.send(PortMessage(message.id * message.id))
        }
        try RunLoop.current.add(port)
        // Registered before the check-in, because main looks the name up as soon as it receives it.
        try check(try names.register(port, as: "worker 1"), "another worker has the name")
        let delivery = try names.port(named: mainName)?.send(
            PortMessage(0, "worker 1"), before: .now + .milliseconds(100))
        try check(delivery == .sent, "the check-in was not sent")
        try RunLoop.current.run()
        try names.remove("worker 1")
        try port.invalidate()
    }

    /// What the main thread received. Only the main thread uses it.
    private final class Inbox: @unchecked Sendable {
        var last: PortMessage?
    }

    // MARK: - A full port

    /// The owner of the port receives nothing before the client is done.
    private func fill() throws {
        let names = MessagePortNameServer("port names")
        let isDone = try Semaphore("client is done", value: 0)
        let service = try Thread("service") {
            let port = Port("service's port", limit: 1) { note("receives message \($0.id)") }
            try RunLoop.current.add(port)
            _ = try names.register(port, as: Self.serviceName)
            try isDone.wait()
            try RunLoop.current.run()
        }
        let port = try names.port(named: Self.serviceName, until: .distantFuture)
        for number in 1...2 {
            let deadline: Instant = variant == .sendLimit ? .now + .milliseconds(100) : .distantFuture
            let delivery = try port?.send(PortMessage(number), before: deadline)
            note("message \(number): \(delivery?.rawValue ?? "no port")")
            try check(delivery == (number == 1 ? .sent : .timedOut), "message \(number) was \(delivery!.rawValue)")
        }
        try isDone.signal()
        try service.join()
    }
}
