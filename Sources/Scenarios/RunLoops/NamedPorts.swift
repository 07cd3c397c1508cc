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
        """
    static let guide: Guide? = .runLoops("Configuring a Port-Based Input Source")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case waiting
        case tooEarly = "too-early"
        case taken
        case gone

        var summary: String {
            switch self {
            case .waiting: "the client waits until the name is there, and until the reply comes"
            case .tooEarly: "the client looks the name up once, and expects it to be there"
            case .taken: "another port has the service's name, and the client waits forever for its reply"
            case .gone: "the service has left, but not its name: the request tells the client"
            }
        }

        var expectation: Expectation {
            switch self {
            case .waiting, .gone: .completes
            case .tooEarly: .may(.assertion)
            case .taken: .may(.deadlock)
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.waiting
    @Parameter("number to square", in: 0...1000) var number = 7

    private static let serviceName = "squares"

    func run() throws {
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
}
