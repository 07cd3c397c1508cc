import Authoring
import Testing
import ThreadLabTesting
import ThreadLabTypes

/// Code that was written for Foundation's operations and Dispatch's work items, under the lab.
@Suite struct OperationDropInTests {
    /// What happened, in order.
    private final class Log: @unchecked Sendable {
        private let lock = Lab.NSLock()
        private var entries: [String] = []

        func add(_ entry: String) { lock.withLock { entries.append(entry) } }
        var all: [String] { lock.withLock { entries } }
    }

    @Test(arguments: [1, 2])
    func `operations of a serial queue run in order; of a concurrent one, in any`(limit: Int) throws {
        var seen: Set<[String]> = []
        try explore(.exhaustive, time: .seconds(600)) {
            let log = Log()
            let queue = Lab.OperationQueue()
            queue.maxConcurrentOperationCount = limit
            queue.addOperation { log.add("a") }
            queue.addOperation { log.add("b") }
            queue.waitUntilAllOperationsAreFinished()
            try check(queue.operationCount == 0)
            seen.insert(log.all)
        }
        #expect(seen == (limit == 1 ? [["a", "b"]] : [["a", "b"], ["b", "a"]]))
    }

    @Test func `an operation begins after what it depends on, also in another queue`() throws {
        let result = try explore(.random(executions: 500), time: .seconds(600)) {
            let log = Log()
            let (first, second) = (Lab.OperationQueue(), Lab.OperationQueue())
            let load = Lab.BlockOperation { log.add("load") }
            let show = Lab.BlockOperation { log.add("show") }
            show.addDependency(load)
            try check(!show.isReady && show.dependencies.count == 1)
            second.addOperation(show)
            first.addOperation(load)
            show.waitUntilFinished()
            try check(log.all == ["load", "show"])
        }
        #expect(result.executions > 10)
    }

    @Test func `operations that depend on each other never begin`() throws {
        try explore(expecting: .deadlock) {
            let queue = Lab.OperationQueue()
            let (a, b) = (Lab.BlockOperation {}, Lab.BlockOperation {})
            a.addDependency(b)
            b.addDependency(a)
            queue.addOperations([a, b], waitUntilFinished: true)
        }
    }

    @Test func `a dependency that is removed is not waited for`() throws {
        try explore(.random(executions: 200), time: .seconds(600)) {
            let never = Lab.Operation()
            let operation = Lab.BlockOperation {}
            operation.addDependency(never)
            let queue = Lab.OperationQueue()
            queue.addOperation(operation)
            operation.removeDependency(never)
            operation.waitUntilFinished()
        }
    }

    @Test func `an operation that is cancelled before it begins does nothing, and finishes`() throws {
        var seen: Set<Bool> = []
        try explore(.random(executions: 500), time: .seconds(600)) {
            let log = Log()
            let queue = Lab.OperationQueue()
            let operation = Lab.BlockOperation { log.add("done") }
            queue.addOperation(operation)
            queue.cancelAllOperations()
            queue.waitUntilAllOperationsAreFinished()
            try check(operation.isFinished)
            seen.insert(log.all.isEmpty)
        }
        #expect(seen == [false, true])
        try explore(.random(executions: 100), time: .seconds(600)) {
            let operation = Lab.BlockOperation { try! check(false) }
            operation.addDependency(Lab.Operation())
            operation.cancel()
            let queue = Lab.OperationQueue()
            queue.addOperations([operation], waitUntilFinished: true)
            try check(operation.isFinished && operation.isCancelled && !operation.isExecuting)
        }
    }

    @Test func `a barrier runs alone`() throws {
        try explore(.random(executions: 500), time: .seconds(600)) {
            let log = Log()
            let queue = Lab.OperationQueue()
            for name in ["a", "b"] { queue.addOperation { log.add(name) } }
            queue.addBarrierBlock { log.add("|") }
            queue.addOperation { log.add("c") }
            queue.waitUntilAllOperationsAreFinished()
            try check(log.all.suffix(2) == ["|", "c"])
        }
    }

    @Test func `no more operations run at once than the queue allows`() throws {
        for (limit, most) in [(1, 1), (2, 2), (Lab.OperationQueue.defaultMaxConcurrentOperationCount, 3)] {
            var seen = 0
            try explore(.random(executions: 300), time: .seconds(600)) {
                let running = Count()
                let queue = Lab.OperationQueue()
                queue.maxConcurrentOperationCount = limit
                try check(queue.maxConcurrentOperationCount == limit)
                for _ in 1...3 { queue.addOperation { running.visit() } }
                queue.waitUntilAllOperationsAreFinished()
                seen = max(seen, running.most)
            }
            #expect(seen == most)
        }
    }

    private final class Count: @unchecked Sendable {
        private let lock = Lab.NSLock()
        private var present = 0
        private(set) var most = 0

        func visit() {
            lock.withLock {
                present += 1
                most = max(most, present)
            }
            lock.withLock { present -= 1 }
        }
    }

    @Test func `a suspended queue begins nothing, and continues with the most urgent operation`() throws {
        try explore(.random(executions: 200), time: .seconds(600)) {
            let log = Log()
            let queue = Lab.OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.isSuspended = true
            queue.addOperation { log.add("usual") }
            let urgent = Lab.BlockOperation { log.add("urgent") }
            urgent.queuePriority = .high
            queue.addOperation(urgent)
            Lab.Thread.sleep(forTimeInterval: 1)
            try check(log.all.isEmpty && queue.operationCount == 2)
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
            try check(log.all == ["urgent", "usual"])
        }
    }

