// Code that uses more of the lab's types: see `CodeOfLab`.
import Dispatch
import Foundation
import ThreadLabTypes

private typealias NSLock = Lab.NSLock
private typealias Mutex = Lab.Mutex
private typealias Atomic = Lab.Atomic
private typealias Date = Lab.Date
private typealias DispatchTime = Lab.DispatchTime
private typealias DispatchWallTime = Lab.DispatchWallTime
private typealias Thread = Lab.Thread
private typealias Timer = Lab.Timer
private typealias RunLoop = Lab.RunLoop
private typealias DispatchQueue = Lab.DispatchQueue
private typealias DispatchGroup = Lab.DispatchGroup
private typealias DispatchSemaphore = Lab.DispatchSemaphore
private typealias DispatchWorkItem = Lab.DispatchWorkItem
private typealias DispatchSpecificKey = Lab.DispatchSpecificKey
private typealias DispatchSource = Lab.DispatchSource
private typealias DispatchSourceProtocol = Lab.DispatchSourceProtocol
private typealias DispatchSourceTimer = Lab.DispatchSourceTimer
private typealias DispatchSourceUserDataReplace = Lab.DispatchSourceUserDataReplace
private typealias Operation = Lab.Operation
private typealias BlockOperation = Lab.BlockOperation
private typealias OperationQueue = Lab.OperationQueue

enum MembersOfLab {
    static let parts: [@Sendable () -> [String]] = [
        { collect(Code.queues) }, { collect(Code.threads) }, { collect(Code.dates) }, { collect(Code.loops) },
        { collect(Code.sources) }, { collect(Code.operations) },
    ]

    private static func collect(_ part: (Results) -> Void) -> [String] {
        let results = Results()
        part(results)
        return results.all
    }
}

private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [String] = []

    func add(_ entry: some Any) { lock.withLock { entries.append("\(entry)") } }
    var all: [String] { lock.withLock { entries } }
}

// MARK: - The same in both files

/// An operation that is over some time after `start` has returned.
private final class Download: Operation, @unchecked Sendable {
    private enum Phase { case ready, executing, finished }
    private let phase = Mutex(Phase.ready)
    private let queue: DispatchQueue
    let results: Results

    init(_ queue: DispatchQueue, _ results: Results) {
        self.queue = queue
        self.results = results
        super.init()
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { phase.withLock { $0 } == .executing }
    override var isFinished: Bool { phase.withLock { $0 } == .finished }

    override func start() {
        if isCancelled { return change(to: .finished) }
        change(to: .executing)
        queue.async {
            self.results.add("downloaded")
            self.change(to: .finished)
        }
    }

    private func change(to new: Phase) {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        phase.withLock { $0 = new }
        didChangeValue(forKey: "isFinished")
        didChangeValue(forKey: "isExecuting")
    }
}

/// Not sendable, as much code that was written before Swift 6.
private final class Counter {
    var count = 0
}

private enum Code {
    static func queues(_ results: Results) {
        let target = DispatchQueue(label: "target", qos: .utility)
        let queue = DispatchQueue(
            label: "queue", attributes: [.initiallyInactive], autoreleaseFrequency: .workItem, target: nil)
        let key = DispatchSpecificKey<[Int]>()
        queue.setSpecific(key: key, value: [4])
        queue.setTarget(queue: target)
        queue.async { results.add("async") }
        target.sync { results.add("target") }
        queue.activate()
        queue.activate()
        queue.sync {
            dispatchPrecondition(condition: .onQueue(queue))
            dispatchPrecondition(condition: .onQueue(target))
            results.add(DispatchQueue.getSpecific(key: key) ?? [])
        }
        dispatchPrecondition(condition: .notOnQueue(queue))
        let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        concurrent.sync(flags: .barrier) { dispatchPrecondition(condition: .onQueueAsBarrier(concurrent)) }
        results.add(target.qos == .utility)
        results.add(DispatchQueue.global(priority: .default).sync { 5 })
        let counter = Counter()
        let item = DispatchWorkItem { counter.count += 1 }
        item.perform()
        results.add(item.wait(timeout: .now() + 1) == .success)
        let group = DispatchGroup()
        let done = DispatchSemaphore(value: 0)
        group.notify(queue: target) {
            counter.count += 1
            done.signal()
        }
        done.wait()
        item.notify(queue: target) {
            counter.count += 1
            done.signal()
        }
        done.wait()
        results.add(counter.count)
    }

    static func threads(_ results: Results) {
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let own = Thread.current
            own.threadDictionary["key"] = "value"
            results.add(own.threadDictionary["key"] as? String ?? "none")
            results.add("\(own.isMainThread) \(Thread.isMultiThreaded()) \(own === Thread.current)")
            done.signal()
            Thread.exit()
        }
        thread.start()
        done.wait()
        while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        results.add(thread.threadDictionary.count)
        results.add(Thread.current === Thread.current)
        Thread.current.threadDictionary["here"] = 1
        results.add(Thread.current.threadDictionary["here"] as? Int ?? 0)
        Thread.current.threadDictionary.removeObject(forKey: "here")
        results.add(Thread.callStackSymbols.isEmpty)
        results.add(Thread.mainThread.isMainThread)
    }

