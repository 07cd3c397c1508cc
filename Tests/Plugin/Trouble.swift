import Glibc
import ThreadLab

/// Everything that a scenario should not do, for the command line's tests.
struct Trouble: Scenario {
    static let name = "trouble"
    static let summary = "A scenario that does what it should not."
    static let lesson = "Whatever a scenario does, its run ends, and its trace tells what it did."
    static let guide: Guide? = .threads("Creating Threads")
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case none
        case crash, abort, busy, semaphore, sleeper, swallow, quit, prints, error, misuse, many
        case leave
        case wrongThread = "wrong-thread"
        case hostileName = "hostile-name"
        case gamble, review
        case firstUse = "first-use"

        var summary: String {
            switch self {
            case .none: "does nothing"
            case .crash: "a worker looks for an element that is not there"
            case .abort: "a worker gives the process up"
            case .busy: "a worker loops without any operation"
            case .semaphore: "a worker waits for a semaphore that no thread signals"
            case .sleeper: "the same, while another thread sleeps for hours"
            case .swallow: "a worker ignores that the run has ended"
            case .quit: "a worker exits the process"
            case .leave: "the same, as if all were well"
            case .prints: "a worker prints to standard output"
            case .error: "an error leaves a worker"
            case .misuse: "a worker unlocks a mutex that it does not hold"
            case .wrongThread: "a worker adds a source to the main thread's run loop"
            case .many: "a worker does ten thousand things"
            case .gamble: "a worker gives the process up, or does not"
            case .firstUse: "the main thread and a worker meet in the first use of a constant"
            case .review: "the review of what is left never ends"
            case .hostileName: "names, texts and errors hold what a terminal would act on"
            }
        }

        var expectation: Expectation {
            switch self {
            case .error: .must(.error)
            case .gamble: .may(.crash)
            default: .completes
            }
        }
    }

    @Parameter("what goes wrong") var variant = Variant.none
    @Parameter("words that the worker notes down") var steps = 1

    struct Broken: Error, CustomStringConvertible {
        var description = "the worker broke\ninto \u{1B}[31mtwo\u{1B}[0m"
    }

    func run() throws {
        let mutex = Mutex("m")
        let loop = variant == .wrongThread ? RunLoop.current : nil
        let worker = try Thread(variant == .hostileName ? "a\u{1B}[31m\nb\u{202E}\u{7}c" : "worker") {
            try mutex.withLock { note("begins") }
            try misbehave(mutex)
            try loop?.add(InputSource("a source") {})
        }
        if variant == .firstUse { try check(Constant.value == 7, "it is initialized once") }
        try worker.join()
    }

    /// Its initialization lasts long enough for another thread to come.
    private enum Constant {
        static let value: Int = {
            usleep(100_000)
            return 7
        }()
    }

    func review(_ remains: Remains) throws { while variant == .review { sched_yield() } }

    private func misbehave(_ mutex: Mutex) throws {
        switch variant {
        case .none, .review, .wrongThread: return
        case .firstUse: try check(Constant.value == 7, "it is initialized once")
        case .gamble: if try choose(2) == 1 { Glibc.abort() }
        case .crash:
            let element = [1, 2, 3][steps + 5]
            note("\(element)")
        case .abort: Glibc.abort()
        case .busy:
            tell("busy \(getpid())")
            while true {}
        case .semaphore: try Semaphore("never", value: 0).wait()
        case .sleeper:
            let never = try Semaphore("never", value: 0)
            try Thread.detach("sleeper") { while true { try Thread.sleep(for: .seconds(3600)) } }
            tell("waiting \(getpid())")
            try never.wait()
        case .swallow:
            _ = try Thread("fails") { throw Broken() }
            while true { try? mutex.withLock {} }
        case .quit: Glibc.exit(7)
        case .leave: Glibc.exit(0)
        case .prints:
            print("hello from the scenario")
            note("has printed")
        case .error: throw Broken()
        case .misuse: try mutex.unlock()
        case .many:
            let count = Atomic("count", 0)
            for _ in 0..<10_000 { try count.add(1) }
        case .hostileName:
            let odd = Mutex("\u{1B}]0;title\u{7}\r")
            try odd.withLock { note("\u{1B}[2J\u{2028}\u{0}") }
            _ = try Mutex("").tryLock()
            throw Broken()
        }
    }

    /// Reports its progress at once to the process that started the program.
    private func tell(_ word: String) {
        print(word)
        fflush(nil)
    }
}
