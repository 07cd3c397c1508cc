import Testing
import ThreadLab
import ThreadLabTesting

/// `exploreOperations` as a test of another package calls it.
@Suite struct OperationTests {
    /// A stack of linked cells by Treiber (1986), or one whose `pop` reads and writes the head in two steps.
    final class Stack: @unchecked Sendable {
        private let head = Atomic("head", 0)
        /// The cells, from number 1 on: never changed once they are made.
        private var cells: [(value: Int, next: Int)] = [(0, 0)]
        private let isBroken: Bool

        init(isBroken: Bool = false) { self.isBroken = isBroken }

        func push(_ value: Int) throws {
            while true {
                let top = try head.load()
                cells.append((value, top))
                if try head.compareExchange(expected: top, desired: cells.count - 1).exchanged { return }
            }
        }

        func pop() throws -> Int? {
            while true {
                let top = try head.load()
                if top == 0 { return nil }
                let (value, next) = cells[top]
                if isBroken {
                    try head.store(next)
                    return value
                }
                if try head.compareExchange(expected: top, desired: next).exchanged { return value }
            }
        }
    }

    private func list(_ list: inout OperationList<Stack, [Int]>) {
        list.operation("push", 1...2) {
            try $0.push($1)
        } model: {
            $0.append($1)
        }
        list.operation("pop") {
            try $0.pop()
        } model: {
            $0.popLast()
        }
    }

    @Test func `a stack without a fault is proved for every combination of calls`() throws {
        let result = try exploreOperations(
            of: { Stack() }, model: [Int](), each: 2, .exhaustive, time: .seconds(120), operations: list)
        #expect(result.triedEverything)
        #expect(result.combinations == 90)
        #expect(result.finding == nil)
    }

