import Authoring

/// Sections of code that exclude each other by the object that they name.
struct Synchronized: Scenario {
    static let name = "synchronized"
    static let summary = "Two threads change data in sections that are protected by a token."
    static let lesson = """
        A section that is synchronized on a token runs in one thread at a time: no lock has to be created, any \
        object can be the token. Only its identity counts. Sections with another token run at the same time, which \
        is right for other data and wrong for the same data. A token that is nil protects nothing, and no error says \
        so. The lock is recursive, and an error that leaves the section releases it: that is convenient, but the \
        data may be half changed.
        """
    static let guide: Guide? = .synchronization("Using the @synchronized Directive")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case sameToken = "same-token"
        case ownTokens = "own-tokens"
        case nilToken = "nil-token"
        case otherData = "other-data"
        case nested
        case error

        var summary: String {
            switch self {
            case .sameToken: "both threads use the same token for the balance"
            case .ownTokens: "each thread uses a token of its own for the same balance"
            case .nilToken: "both threads use a token that is nil"
            case .otherData: "two tokens for two balances: both threads are in their sections at the same time"
            case .nested: "a section calls a function with a section of the same token"
            case .error: "an error leaves a section, and the other thread gets in"
            }
        }

        var expectation: Expectation {
            switch self {
            case .ownTokens, .nilToken: .must(.race)
            case .sameToken, .otherData, .nested, .error: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.sameToken
    @Parameter("amount of each deposit", in: 1...1000) var amount = 10

    func run() throws {
        switch variant {
        case .sameToken:
            let token = Token()
            try deposit(with: [token, token])
        case .ownTokens: try deposit(with: [Token(), Token()])
        case .nilToken: try deposit(with: [nil, nil])
        case .otherData: try meetInside()
        case .nested: try depositTwice()
        case .error: try recover()
        }
    }

    /// An object whose contents do not matter.
    private final class Token: Sendable {}

    private struct Refused: Error {}

    private func deposit(with tokens: [Token?]) throws {
        let locks = TokenLocks()
        let balance = Shared("balance", 0)
        let clerks = try tokens.enumerated().map { number, token in
            try Thread("clerk \(number + 1)") {
                try locks.synchronized(token) { try balance.update { $0 + amount } }
            }
        }
        for clerk in clerks { try clerk.join() }
    }

    /// Each thread waits inside its section until the other is in its own.
    private func meetInside() throws {
        let locks = TokenLocks()
        let bothInside = try Barrier("both are inside", parties: 2)
        let clerks = try (1...2).map { number in
            let token = Token()
            return try Thread("clerk \(number)") {
                try locks.synchronized(token, "account \(number)") { _ = try bothInside.wait() }
            }
        }
        for clerk in clerks { try clerk.join() }
    }

    private func depositTwice() throws {
        let locks = TokenLocks()
        let token = Token()
        let balance = Shared("balance", 0)
        let clerks = try (1...2).map { number in
            try Thread("clerk \(number)") {
                try locks.synchronized(token, "account") {
                    let before = try balance.read()
                    for _ in 1...2 {
                        try locks.synchronized(token) { try balance.update { $0 + amount } }
                    }
                    try check(balance.read() == before + 2 * amount, "another clerk was in the section too")
                }
            }
        }
        for clerk in clerks { try clerk.join() }
    }

    private func recover() throws {
        let locks = TokenLocks()
        let token = Token()
        let balance = Shared("balance", 0)
        let clerks = try (1...2).map { number in
            try Thread("clerk \(number)") {
                do {
                    try locks.synchronized(token, "account") {
                        if number == 1 { throw Refused() }
                        try balance.update { $0 + amount }
                    }
                } catch is Refused {
                    note("refused: the section is free again")
                }
            }
        }
        for clerk in clerks { try clerk.join() }
        try check(balance.read() == amount, "the other clerk's deposit is missing")
    }
}
