import Authoring
import Support
import Testing
import ThreadLabTesting
import ThreadLabTypes

/// Timers, run loops, sources, unfair locks and atomics by reference, under the lab.
@Suite struct MoreDropInTests {
    @Test func `a call to another thread's run loop wakes it`() throws {
        try explore(time: .seconds(600)) {
            let (ready, done) = (Lab.DispatchSemaphore(value: 0), Lab.DispatchSemaphore(value: 0))
            let loop = Lab.OSAllocatedUnfairLock<Lab.RunLoop?>(initialState: nil)
            let called = Lab.Atomic(false)
            Lab.Thread.detachNewThread {
                let own = Lab.RunLoop.current
                loop.withLock { $0 = own }
                own.add(Lab.Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
                ready.signal()
                own.run(mode: .default, before: .distantFuture)
                done.signal()
            }
            ready.wait()
            loop.withLock { $0 }?.perform { called.store(true, ordering: .relaxed) }
            done.wait()
            try check(called.load(ordering: .relaxed))
            try check(Lab.Date().timeIntervalSinceReferenceDate < 3600)
        }
    }

    @Test func `the main loop runs blocks of the main queue and operations`() throws {
        try explore(time: .seconds(600)) {
            let seen = Lab.OSAllocatedUnfairLock<[String]>(initialState: [])
            Lab.OperationQueue.main.addOperation {
                dispatchPrecondition(condition: .onQueue(.main))
                seen.withLock { $0.append("operation \(Lab.OperationQueue.current == .main)") }
            }
            Lab.DispatchQueue.main.async { seen.withLock { $0.append("block") } }
            Lab.RunLoop.main.run(until: Lab.Date(timeIntervalSinceNow: 1))
            try check(seen.withLock { $0 } == ["operation true", "block"])
        }
    }

    @Test func `a timer keeps to its plan, and counts what it misses while it is suspended`() throws {
        try explore(.random(executions: 50), time: .seconds(600)) {
            let queue = Lab.DispatchQueue(label: "timers")
            let fired = Lab.OSAllocatedUnfairLock<[UInt]>(initialState: [])
            let timer = Lab.DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + 1, repeating: 1)
            timer.setEventHandler { fired.withLock { $0.append(timer.data) } }
            timer.resume()
            Lab.Thread.sleep(forTimeInterval: 2.5)
            timer.suspend()
            Lab.Thread.sleep(forTimeInterval: 3)
            timer.resume()
            queue.sync {}
            timer.cancel()
            Lab.Thread.sleep(forTimeInterval: 3)
            try check(fired.withLock { $0 } == [1, 1, 3])
        }
    }

    @Test func `a source to which no reference is left is silent`() throws {
        try explore(time: .seconds(600)) {
            let count = Lab.Atomic(0)
            do {
                let timer = Lab.DispatchSource.makeTimerSource(queue: Lab.DispatchQueue(label: "timers"))
                timer.schedule(deadline: .now() + 1, repeating: 1)
                timer.setEventHandler { count.add(1, ordering: .relaxed) }
                timer.resume()
            }
            Lab.Thread.sleep(forTimeInterval: 10)
            try check(count.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `a source never calls its handler while that runs, and loses nothing`() throws {
        try explore(.random(executions: 300), time: .seconds(600)) {
            let queue = Lab.DispatchQueue(label: "concurrent", attributes: .concurrent)
            let source = Lab.DispatchSource.makeUserDataAddSource(queue: queue)
            let (running, sum) = (Lab.ManagedAtomic(0), Lab.ManagedAtomic(0))
            source.setEventHandler {
                if running.wrappingIncrementThenLoad(ordering: .relaxed) > 1 {
                    preconditionFailure("it is called twice at once")
                }
                sum.wrappingIncrement(by: Int(source.data), ordering: .relaxed)
                running.wrappingDecrement(ordering: .relaxed)
            }
            source.activate()
            let adders = Lab.DispatchGroup()
            for amount: UInt in [1, 2] { queue.async(group: adders) { source.add(data: amount) } }
            adders.wait()
            queue.sync(flags: .barrier) {}
            queue.sync(flags: .barrier) {}
            try check(sum.load(ordering: .relaxed) == 3)
        }
    }

    @Test func `an event is not lost when its source is suspended and resumed meanwhile`() throws {
        try explore(.random(executions: 1000), time: .seconds(600)) {
            let source = Lab.DispatchSource.makeUserDataAddSource(queue: Lab.DispatchQueue(label: "source"))
            let done = Lab.DispatchSemaphore(value: 0)
            source.setEventHandler { done.signal() }
            source.activate()
            source.add(data: 1)
            source.suspend()
            source.resume()
            done.wait()
        }
    }

    @Test func `a source that is canceled calls its handler for that, and no other any more`() throws {
        try explore(.random(executions: 100), time: .seconds(600)) {
            let source = Lab.DispatchSource.makeUserDataOrSource(queue: Lab.DispatchQueue(label: "source"))
            let canceled = Lab.DispatchSemaphore(value: 0)
            let events = Lab.Atomic(0)
            source.setEventHandler { events.add(1, ordering: .relaxed) }
            source.setCancelHandler { canceled.signal() }
            source.resume()
            source.cancel()
            source.or(data: 1)
            canceled.wait()
            try check(events.load(ordering: .relaxed) == 0 && source.isCancelled)
        }
    }

    @Test func `an unfair lock protects its state, and says who holds it`() throws {
        let result = try explore(.exhaustive, time: .seconds(600)) {
            let count = Lab.OSAllocatedUnfairLock(initialState: 0)
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                count.withLock { $0 += 1 }
                done.signal()
            }
            count.withLock { $0 += 1 }
            done.wait()
            try check(count.withLockIfAvailable { $0 } == 2)
            count.precondition(.notOwner)
        }
        #expect(result.triedEveryOrder)
        try explore(time: .seconds(600), expecting: .assertion) {
            let lock = Lab.OSAllocatedUnfairLock()
            lock.lock()
            lock.precondition(.owner)
            lock.precondition(.notOwner)
        }
        try explore(time: .seconds(600), expecting: .misuse) {
            let lock = Lab.OSAllocatedUnfairLock()
            lock.withLock { lock.lock() }
        }
    }

    @Test(arguments: [false, true])
    func `atomics by reference lose an addition of two steps, and none of one`(isOneStep: Bool) throws {
        try explore(time: .seconds(600), expecting: isOneStep ? .completed : .assertion) {
            let count = Lab.ManagedAtomic(0)
            let done = Lab.DispatchSemaphore(value: 0)
            let add = { @Sendable in
                if isOneStep {
                    count.wrappingIncrement(ordering: .relaxed)
                } else {
                    count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed)
                }
            }
            Lab.Thread.detachNewThread {
                add()
                done.signal()
            }
            add()
            done.wait()
            try check(count.load(ordering: .relaxed) == 2)
        }
    }

    @Test func `atomics by reference compute as those of the package swift-atomics`() throws {
        try explore {
            let number = Lab.UnsafeAtomic<UInt8>.create(250)
            defer { number.destroy() }
            try check(number.loadThenWrappingIncrement(by: 10, ordering: .relaxed) == 250)
            try check(number.wrappingDecrementThenLoad(ordering: .relaxed) == 3)
            try check(number.bitwiseOrThenLoad(with: 4, ordering: .relaxed) == 7)
            try check(number.loadThenBitwiseAnd(with: 1, ordering: .relaxed) == 7)
            let flag = Lab.ManagedAtomic(false)
            try check(flag.logicalXorThenLoad(with: true, ordering: .relaxed))
            try check(flag.exchange(false, ordering: .acquiringAndReleasing))
            let (exchanged, original) = flag.compareExchange(expected: true, desired: true, ordering: .relaxed)
            try check(!exchanged && !original)
            var storage = Lab.UnsafeAtomic<Int>.Storage(5)
            try check(storage.dispose() == 5)
        }
    }

    @Test func `the first of two instances is the one that both get`() throws {
        final class Instance: Sendable {}
        let result = try explore(.exhaustive, time: .seconds(600)) {
            let reference = Lab.ManagedAtomicLazyReference<Instance>()
            let other = Lab.OSAllocatedUnfairLock<Instance?>(initialState: nil)
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                let instance = reference.storeIfNilThenLoad(Instance())
                other.withLock { $0 = instance }
                done.signal()
            }
            let own = reference.storeIfNilThenLoad(Instance())
            done.wait()
            try check(other.withLock { $0 } === own && reference.load() === own)
        }
        #expect(result.triedEveryOrder)
    }

