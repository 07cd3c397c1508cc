import Authoring
import Testing
import ThreadLabTesting
import ThreadLabTypes

/// Code that was written for the system's types, under the lab. `lab` takes the place of a module with the type aliases.
@Suite struct DropInTests {
    @Test func `locks in opposite orders deadlock, and the report names the lines`() throws {
        let text = issueText {
            try explore {
                let (a, b) = (Lab.NSLock(), Lab.NSLock())
                let done = Lab.DispatchSemaphore(value: 0)
                Lab.Thread.detachNewThread {
                    b.withLock { a.withLock {} }
                    done.signal()
                }
                a.withLock { b.withLock {} }
                done.wait()
            }
        }
        #expect(text.hasPrefix("deadlock: "))
        #expect(text.contains("DropInTests.swift:\(line() - 8)"))
    }

    @Test func `a lock that its holder takes again is a deadlock; a recursive one is not`() throws {
        try explore(expecting: .deadlock) {
            let lock = Lab.NSLock()
            lock.lock()
            lock.lock()
        }
        try explore(.exhaustive) {
            let lock = Lab.NSRecursiveLock()
            lock.withLock { lock.withLock {} }
        }
    }

    @Test func `what a lock forbids is a misuse`() throws {
        try explore(expecting: .misuse) { Lab.NSLock().unlock() }
    }

    @Test(arguments: [false, true])
    func `a condition that is awaited with 'if' is found; with 'while' it is proved`(loops: Bool) throws {
        let rules = RunRules(spuriousWakeups: 1)
        try explore(expecting: loops ? .completed : .assertion, rules: rules) {
            let condition = Lab.NSCondition()
            let ready = Lab.Atomic(false)
            Lab.Thread.detachNewThread {
                condition.lock()
                ready.store(true, ordering: .relaxed)
                condition.signal()
                condition.unlock()
            }
            condition.lock()
            if loops {
                while !ready.load(ordering: .relaxed) { condition.wait() }
            } else if !ready.load(ordering: .relaxed) {
                condition.wait()
            }
            try check(ready.load(ordering: .relaxed))
            condition.unlock()
        }
    }

    @Test func `a condition lock passes its number`() throws {
        let result = try explore(.exhaustive) {
            let lock = Lab.NSConditionLock(condition: 0)
            Lab.Thread.detachNewThread {
                lock.lock(whenCondition: 1)
                lock.unlock(withCondition: 2)
            }
            lock.lock()
            lock.unlock(withCondition: 1)
            lock.lock(whenCondition: 2)
            lock.unlock()
            try check(lock.condition == 2)
        }
        #expect(result.triedEveryOrder)
    }

    @Test func `a value behind a mutex keeps every addition`() throws {
        let result = try explore(.exhaustive) {
            let count = Count()
            let group = Lab.DispatchGroup()
            let queue = Lab.DispatchQueue(label: "adders", attributes: .concurrent)
            for _ in 1...2 { queue.async(group: group) { count.value.withLock { $0 += 1 } } }
            group.wait()
            try check(count.value.withLock { $0 } == 2)
        }
        #expect(result.triedEveryOrder)
    }

    private final class Count: Sendable {
        let value = Lab.Mutex(0)
    }

    @Test(arguments: [false, true])
    func `two steps on an atomic lose an addition; one step does not`(isOneStep: Bool) throws {
        try explore(expecting: isOneStep ? .completed : .assertion) {
            let count = Tally()
            let done = Lab.DispatchSemaphore(value: 0)
            let add = { @Sendable in
                if isOneStep {
                    count.value.wrappingAdd(1, ordering: .relaxed)
                } else {
                    count.value.store(count.value.load(ordering: .relaxed) + 1, ordering: .relaxed)
                }
            }
            Lab.Thread.detachNewThread {
                add()
                done.signal()
            }
            add()
            done.wait()
            try check(count.value.load(ordering: .relaxed) == 2)
        }
    }

    private final class Tally: Sendable {
        let value = Lab.Atomic<UInt8>(0)
    }

    @Test func `a weak compare-exchange fails without a reason as often as the rules allow, and says what it found`()
        throws
    {
        let models = [RunRules.Model.sc, .tso, .rc11]
        for (allowed, expected, model) in models.flatMap({ [(0, OutcomeKind.completed, $0), (1, .assertion, $0)] }) {
            try explore(expecting: expected, rules: RunRules(spuriousWakeups: allowed, model: model)) {
                let word = Lab.Atomic(-1)
                let (exchanged, original) = word.weakCompareExchange(expected: -1, desired: 0, ordering: .relaxed)
                try check(original == -1)
                // The complement of what is expected here, which a spurious failure must not be taken for.
                let again = word.weakCompareExchange(expected: -1, desired: 7, ordering: .relaxed)
                if exchanged { try check(!again.exchanged && again.original == 0) }
                Lab.atomicMemoryFence(ordering: .acquiringAndReleasing)
                try check(exchanged, "it failed without a reason")
            }
        }
    }

