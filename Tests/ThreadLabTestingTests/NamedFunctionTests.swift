import Authoring
import Testing
import ThreadLabTesting
import ThreadLabTypes

/// Whatever takes a trailing closure takes a function by its name too. That it compiles is most of the test.
@Suite struct NamedFunctionTests {
    private static func lockTwice() throws {
        let mutex = Mutex("m")
        try mutex.lock()
        try mutex.lock()
    }

    @Test func `functions that are passed by name are explored, replayed and run`() throws {
        let body = { try Self.lockTwice() }
        for result in [
            try explore(body, expecting: .deadlock),
            try explore(Self.lockTwice, expecting: .deadlock),
            try explore(.exhaustive, expecting: .deadlock, body),
            try explore(expecting: .deadlock, body),
        ] {
            #expect(result.findings.map(\.outcome) == [.deadlock])
        }
        let harmless = {}
        #expect(try explore(harmless).triedEveryOrder)
        #expect(try explore(.exhaustive, harmless).triedEveryOrder)
        try replay("0", expecting: .deadlock, body)
        try run(harmless)
    }

    @Test func `functions that are passed by name name the line of the call`() {
        #expect(issueText { try explore(Self.lockTwice) }.contains("NamedFunctionTests.swift:\(line() - 21)"))
    }

    @Test func `functions that are passed by name are what threads run`() throws {
        let result = try explore(.random(executions: 20)) {
            let count = Atomic("count", 0)
            let add: @Sendable () throws -> Void = { try count.add(1) }
            let get: @Sendable () throws -> Int = { try count.load() }
            let look: @Sendable (ThreadObject<Int>) throws -> Int = { try $0.isCancelled() ? 0 : 1 }
            let attributes = ThreadAttributes()
            for thread in [try Thread(add), try Thread("adder", add), try Thread("adder", attributes, add)] {
                try thread.join()
            }
            try check(Thread.returning(get).join() == 3)
            try check(Thread.returning("reader", get).join() == 3)
            for object in [
                ThreadObject(get), ThreadObject("reader", get), ThreadObject("reader", attributes, get),
            ] {
                try object.start()
                try check(try object.join() == 3)
            }
            for object in [ThreadObject(look), ThreadObject("looker", look)] {
                try object.start()
                try check(try object.join() == 1)
            }
            let done = try Latch("done", count: 3)
            let arrive: @Sendable () throws -> Void = { try done.countDown() }
            try Thread.detach(arrive)
            try Thread.detach("arriver", arrive)
            Lab.Thread.detachNewThread { try? arrive() }
            try done.wait()
        }
        #expect(result.findings.isEmpty)
    }

    @Test func `functions that are passed by name are what queues, locks and loops call`() throws {
        let result = try explore(.random(executions: 20)) {
            let count = Atomic("count", 0)
            let add: @Sendable () throws -> Void = { try count.add(1) }
            let operate: @Sendable (BlockOperation) throws -> Void = { _ in try add() }
            let operations = try OperationQueue("operations", maxConcurrentOperationCount: 1)
            try operations.addOperation(add)
            try operations.addOperation("adder", add)
            try operations.addOperation(BlockOperation(operate))
            try operations.addOperation(BlockOperation("adder", operate))
            try operations.waitUntilAllOperationsAreFinished()
            let queue = try WorkQueue("queue")
            try queue.async(add)
            try queue.sync(add)
            try Once("once").run(add)
            try TokenLocks().synchronized(queue, add)
            try TokenLocks().synchronized(queue, "token", add)
            try Mutex("m").withLock(add)
            try check(try count.load() == 10)

            let note: @Sendable (RunLoop.Activity) throws -> Void = { _ in try add() }
            let tick: @Sendable (Timer) throws -> Void = { _ in try add() }
            let loop = RunLoop.current
            try loop.add(RunLoopObserver(note))
            try loop.add(RunLoopObserver("observer", for: .entry, note))
            try Timer.scheduled(timeInterval: .seconds(1), tick)
            try Timer.scheduled("timer", timeInterval: .seconds(1), tick)
            try loop.perform(add)
            try loop.run(until: .now + .seconds(2))
            try check(try count.load() > 14)
        }
        #expect(result.findings.isEmpty)
    }
}