    @Test func `a fault is shown with the fewest calls, as a table, with the nearest legal order`() {
        let text = issueText {
            try exploreOperations(of: { Stack(isBroken: true) }, model: [Int](), operations: list)
        }
        let report = """
            assertion: An assertion failed: no legal order of the calls has these results
            thread 1   thread 2
            push(1)
            pop() …
                       pop() …
            … → 1
                       … → 1

            Not linearizable: no legal order of the calls has these results.
            The nearest legal order:
              1. thread 1  push(1)
              2. thread 1  pop() → 1
              3. thread 2  pop() → nil   instead of 1
            """
        #expect(text.hasPrefix(report), "\(text)")
        #expect(
            text.contains(#"replaying: "push(1), pop() | pop(): 0x2,1x7,2x5,1x2,0x2")"#))
    }

    @Test func `the call that a failure shows repeats it`() {
        let text = issueText {
            try exploreOperations(
                of: { Stack(isBroken: true) }, model: [Int](), replaying: "push(1), pop() | pop(): 0x2,1x7,2x5,1x2,0x2",
                operations: list)
        }
        #expect(text.contains("instead of 1"))
    }

    @Test func `what cannot be replayed is an error of the call`() {
        #expect(throws: TestingError.self) {
            try exploreOperations(of: { Stack() }, model: [Int](), replaying: "push(7): 0", operations: list)
        }
        // swift-format-ignore: OnlyOneTrailingClosureArgument
        #expect(throws: TestingError.self) { try exploreOperations(of: { Stack() }, model: [Int]()) { _ in } }
        #expect(throws: TestingError.self) {
            try exploreOperations(of: { Stack() }, model: [Int](), threads: 3, each: 30, operations: list)
        }
    }

    @Test func `a search that has to try everything and cannot fails`() {
        let text = issueText {
            try exploreOperations(
                of: { Stack() }, model: [Int](), each: 1, .exhaustive, rules: RunRules(maximumSteps: 16),
                operations: list)
        }
        #expect(text.contains("not all were tried in every order"))
    }

    // MARK: - Errors

    struct Empty: Error {}

    @Test(arguments: [false, true]) func `an error is an answer, which the model must give too`(_ isRight: Bool) {
        func search() throws {
            // swift-format-ignore: OnlyOneTrailingClosureArgument
            try exploreOperations(of: { Stack() }, model: [Int](), each: 1) {
                $0.operation("push", [1]) {
                    try $0.push($1)
                } model: {
                    $0.append($1)
                }
                $0.operation("pop") { stack in
                    guard let value = try stack.pop() else { throw Empty() }
                    return value
                } model: { model in
                    guard let value = model.popLast() else {
                        if isRight { throw Empty() }
                        return 0
                    }
                    return value
                }
            }
        }
        if isRight {
            #expect(throws: Never.self) { try search() }
        } else {
            #expect(issueText(search).contains("pop() → 0   instead of throws Empty()"))
        }
    }

    // MARK: - Waiting

    /// A queue whose `take` waits for a value, which `put` hands over; or one that hands nothing over if two wait.
    final class WaitingQueue: @unchecked Sendable {
        private let handedOver: Semaphore
        private let lock = Mutex("lock")
        private var queue: [Int] = []
        private var handed: [Int] = []
        private var waiting = 0
        private let isBroken: Bool

        init(isBroken: Bool) throws {
            handedOver = try Semaphore("handed over", value: 0)
            self.isBroken = isBroken
        }

        func put(_ value: Int) throws {
            try lock.withLock {
                guard waiting > 0, !(isBroken && waiting == 2) else { return queue.append(value) }
                waiting -= 1
                handed.append(value)
                try handedOver.signal()
            }
        }

        func take() throws -> Int {
            let value: Int? = try lock.withLock {
                if !queue.isEmpty { return queue.removeFirst() }
                waiting += 1
                return nil
            }
            if let value { return value }
            try handedOver.wait()
            return try lock.withLock { handed.removeFirst() }
        }
    }

    private func list(_ list: inout OperationList<WaitingQueue, [Int]>) {
        list.operation("put", [1]) {
            try $0.put($1)
        } model: {
            $0.append($1)
        }
        list.operation("take") {
            try $0.take()
        } model: { values in
            if values.isEmpty { throw MustWait() }
            return values.removeFirst()
        }
    }

    @Test func `calls that the model lets wait may wait forever`() throws {
        let result = try exploreOperations(
            of: { try WaitingQueue(isBroken: false) }, model: [Int](), threads: 3, each: 1, .exhaustive,
            time: .seconds(120), operations: list)
        #expect(result.triedEverything)
    }

    @Test func `a call that waits although the model would let it continue is a finding`() {
        let text = issueText {
            try exploreOperations(
                of: { try WaitingQueue(isBroken: true) }, model: [Int](), threads: 3, each: 1, operations: list)
        }
        #expect(text.contains("no legal order of the calls leaves these calls waiting"))
        #expect(text.contains("take() … does not return"))
        #expect(text.contains("a call returns that is waiting"))
    }

    @Test func `a wait that may time out at any moment cannot show that no thread continues`() {
        #expect(throws: TestingError.self) {
            try exploreOperations(
                of: { try WaitingQueue(isBroken: false) }, model: [Int](), rules: RunRules(timeouts: .any),
                operations: list)
        }
    }

    @Test func `a deadlock of the object is a finding, with its history`() {
        final class Locks: @unchecked Sendable {
            let (a, b) = (Mutex("a"), Mutex("b"))
        }
        let text = issueText {
            try exploreOperations(of: { Locks() }, model: 0, each: 1) {
                $0.operation("left") { locks in
                    try locks.a.withLock { try locks.b.withLock {} }
                } model: { _ in
                }
                $0.operation("right") { locks in
                    try locks.b.withLock { try locks.a.withLock {} }
                } model: { _ in
                }
            }
        }
        #expect(text.hasPrefix("deadlock: "))
        #expect(text.contains("left() … does not return"))
    }

    // MARK: - Memory models

    /// A box for one value, which is there once the flag is raised.
    final class Box: @unchecked Sendable {
        private let isFull = Atomic("is full", false)
        private let value = Atomic("value", 0)
        private let hasOrders: Bool

        init(hasOrders: Bool) { self.hasOrders = hasOrders }

        func put(_ new: Int) throws {
            try value.store(new, ordering: .relaxed)
            try isFull.store(true, ordering: hasOrders ? .releasing : .relaxed)
        }

        func get() throws -> Int? {
            guard try isFull.load(ordering: hasOrders ? .acquiring : .relaxed) else { return nil }
            return try value.load(ordering: .relaxed)
        }
    }

    private func search(_ hasOrders: Bool, _ model: RunRules.Model) throws -> OperationsResult {
        // swift-format-ignore: OnlyOneTrailingClosureArgument
        try exploreOperations(
            of: { Box(hasOrders: hasOrders) }, model: Int?.none, each: 1, time: .seconds(60),
            rules: RunRules(model: model)
        ) {
            $0.operation("put", [1]) {
                try $0.put($1)
            } model: {
                $0 = $1
            }
            $0.operation("get") {
                try $0.get()
            } model: {
                $0
            }
        }
    }

    private final class Divider: @unchecked Sendable {
        private let value = Atomic("value", 1)

        func set(_ new: Int) throws { try value.store(new) }
        func divide() throws -> Int { 10 / (try value.load()) }
    }

    private static func dividers(_ list: inout OperationList<Divider, Int>) {
        list.operation("set", [0]) {
            try $0.set($1)
        } model: {
            $0 = $1
        }
        list.operation("divide") {
            try $0.divide()
        } model: {
            10 / max(1, $0)
        }
    }

    @Test func `an operation that crashes in a process of its own is a finding with its calls`() {
        let text = issueText {
            try exploreOperations(
                of: { Divider() }, model: 1, each: 1, .isolated, time: .seconds(600), operations: Self.dividers)
        }
        #expect(text.hasPrefix("crash: "))
        #expect(text.contains("Fatal error: Division by zero"))
        #expect(text.contains("divide() … does not return"))
    }

    @Test func `results are judged in processes of their own as in the test's process`() throws {
        let result = try exploreOperations(
            of: { Stack() }, model: [Int](), each: 1, .isolated, time: .seconds(600), operations: list)
        #expect(result.triedEverything && result.combinations > 0 && result.executions > 0)
        let texts = [ScheduleSearch.automatic, .isolated].map { search in
            issueText {
                try exploreOperations(
                    of: { Stack(isBroken: true) }, model: [Int](), search, time: .seconds(600), operations: list)
            }
        }
        #expect(texts[0] == texts[1] && texts[0].contains("no legal order"))
    }

    @Test func `a value that is seen before its flag is wrong under the model that allows it`() throws {
        #expect(try search(false, .sc).triedEverything)
        #expect(try search(false, .tso).triedEverything)
        #expect(try search(true, .rc11).triedEverything)
        let text = issueText { _ = try search(false, .rc11) }
        #expect(text.contains("get() → 1   instead of 0"))
        #expect(text.contains("RunRules(model: .rc11)"))
        #expect(text.contains("thread 2 sees an older value of value at OperationTests.swift"))
        #expect(!text.contains("finished calls"))
    }
}