    @Test(arguments: [RunRules.Model.tso, .rc11])
    func `what a weak compare-exchange says that it found has been stored, also if it is not the newest value`(
        model: RunRules.Model
    ) throws {
        try explore(rules: RunRules(spuriousWakeups: 1, model: model)) {
            let word = Lab.Atomic(0)
            let writer = try Thread("writer") { word.store(5, ordering: .relaxed) }
            let (exchanged, original) = word.weakCompareExchange(expected: 0, desired: 1, ordering: .relaxed)
            try check(original == 0 || !exchanged && original == 5, "it found \(original)")
            try writer.join()
        }
    }

    @Test func `atomics of every width and kind compute as the system's do`() throws {
        try explore {
            let byte = Lab.Atomic<UInt8>(250)
            try check(byte.wrappingAdd(10, ordering: .relaxed) == (250, 4))
            try check(byte.max(9, ordering: .relaxed) == (4, 9))
            let word = Lab.Atomic(5)
            try check(word.subtract(7, ordering: .relaxed) == (5, -2))
            try check(word.compareExchange(expected: 5, desired: 1, ordering: .relaxed) == (false, -2))
            let flag = Lab.Atomic(false)
            try check(flag.logicalOr(true, ordering: .relaxed) == (false, true))
            try check(flag.exchange(false, ordering: .relaxed))
        }
    }

    @Test func `a queue that waits for itself is a deadlock`() throws {
        try explore(expecting: .deadlock) {
            let queue = Lab.DispatchQueue(label: "q")
            queue.sync { queue.sync {} }
        }
    }

    @Test func `an error passes through 'sync'`() throws {
        struct Refused: Error {}
        try explore {
            let queue = Lab.DispatchQueue(label: "q")
            do {
                try queue.sync { throw Refused() }
                try check(false)
            } catch is Refused {}
        }
    }

    @Test func `time is virtual: a wait of an hour takes no time, and nothing is early`() throws {
        let result = try explore {
            let start = Lab.Date()
            let condition = Lab.NSCondition()
            condition.lock()
            let limit = Lab.Date(timeIntervalSinceNow: 3600)
            while condition.wait(until: limit) {}
            condition.unlock()
            try check(Lab.Date().timeIntervalSince(start) == 3600)
            let semaphore = Lab.DispatchSemaphore(value: 0)
            try check(semaphore.wait(timeout: .now() + .seconds(5)) == .timedOut)
        }
        #expect(result.triedEveryOrder)
    }

    @Test func `a thread that is cancelled sees it`() throws {
        try explore(.exhaustive) {
            let ended = Lab.DispatchSemaphore(value: 0)
            let thread = Lab.Thread {
                _ = Lab.Thread.current.isCancelled
                ended.signal()
            }
            thread.start()
            thread.cancel()
            ended.wait()
            try check(thread.isCancelled)
        }
    }

    @Test func `a subclass of a thread has its own 'main', 'start' and 'cancel'`() throws {
        try explore(.random(executions: 100), time: .seconds(600)) {
            let worker = Worker()
            let thread: Lab.Thread = worker
            worker.start()
            worker.done.wait()
            thread.cancel()
            try check(worker.log.value.withLock { $0 } == 111)
            try check(thread.isCancelled && thread == worker && Set([thread, worker]).count == 1)
        }
    }

    private final class Worker: Lab.Thread, @unchecked Sendable {
        let log = Count()
        let done = Lab.DispatchSemaphore(value: 0)

        override init() { super.init() }

        override func main() {
            log.value.withLock { $0 += Lab.Thread.current == self ? 1 : 0 }
            done.signal()
        }

        override func start() {
            log.value.withLock { $0 += 10 }
            super.start()
        }

        override func cancel() {
            log.value.withLock { $0 += 100 }
            super.cancel()
        }
    }

    @Test func `threads that cannot unwind are abandoned, execution after execution`() throws {
        let result = try explore(.random(executions: 20_000), time: .seconds(600)) {
            let never = Lab.DispatchSemaphore(value: 0)
            for _ in 1...3 { Lab.Thread.detachNewThread { never.wait() } }
            Lab.Thread.sleep(forTimeInterval: 1)
        }
        #expect(result.executions == 20_000)
    }

    @Test func `outside a run they work on real threads`() {
        let group = Lab.DispatchGroup()
        let count = Count()
        let queue = Lab.DispatchQueue(label: "adders", attributes: .concurrent)
        for _ in 1...100 { queue.async(group: group) { count.value.withLock { $0 += 1 } } }
        group.wait()
        #expect(count.value.withLock { $0 } == 100)
    }

    @Test func `on real threads of a run a deadlock is found, and the run ends`() throws {
        try run(expecting: .deadlock) {
            let lock = Lab.NSLock()
            lock.lock()
            lock.lock()
        }
    }
}