    @Test func `a thread that leaves by 'exit' has finished, and keeps what it holds`() throws {
        try explore(time: .seconds(600), expecting: .deadlock) {
            let lock = Lab.NSLock()
            let thread = Lab.Thread {
                lock.lock()
                Lab.Thread.exit()
                preconditionFailure("it continues")
            }
            thread.start()
            while !thread.isFinished { Lab.Thread.sleep(forTimeInterval: 1) }
            lock.lock()
        }
    }

    @Test func `code on the wrong queue is found`() throws {
        try explore(time: .seconds(600), expecting: .misuse) {
            dispatchPrecondition(condition: .onQueue(Lab.DispatchQueue(label: "q")))
        }
        try explore(time: .seconds(600), expecting: .assertion) {
            let queue = Lab.DispatchQueue(label: "q")
            queue.sync { dispatchPrecondition(condition: .notOnQueue(queue)) }
        }
    }

    @Test func `an operation that ends at any moment lets its queue continue`() throws {
        final class Request: Lab.Operation, @unchecked Sendable {
            private let isOver = Lab.ManagedAtomic(false)
            override init() { super.init() }
            override var isFinished: Bool { isOver.load(ordering: .relaxed) }
            override func start() {
                Lab.Thread.detachNewThread {
                    self.willChangeValue(for: \.isFinished)
                    self.isOver.store(true, ordering: .relaxed)
                    self.didChangeValue(for: \.isFinished)
                }
            }
        }
        try explore(.random(executions: 1000), time: .seconds(600)) {
            let queue = Lab.OperationQueue()
            queue.maxConcurrentOperationCount = 1
            let completed = Lab.DispatchSemaphore(value: 0)
            let (first, second) = (Request(), Request())
            second.completionBlock = { completed.signal() }
            first.addDependency(second)
            queue.addOperations([first, second], waitUntilFinished: true)
            queue.waitUntilAllOperationsAreFinished()
            completed.wait()
            try check(queue.operationCount == 0 && first.isFinished && second.isFinished)
        }
    }

    @Test func `an operation that never says that it has finished is awaited forever`() throws {
        final class Endless: Lab.Operation, @unchecked Sendable {
            override init() { super.init() }
            override var isFinished: Bool { false }
            override func start() {}
        }
        try explore(time: .seconds(600), expecting: .deadlock) {
            let queue = Lab.OperationQueue()
            queue.addOperations([Endless()], waitUntilFinished: true)
        }
    }

    @Test func `globals that use the shared queues can be initialized outside a run, on any thread`() {
        let done = Lab.DispatchSemaphore(value: 0)
        ForeignThread {
            Lab.DispatchQueue.main.async { done.signal() }
            Lab.DispatchQueue.global().async { done.signal() }
        }.join()
        done.wait()
        done.wait()
    }
}
