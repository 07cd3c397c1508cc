import Glibc
import ThreadLab

/// What a scenario can do to the search that runs it: die in some interleavings only, or behave differently each time.
struct Mishap: Scenario {
    static let name = "mishap"
    static let summary = "Two threads set a flag each; what happens then depends on which is first."
    static let lesson = "A search survives what it runs, and says so if that cannot be searched."
    static let guide: Guide? = .threads("Creating Threads")
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case crash, hang, quit
        case crashTwice = "crash-twice"
        case atOnce = "at-once"
        case clock, leftover
        case hashOrder = "hash-order"
        case tells, sometimes

        var summary: String {
            switch self {
            case .crash: "the process dies if the second thread is first"
            case .hang: "a thread loops if the second one is first"
            case .quit: "the process exits if the second thread is first"
            case .crashTwice: "the process dies at one place or at another, whichever thread is first"
            case .atOnce: "the process dies before its first step"
            case .clock: "what is written is the time"
            case .leftover: "what is written is how often the scenario has run"
            case .hashOrder: "the threads are started in the order of a set"
            case .tells: "too large to be searched; the first run says that it has begun"
            case .sometimes: "an error leaves the first thread, unless the second one is first"
            }
        }

        var expectation: Expectation {
            switch self {
            case .crash, .quit, .crashTwice: .may(.crash)
            case .atOnce: .must(.crash)
            case .sometimes: .must(.error)
            case .hang: .may(.timeout)
            case .clock, .leftover, .hashOrder, .tells: .completes
            }
        }
    }

    @Parameter("what goes wrong") var variant = Variant.crash

    /// One thread at a time runs a scenario.
    nonisolated(unsafe) private static var runs = 0

    func run() throws {
        switch variant {
        case .clock: try Atomic("time", 0).store(Int(clock()) + Int(time(nil)) * 1_000_000_000)
        case .leftover:
            Self.runs += 1
            try Atomic("runs", 0).store(Self.runs)
        case .hashOrder: try startInOrder()
        case .atOnce: fatalError("at once")
        case .tells: try tell()
        case .crash, .hang, .quit, .crashTwice, .sometimes: try race()
        }
    }

    private func startInOrder() throws {
        let names: Set = ["a", "b", "c", "d", "e", "f", "g", "h"]
        for name in names { try Thread(name) {}.join() }
    }

    private func tell() throws {
        Self.runs += 1
        if Self.runs == 1, let errors = fopen("/proc/\(getppid())/fd/2", "w") {
            // What a scenario prints in a search is dropped, so it uses another process's output.
            fputs("searching\n", errors)
            fclose(errors)
        }
        let count = Atomic("count", 0)
        let threads = try (0..<6).map { _ in try Thread { for _ in 0..<10 { try count.add(1) } } }
        for thread in threads { try thread.join() }
    }

    private func race() throws {
        let winner = Atomic("winner", 0)
        let threads = try (1...2).map { number in
            try Thread("thread \(number)") {
                if try winner.compareExchange(expected: 0, desired: number).exchanged {
                    try misbehave(number)
                }
            }
        }
        for thread in threads { try thread.join() }
    }

    private struct TooEarly: Error {}

    private func misbehave(_ winner: Int) throws {
        switch variant {
        case .crashTwice where winner == 1: Glibc.abort()
        case .crash, .crashTwice: if winner == 2 { fatalError("the second was first") }
        // A call that the optimizer cannot see through: it would remove a loop that does nothing.
        // Asleep, not computing: how soon it has used its time does not depend on how busy the processors are.
        case .hang: while winner == 2 { sleep(1) }
        case .quit: if winner == 2 { Glibc.exit(3) }
        case .sometimes: if winner == 1 { throw TooEarly() }
        default: return
        }
    }
}
