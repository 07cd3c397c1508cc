import Authoring
import Synchronization
import ThreadLabTypes

/// What a `deinit` may do with the lab.
enum LastAct: CaseIterable, Sendable {
    case lock, tries, timedLock, recursiveLock, conditionLock, wait, timedWait
    case sync, barrier, targetSync, async, asyncAfter, suspend, concurrentPerform, mainQueue
    case signal, take, timedTake, group, workItem, operations
    case startThread, sleep, threadState
    case value, atomic, spin
    case mutex, forcedMutex, readWriteLock, join, boundedQueue, slot
    case newObjects

    /// Whether it uses nothing but the object's own parts. Otherwise it takes steps in whichever execution it runs.
    var isOwn: Bool {
        switch self {
        case .targetSync, .concurrentPerform, .mainQueue, .workItem, .operations, .startThread, .sleep, .newObjects:
            false
        case .lock, .tries, .timedLock, .recursiveLock, .conditionLock, .wait, .timedWait, .sync, .barrier, .async,
            .asyncAfter, .suspend, .signal, .take, .timedTake, .group, .threadState, .value, .atomic, .spin, .mutex,
            .forcedMutex, .readWriteLock, .join, .boundedQueue, .slot:
            true
        }
    }
}

/// An object whose `deinit` uses the lab. It counts those whose `deinit` has begun and ended.
final class Mourner: @unchecked Sendable {
    final class Count: Sendable {
        let begun = Synchronization.Atomic(0)
        let ended = Synchronization.Atomic(0)

        var isWhole: Bool { begun.load(ordering: .relaxed) == ended.load(ordering: .relaxed) }
    }

    private let act: LastAct
    private let count: Count
    private let lock = Lab.NSLock()
    private let recursive = Lab.NSRecursiveLock()
    private let condition = Lab.NSCondition()
    private let conditionLock = Lab.NSConditionLock(condition: 0)
    private let target = Lab.DispatchQueue(label: "target")
    private let queue = Lab.DispatchQueue(label: "queue")
    private let concurrent = Lab.DispatchQueue(label: "concurrent", attributes: .concurrent)
    private let semaphore = Lab.DispatchSemaphore(value: 0)
    private let group = Lab.DispatchGroup()
    private let operations = Lab.OperationQueue()
    private let thread = Lab.Thread {}
    private let value = Lab.Mutex(0)
    private let number: Box<Lab.Atomic<Int>>
    private let base = Authoring.Mutex("base")
    private let shared = Authoring.ReadWriteLock("shared")
    private let other: ThreadObject<Int>
    private let items = try? BoundedQueue<Int>(capacity: 1)
    private let slot = try? ThreadSlot<Count>()

    final class Box<Value: ~Copyable & Sendable>: Sendable {
        let value: Value
        init(_ value: consuming Value) { self.value = value }
    }

    init(_ act: LastAct, _ count: Count) {
        self.act = act
        self.count = count
        number = Box(Lab.Atomic(1))
        other = ThreadObject("other") { 1 }
    }

    func use() {}

    deinit {
        count.begun.wrappingAdd(1, ordering: .relaxed)
        perform()
        count.ended.wrappingAdd(1, ordering: .relaxed)
    }

    private func perform() {
        switch act {
        case .lock: lock.withLock {}
        case .tries: if lock.try() { lock.unlock() }
        case .timedLock: if lock.lock(before: Lab.Date(timeIntervalSinceNow: 1)) { lock.unlock() }
        case .recursiveLock: recursive.withLock { recursive.withLock {} }
        case .conditionLock:
            conditionLock.lock(whenCondition: 0)
            conditionLock.unlock(withCondition: 1)
            if conditionLock.lock(whenCondition: 2, before: Lab.Date()) { conditionLock.unlock() }
        case .wait:
            condition.lock()
            condition.broadcast()
            condition.unlock()
        case .timedWait: condition.withLock { _ = condition.wait(until: Lab.Date(timeIntervalSinceNow: 0.001)) }
        case .sync: if queue.sync(execute: { 7 }) != 7 { preconditionFailure("the block did not run") }
        case .barrier: concurrent.sync(flags: .barrier) {}
        case .targetSync: Lab.DispatchQueue(label: "above", target: target).sync {}
        case .async: queue.async {}
        case .asyncAfter: queue.asyncAfter(deadline: .now() + .seconds(1)) {}
        case .suspend:
            queue.suspend()
            queue.resume()
        case .concurrentPerform: Lab.DispatchQueue.concurrentPerform(iterations: 3) { _ in }
        case .mainQueue: if isOnMain { Lab.DispatchQueue.main.async {} }
        case .signal: semaphore.signal()
        case .take:
            semaphore.signal()
            semaphore.wait()
        case .timedTake: _ = semaphore.wait(timeout: .now() + .milliseconds(1))
        case .group:
            group.enter()
            group.notify(queue: queue) {}
            group.leave()
            group.wait()
        case .workItem:
            let item = Lab.DispatchWorkItem {}
            item.perform()
            item.cancel()
        case .operations:
            operations.addOperation {}
            operations.cancelAllOperations()
            operations.isSuspended = true
        case .startThread: Lab.Thread.detachNewThread {}
        case .sleep: Lab.Thread.sleep(forTimeInterval: 0.001)
        case .threadState: if !thread.isExecuting && !thread.isCancelled { thread.cancel() }
        case .value: value.withLock { $0 += 1 }
        case .atomic:
            number.value.add(1, ordering: .relaxed)
            number.value.store(number.value.load(ordering: .relaxed), ordering: .relaxed)
        case .spin: while number.value.exchange(0, ordering: .relaxed) != 0 {}
        case .mutex: try? base.withLock {}
        case .forcedMutex:
            if (try? base.tryLock()) == true { try? base.unlock() }
        case .readWriteLock:
            try? shared.withReadLock {}
            try? shared.withWriteLock {}
        case .join:
            try? other.start()
            _ = try? other.join()
        case .boundedQueue:
            _ = try? items?.put(1)
            _ = try? items?.take()
        case .slot:
            slot?.value = count
            slot?.delete()
        case .newObjects:
            Lab.NSLock().withLock {}
            _ = Lab.Atomic(0).wrappingAdd(1, ordering: .relaxed)
            Lab.DispatchQueue(label: "new").sync {}
        }
    }

    private var isOnMain: Bool { Lab.Thread.isMainThread }
}
