// The scenario of the article on scenarios, word for word: `ArticleTests` compares it.
import ThreadLab

struct TwoAdders: Scenario {
    static let name = "two-adders"
    static let summary = "Two threads add to a counter that they share."
    static let lesson = "`count = count + 1` is a read and a write: another thread can come in between."
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case plain, locked

        var summary: String { self == .plain ? "nothing protects the counter" : "a mutex protects the counter" }
        var expectation: Expectation { self == .plain ? .may(.race, .assertion) : .completes }
    }

    @Parameter("how the counter is protected") var variant = Variant.plain
    @Parameter("how often each thread adds", in: 1...100) var rounds = 1

    func run() throws {
        let lock = Mutex("lock")
        let count = Shared("count", 0)
        let add: @Sendable () throws -> Void = {
            for _ in 0..<rounds {
                if variant == .locked { try lock.lock() }
                try count.update { $0 + 1 }
                if variant == .locked { try lock.unlock() }
            }
        }
        let other = try Thread("other") { try add() }
        try add()
        try other.join()
        try check(count.read(), is: 2 * rounds, "an addition was lost")
    }
}

extension Remark {
    static let doorEntered = Remark("door.enter", "come through {object}")
}

final class Door: Sendable {
    private let shown = TracedObject("door")
    private let guests = Atomic("guests", 0)

    func enter() throws {
        try guests.add(1)
        shown.record(.doorEntered)
    }
}
