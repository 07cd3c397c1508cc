// Code that uses the lab's types. `SystemCodeTests` compares it with the code for the system, which is the same.
import Dispatch
import ThreadLabTypes

private typealias NSLock = Lab.NSLock
private typealias NSRecursiveLock = Lab.NSRecursiveLock
private typealias NSCondition = Lab.NSCondition
private typealias NSConditionLock = Lab.NSConditionLock
private typealias NSLocking = Lab.NSLocking
private typealias Mutex = Lab.Mutex
private typealias Atomic = Lab.Atomic
private typealias Date = Lab.Date
private typealias DispatchTime = Lab.DispatchTime
private typealias Thread = Lab.Thread
private typealias DispatchQueue = Lab.DispatchQueue
private typealias DispatchGroup = Lab.DispatchGroup
private typealias DispatchSemaphore = Lab.DispatchSemaphore
private typealias DispatchWorkItem = Lab.DispatchWorkItem
private typealias DispatchSpecificKey = Lab.DispatchSpecificKey
private typealias Operation = Lab.Operation
private typealias BlockOperation = Lab.BlockOperation
private typealias OperationQueue = Lab.OperationQueue
private typealias TimeInterval = Lab.Date.TimeInterval

enum CodeOfLab {
    static let parts: [@Sendable () -> [String]] = [
        { collect(Code.locks) }, { collect(Code.conditions) }, { collect(Code.memory) }, { collect(Code.time) },
        { collect(Code.threads) }, { collect(Code.queues) }, { collect(Code.operations) },
    ]

    private static func collect(_ part: (Results) -> Void) -> [String] {
        let results = Results()
        part(results)
        return results.all
    }
}

// MARK: - The same in both files

/// Protocols that the types of a package's own are given.
private protocol Lockable {
    func lock()
    func unlock()
    func `try`() -> Bool
}

extension NSLock: Lockable {}
extension NSRecursiveLock: Lockable {}
extension NSConditionLock: Lockable {}

private protocol Waitable {
    func wait()
    func signal()
    func broadcast()
}

extension NSCondition: Waitable {}

private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [String] = []

    func add(_ entry: some Any) { lock.withLock { entries.append("\(entry)") } }
    var all: [String] { lock.withLock { entries } }
}

private final class Load: Operation, @unchecked Sendable {
    let results: Results
    private(set) var value = 0

    init(_ results: Results) {
        self.results = results
        super.init()
    }

    override func main() {
        guard !isCancelled else { return }
        value = 7
        results.add("load")
    }

    override func cancel() {
        super.cancel()
        results.add("cancelled")
    }
}

private final class Idle: Operation, @unchecked Sendable {
    override init() { super.init() }
    override var isAsynchronous: Bool { false }
}

private final class Guarded: Sendable {
    let values = Mutex<[Int]>([])
    let count = Atomic<Int>(0)
    let flag = Atomic(false)
    let small = Atomic<UInt8>(255)
}

private enum Code {
    static func locks(_ results: Results) {
        let lock = NSLock()
        lock.name = "lock"
        lock.lock()
        results.add(lock.try())
        lock.unlock()
        results.add(lock.lock(before: Date(timeIntervalSinceNow: 1)))
        defer { results.add(lock.name ?? "") }
        let unlock: () -> Void = lock.unlock
        unlock()
        let recursive = NSRecursiveLock()
        results.add(recursive.withLock { recursive.withLock { 2 } })
        let any: any NSLocking = recursive
        any.lock()
        any.unlock()
        let all: [any Lockable] = [lock, recursive, NSConditionLock(condition: 3)]
        for each in all where each.try() { each.unlock() }
        let set: Set<NSLock> = [lock, lock, NSLock()]
        results.add(set.count)
        results.add(lock == lock)
        results.add(lock != NSLock())
    }

    static func conditions(_ results: Results) {
        let condition = NSCondition()
        let waitable: any Waitable = condition
        condition.lock()
        results.add(condition.wait(until: Date().addingTimeInterval(0.001)))
        waitable.signal()
        condition.broadcast()
        condition.unlock()
        let lock = NSConditionLock(condition: 1)
        lock.lock(whenCondition: 1)
        lock.unlock(withCondition: 2)
        results.add(lock.condition)
        results.add(lock.tryLock(whenCondition: 3))
        results.add(lock.lock(whenCondition: 3, before: Date(timeIntervalSinceNow: 0.001)))
        lock.lock()
        lock.unlock()
    }

    static func memory(_ results: Results) {
        let guarded = Guarded()
        guarded.values.withLock { $0.append(1) }
        results.add(guarded.values.withLock { $0.count })
        results.add(guarded.values.withLockIfAvailable { $0.isEmpty } ?? true)
        guarded.count.add(2, ordering: .relaxed)
        guarded.count.subtract(1, ordering: .relaxed)
        results.add(guarded.count.load(ordering: .acquiring))
        let (exchanged, original) = guarded.count.compareExchange(
            expected: 1, desired: 5, ordering: .acquiringAndReleasing)
        results.add("\(exchanged) \(original)")
        results.add(guarded.count.weakCompareExchange(expected: 9, desired: 1, ordering: .relaxed).original)
        guarded.count.store(3, ordering: .releasing)
        results.add(guarded.count.exchange(4, ordering: .sequentiallyConsistent))
        results.add(guarded.small.wrappingAdd(2, ordering: .relaxed).newValue)
        results.add(guarded.small.bitwiseOr(6, ordering: .relaxed).newValue)
        results.add(guarded.small.min(3, ordering: .relaxed).newValue)
        results.add(guarded.flag.logicalXor(true, ordering: .relaxed).newValue)
    }

