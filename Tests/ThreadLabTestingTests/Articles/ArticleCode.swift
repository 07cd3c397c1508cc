// The Swift code of docs/specifications.md and of the articles in docs/ThreadLab.docc, word for word: `ArticleTests` compares it.
import Support
import Testing
import ThreadLab
import ThreadLabTesting
import ThreadLabTypes

final class Account: Sendable {
    private let mutex = Mutex("account")
    private let amount: Shared<Int>

    init(_ amount: Int) { self.amount = Shared("amount", amount) }

    func balance() throws -> Int { try mutex.withLock { try amount.read() } }

    func deposit(_ sum: Int) throws {
        let before = try balance()
        try mutex.withLock { try amount.write(before + sum) }
    }
}

func twoAdditions() throws {
    let count = Atomic("count", 0)
    let other = try Thread("other") { try count.add(1) }
    try count.add(1)
    try other.join()
    try check(try count.load() == 2)
}

@Suite(.exploring(executions: 2_000)) struct CounterTests {
    @Test func twoAdditionsAreCounted() throws { try explore(twoAdditions) }

    @Test(.exploring(.exhaustive)) func everyOrderIsTried() throws { try explore(twoAdditions) }
}

final class Stack: @unchecked Sendable {
    private let lock = Lab.NSLock()
    private var items: [Int] = []

    func push(_ item: Int) { lock.withLock { items.append(item) } }

    func pop() -> Int? {
        let top = lock.withLock { items.last }
        if top != nil { lock.withLock { _ = items.popLast() } }
        return top
    }
}

@Suite struct ArticleCode {
    @Test func `the stack of the article fails as it says`() throws {
        let text = issueText { try stackIsLinearizable() }
        let article = try #require(Repository.text(of: "docs/specifications.md"))
        let table = article.split(separator: "\n\n").filter { $0.hasPrefix("    thread 1") || $0.hasPrefix("    Not ") }
        #expect(table.count == 2)
        for part in table {
            let lines = part.split(separator: "\n").map { $0.dropFirst(4) }
            #expect(text.contains(lines.joined(separator: "\n")), "\(text)")
        }
    }

    /// Not a test of its own here, because it fails.
    func stackIsLinearizable() throws {
        // swift-format-ignore: OnlyOneTrailingClosureArgument
        try exploreOperations(of: { Stack() }, model: [Int](), threads: 2, each: 2) {
            $0.operation("push", 1...2) {
                $0.push($1)
            } model: {
                $0.append($1)
            }
            $0.operation("pop") {
                $0.pop()
            } model: {
                $0.popLast()
            }
        }
    }

    @Test func `the first test of the article fails as it says`() {
        let text = issueText { try depositsAdd() }
        #expect(text.hasPrefix("assertion: "))
        #expect(text.contains("Replay: try replay("))
    }

    /// Not a test of its own here, because it fails.
    func depositsAdd() throws {
        try explore {
            let account = Account(0)
            let other = try Thread("other") { try account.deposit(10) }
            try account.deposit(1)
            try other.join()
            try check(try account.balance() == 11)
        }
    }

    @Test func everyOrderOfAdditionsIsTried() throws {
        #expect(try explore(twoAdditions).triedEveryOrder)
    }

    @Test func guestsComeThroughTheDoor() throws {
        try explore {
            let door = Door()
            let guest = try Thread("guest") { try door.enter() }
            try door.enter()
            try guest.join()
        }
    }

    @Test func eachNumberIsGivenOnce() throws {
        try explore {
            let last = Atomic("last", 0)
            let (a, b) = try concurrently {
                try last.add(1)
            } and: {
                try last.add(1)
            }
            #expect(a != b)
        }
    }

    @Test func lastWriterWins() throws {
        var seen: Set<Int> = []
        try explore {
            let value = Atomic("value", 0)
            let other = try Thread("other") { try value.store(2) }
            try value.store(1)
            try other.join()
            seen.insert(try value.load())
        }
        #expect(seen == [1, 2])
    }

    @Test func additionsAreCounted() throws {
        let result = try explore(.exhaustive, time: .seconds(30)) {
            let count = Atomic("count", 0)
            let threads = try (1...3).map { number in try Thread("adder \(number)") { try count.add(1) } }
            for thread in threads { try thread.join() }
            try check(try count.load() == 3)
        }
        #expect(result.triedEveryOrder)
    }

    @Test func additionsDoNotRace() throws {
        try run { try twoAdditions() }
    }

    @Test func lockingTwiceIsADeadlock() throws {
        try explore(expecting: .deadlock) {
            let mutex = Mutex("m")
            try mutex.lock()
            try mutex.lock()
        }
    }

    @Test func repeatsTheFailure() throws {
        try replay("0x2,1x2", expecting: .deadlock) {
            let (a, b) = (Mutex("a"), Mutex("b"))
            let other = try Thread("other") { try b.withLock { try a.withLock {} } }
            try a.withLock { try b.withLock {} }
            try other.join()
        }
    }

    @Test func waitsTakeNoTime() throws {
        try explore {
            let condition = Lab.NSCondition()
            condition.lock()
            let limit = Lab.Date(timeIntervalSinceNow: 3600)
            // A wait can end for no reason: so it is repeated.
            while condition.wait(until: limit) {}
            condition.unlock()
            try check(Lab.Date() >= limit)
        }
    }

    @Test func lockedAddersNeverFail() throws {
        var scenario = TwoAdders()
        scenario.variant = .locked
        scenario.rounds = 2
        #expect(try explore(scenario, .exhaustive).triedEveryOrder)
    }
}