    @Test func `what waits for an operation may continue before its completion block has run`() throws {
        var seen: Set<[String]> = []
        try explore(.random(executions: 500), time: .seconds(600)) {
            let log = Log()
            let operation = Lab.BlockOperation { log.add("work") }
            let ended = Lab.DispatchSemaphore(value: 0)
            operation.completionBlock = {
                log.add("completion")
                ended.signal()
            }
            let queue = Lab.OperationQueue()
            queue.addOperation(operation)
            operation.waitUntilFinished()
            log.add("waiter")
            ended.wait()
            seen.insert(log.all)
        }
        #expect(seen == [["work", "completion", "waiter"], ["work", "waiter", "completion"]])
    }

    /// What is written for Foundation overrides these.
    private final class Download: Lab.Operation, @unchecked Sendable {
        let log: Log

        init(_ log: Log) {
            self.log = log
            super.init()
        }

        override func main() {
            if isCancelled { return }
            log.add("downloaded")
        }

        override func cancel() {
            log.add("cancelled")
            super.cancel()
        }

        override func start() {
            log.add("started")
            super.start()
        }
    }

    @Test func `a subclass's methods are called`() throws {
        try explore(.exhaustive) {
            let log = Log()
            let queue = Lab.OperationQueue()
            let (first, second) = (Download(log), Download(log))
            queue.addOperations([first], waitUntilFinished: true)
            let operation: Lab.Operation = second
            operation.cancel()
            operation.start()
            try check(log.all == ["started", "downloaded", "cancelled", "started"])
        }
    }

    @Test func `an operation with several blocks has finished when all of them have`() throws {
        try explore(.random(executions: 200), time: .seconds(600)) {
            let log = Log()
            let operation = Lab.BlockOperation { log.add("a") }
            operation.addExecutionBlock { log.add("b") }
            operation.addExecutionBlock { log.add("c") }
            operation.start()
            try check(Set(log.all) == ["a", "b", "c"])
        }
    }

    @Test(arguments: [false, true])
    func `an operation that is queued or started twice is an error`(isStarted: Bool) throws {
        try explore(expecting: .assertion) {
            let operation = Lab.BlockOperation {}
            if isStarted {
                operation.start()
                operation.start()
            } else {
                Lab.OperationQueue().addOperation(operation)
                Lab.OperationQueue().addOperation(operation)
            }
        }
    }

    // MARK: - Work items

    @Test func `a work item that is cancelled before it begins does nothing, and those who wait continue`() throws {
        var seen: Set<[String]> = []
        try explore(.random(executions: 500), time: .seconds(600)) {
            let log = Log()
            let queue = Lab.DispatchQueue(label: "q")
            let item = Lab.DispatchWorkItem { log.add("work") }
            let noticed = Lab.DispatchSemaphore(value: 0)
            item.notify(queue: queue) {
                log.add("notice")
                noticed.signal()
            }
            queue.async(execute: item)
            item.cancel()
            item.wait()
            noticed.wait()
            try check(item.isCancelled)
            seen.insert(log.all)
        }
        #expect(seen == [["notice"], ["work", "notice"]])
    }

    @Test func `a work item runs wherever a block does`() throws {
        try explore(.random(executions: 100), time: .seconds(600)) {
            let log = Log()
            let queue = Lab.DispatchQueue(label: "q", attributes: .concurrent)
            let group = Lab.DispatchGroup()
            let item = Lab.DispatchWorkItem(flags: .barrier) { log.add("work") }
            item.perform()
            queue.sync(execute: item)
            queue.async(group: group, execute: item)
            queue.asyncAfter(deadline: .now() + 1, execute: item)
            group.notify(queue: queue, work: item)
            try check(item.wait(timeout: .now() + 1) == .success)
            Lab.Thread.sleep(forTimeInterval: 2)
            try check(log.all.count == 5)
        }
    }

    @Test func `a work item that no queue has is waited for in vain`() throws {
        try explore(expecting: .deadlock) { Lab.DispatchWorkItem {}.wait() }
        try explore(.exhaustive) {
            try check(Lab.DispatchWorkItem {}.wait(timeout: .now() + .seconds(1)) == .timedOut)
        }
    }

    @Test func `a block that waits for its own work item is a deadlock`() throws {
        try explore(expecting: .deadlock) {
            final class Holder: @unchecked Sendable { var item: Lab.DispatchWorkItem? }
            let holder = Holder()
            holder.item = Lab.DispatchWorkItem { holder.item?.wait() }
            holder.item?.perform()
        }
    }

    @Test func `outside a run they work on real threads`() {
        let log = Log()
        let queue = Lab.OperationQueue()
        let operations = (1...50).map { number in Lab.BlockOperation { log.add("\(number)") } }
        for (later, earlier) in zip(operations.dropFirst(), operations) { later.addDependency(earlier) }
        queue.addOperations(operations.reversed(), waitUntilFinished: true)
        #expect(log.all == (1...50).map(String.init))
        let item = Lab.DispatchWorkItem { log.add("item") }
        Lab.DispatchQueue(label: "q").async(execute: item)
        item.wait()
        #expect(log.all.last == "item")
    }
}