    static func time(_ results: Results) {
        let (start, later) = (Date(), Date(timeIntervalSinceNow: 60))
        results.add(start < later && later > start && start <= start && start != later)
        results.add((start...later).contains(start + 1))
        results.add(max(start, later) == later)
        var date = start
        date += 5
        date -= 2
        results.add((date - 3).timeIntervalSince(start).rounded())
        results.add(start.distance(to: start.advanced(by: 4)).rounded())
        results.add(Date(timeIntervalSince1970: 1000).timeIntervalSince1970.rounded())
        results.add(Date(timeIntervalSinceReferenceDate: 10).timeIntervalSinceReferenceDate.rounded())
        results.add(Date.distantPast < Date.now && Date.now < .distantFuture)
        results.add(Set([start, start, later]).count)
        let interval: TimeInterval = 2
        results.add(Date(timeInterval: interval, since: start) > start)
        let (soon, now) = (DispatchTime.now() + 0.5, DispatchTime.now())
        results.add(soon > now && now < .distantFuture && now == now)
        results.add((now + .milliseconds(5)).uptimeNanoseconds - now.uptimeNanoseconds)
        results.add((now + .seconds(1)) - .seconds(1) == now)
        results.add(DispatchTime(uptimeNanoseconds: 1000) < DispatchTime(uptimeNanoseconds: 2000))
    }

    static func threads(_ results: Results) {
        let done = DispatchSemaphore(value: 0)
        let thread = Thread { done.signal() }
        thread.name = "thread"
        thread.qualityOfService = .utility
        thread.stackSize = 1 << 20
        thread.start()
        done.wait()
        Thread.detachNewThread { done.signal() }
        done.wait()
        thread.cancel()
        results.add(thread.isCancelled)
        Thread.sleep(forTimeInterval: 0.001)
        Thread.sleep(until: Date() + 0.001)
        results.add([thread: 1][thread] ?? 0)
    }

    static func queues(_ results: Results) {
        let queue = DispatchQueue(label: "queue")
        let concurrent = DispatchQueue(
            label: "concurrent", qos: .userInitiated, attributes: .concurrent, target: nil)
        let group = DispatchGroup()
        queue.async { results.add("async") }
        results.add(queue.sync { 3 })
        concurrent.async(group: group, flags: .barrier) { results.add("barrier") }
        group.wait()
        group.enter()
        queue.async(execute: group.leave)
        results.add(group.wait(timeout: .now() + 60) == .success)
        concurrent.sync(flags: .barrier) {}
        let item = DispatchWorkItem(qos: .utility, flags: []) { results.add("item") }
        queue.async(execute: item)
        item.wait()
        results.add(item.isCancelled)
        item.notify(queue: queue) { results.add("notified") }
        queue.sync {}
        let cancelled = DispatchWorkItem { results.add("never") }
        cancelled.cancel()
        cancelled.perform()
        queue.asyncAfter(deadline: .now() + .milliseconds(1), execute: {})
        queue.suspend()
        queue.resume()
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 9)
        results.add(queue.sync { DispatchQueue.getSpecific(key: key) } ?? 0)
        results.add(queue.getSpecific(key: key) ?? 0)
        let sum = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 5) { sum.add($0, ordering: .relaxed) }
        results.add(sum.load(ordering: .relaxed))
        let semaphore = DispatchSemaphore(value: 1)
        semaphore.wait()
        results.add(semaphore.wait(timeout: .now() + .milliseconds(1)) == .timedOut)
        results.add(semaphore.wait(wallTimeout: .now() + 0.001) == .timedOut)
        semaphore.signal()
        let wait: () -> Void = semaphore.wait
        wait()
        semaphore.signal()
    }

    static func operations(_ results: Results) {
        let queue = OperationQueue()
        queue.name = "queue"
        queue.maxConcurrentOperationCount = 1
        queue.qualityOfService = .background
        let (load, show) = (Load(results), BlockOperation { results.add("show") })
        show.addDependency(load)
        show.queuePriority = .veryHigh
        queue.addOperations([show, load], waitUntilFinished: false)
        queue.waitUntilAllOperationsAreFinished()
        results.add("\(load.value) \(show.isFinished) \(show.dependencies == [load])")
        queue.addOperation { results.add("block") }
        queue.addBarrierBlock { results.add("barrier") }
        queue.addOperation(Idle())
        queue.waitUntilAllOperationsAreFinished()
        queue.isSuspended = true
        let late = Load(results)
        queue.addOperation(late)
        results.add("\(queue.operationCount) \(queue.operations.contains(late)) \(late.isReady)")
        queue.cancelAllOperations()
        queue.isSuspended = false
        late.waitUntilFinished()
        results.add("\(late.isCancelled) \(late.isExecuting) \(late.value)")
        results.add(Set([late, late]).count)
    }
}