    static func dates(_ results: Results) {
        let date = Date(timeIntervalSinceReferenceDate: 86_400)
        results.add(date.compare(date + 1) == .orderedAscending)
        results.add(date.compare(date) == .orderedSame)
        results.add(date.formatted(.iso8601))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        results.add(formatter.string(from: date))
        results.add(ISO8601DateFormatter().string(from: date))
        results.add(Array(stride(from: date, to: date + 10, by: 4)).count)
        let days: [Date: String] = [date: "day"]
        results.add(days[Date(timeIntervalSinceReferenceDate: 86_400)] ?? "none")
        let second = timespec(tv_sec: 978_307_201, tv_nsec: 500_000_000)
        results.add(DispatchWallTime(timespec: second) < DispatchWallTime(timespec: second) + 1)
    }

    static func loops(_ results: Results) {
        // The main thread's loop always has something to watch.
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            runLoop(results)
            done.signal()
        }
        done.wait()
    }

    private static func runLoop(_ results: Results) {
        let loop = RunLoop.current
        results.add(loop == RunLoop.current)
        results.add(loop.limitDate(forMode: .default) == nil)
        let start = Date()
        let once = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { timer in
            results.add("fired \(timer.timeInterval)")
        }
        results.add("\(once.isValid) \(once.timeInterval)")
        results.add(loop.limitDate(forMode: .default) ?? start > start)
        // It returns when there is no timer left.
        _ = loop.run(mode: .default, before: .distantFuture)
        results.add(once.isValid)
        let count = Atomic(0)
        let timer = Timer(fire: Date() + 0.01, interval: 0.01, repeats: true) { timer in
            if count.add(1, ordering: .relaxed).newValue == 3 { timer.invalidate() }
        }
        timer.tolerance = 0.001
        results.add(timer.timeInterval)
        loop.add(timer, forMode: .common)
        loop.run(until: .distantFuture)
        results.add(count.load(ordering: .relaxed))
    }

    static func sources(_ results: Results) {
        let queue = DispatchQueue(label: "sources")
        let fired = DispatchSemaphore(value: 0)
        let timer: any DispatchSourceTimer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(5), repeating: .milliseconds(5), leeway: .nanoseconds(0))
        timer.setRegistrationHandler { results.add("registered") }
        let counter = Counter()
        timer.setEventHandler {
            counter.count += 1
            if counter.count == 3 { timer.cancel() }
        }
        timer.setCancelHandler { fired.signal() }
        timer.resume()
        fired.wait()
        results.add("\(counter.count) \(timer.isCancelled)")
        let once = DispatchSource.makeTimerSource(queue: queue)
        once.schedule(wallDeadline: .now() + 0.005)
        once.setEventHandler(handler: DispatchWorkItem { fired.signal() })
        once.activate()
        fired.wait()
        results.add(once.data)
        let sum = DispatchSource.makeUserDataAddSource(queue: queue)
        let union = DispatchSource.makeUserDataOrSource(queue: queue)
        let last: any DispatchSourceUserDataReplace = DispatchSource.makeUserDataReplaceSource(queue: queue)
        let all: [any DispatchSourceProtocol] = [sum, union, last]
        for source in all {
            source.setEventHandler {
                results.add(source.data)
                fired.signal()
            }
            source.resume()
            source.suspend()
        }
        sum.add(data: 2)
        sum.add(data: 3)
        union.or(data: 2)
        union.or(data: 5)
        last.replace(data: 2)
        last.replace(data: 9)
        for source in all {
            source.resume()
            fired.wait()
        }
        for source in all { source.cancel() }
    }

    static func operations(_ results: Results) {
        let queue = OperationQueue()
        let serial = DispatchQueue(label: "underlying")
        queue.underlyingQueue = serial
        results.add(queue.underlyingQueue === serial)
        results.add(OperationQueue.main.maxConcurrentOperationCount)
        results.add(OperationQueue.main === OperationQueue.main)
        queue.addOperation {
            dispatchPrecondition(condition: .onQueue(serial))
            results.add(OperationQueue.current === queue)
        }
        queue.waitUntilAllOperationsAreFinished()
        let downloads = OperationQueue()
        downloads.progress.totalUnitCount = 2
        downloads.maxConcurrentOperationCount = 1
        let (first, second) = (Download(serial, results), Download(serial, results))
        second.addDependency(first)
        let done = DispatchSemaphore(value: 0)
        second.completionBlock = { done.signal() }
        downloads.addOperations([second, first], waitUntilFinished: true)
        done.wait()
        results.add("\(first.isFinished) \(second.isExecuting) \(downloads.operationCount)")
        downloads.isSuspended = true
        let cancelled = Download(serial, results)
        downloads.addOperation(cancelled)
        cancelled.cancel()
        downloads.isSuspended = false
        cancelled.waitUntilFinished()
        results.add(cancelled.isFinished)
        let manual = BlockOperation { results.add("block") }
        manual.completionBlock = { done.signal() }
        manual.start()
        done.wait()
    }
}
