import Machine
import Testing

@Suite struct ReadWriteLockStepTests {
    @Test func `with readers first, a waiting writer keeps no reader out`() {
        let bench = Bench()
        let lock = bench.add(.readersFirstLock)
        bench.take(0, .readLock, lock)
        bench.announce(1, .writeLock, lock)
        #expect(bench.enabled == [])
        #expect(bench.take(2, .tryReadLock, lock).value == 1)
    }

    @Test func `with writers first, a writer keeps readers out from the moment it waits`() {
        let bench = Bench()
        let lock = bench.add(.writersFirstLock)
        bench.take(0, .readLock, lock)
        bench.announce(1, .writeLock, lock)
        #expect(bench.take(2, .tryReadLock, lock).value == 1, "it has not come to wait yet")
        #expect(bench.step(1).status == .blocked)
        #expect(bench.take(2, .tryReadLock, lock).value == 0)
        bench.announce(2, .readLock, lock)
        #expect(bench.enabled == [])
        bench.take(0, .unlockShared, lock)
        bench.take(0, .yield)
        #expect(bench.enabled == [], "the other reader holds it still")
    }

    @Test func `a writer that becomes a reader lets readers in and keeps writers out`() {
        let bench = Bench()
        let lock = bench.add(.readersFirstLock)
        #expect(bench.take(0, .downgrade, lock).misuse == .unlockNotOwner)
        bench.take(0, .writeLock, lock)
        bench.announce(1, .writeLock, lock)
        bench.announce(2, .readLock, lock)
        #expect(bench.enabled == [])
        bench.take(0, .downgrade, lock)
        bench.take(0, .yield)
        #expect(bench.enabled == [2])
        bench.step(2)
        #expect(bench.take(0, .unlockShared, lock).value == 0, "it was held for reading")
        #expect(bench.take(0, .downgrade, lock).misuse == .unlockNotOwner)
        bench.take(2, .unlockShared, lock)
        #expect(bench.state.isEnabled(1))
    }

    @Test func `the waiting writer is next when the lock is free`() {
        let bench = Bench()
        let lock = bench.add(.writersFirstLock)
        bench.take(0, .writeLock, lock)
        bench.take(1, .writeLock, lock)
        bench.announce(2, .readLock, lock)
        bench.take(0, .unlockShared, lock)
        #expect(bench.enabled == [1])
        bench.step(1)
        bench.take(1, .unlockShared, lock)
        #expect(bench.enabled == [2])
    }

    @Test func `a writer that gives up keeps no reader out`() {
        let bench = Bench()
        let lock = bench.add(.writersFirstLock)
        bench.take(0, .readLock, lock)
        #expect(bench.take(1, .writeLockUntil, lock, 0, 10).status == .blocked)
        bench.announce(2, .readLock, lock)
        #expect(bench.enabled == [])
        #expect(bench.state.passTime())
        #expect(bench.enabled == [1])
        #expect(bench.step(1).value == 0)
        #expect(bench.enabled == [2])
        #expect(bench.take(1, .writeLockUntil, lock, 0, 10).value == 0, "out of time before it waits")
    }

    @Test func `holds are counted for each thread`() {
        let bench = Bench(threads: 40)
        let locks = (0..<3).map { _ in bench.add(.readersFirstLock) }
        for thread in 0..<40 { for lock in locks { bench.take(thread, .readLock, lock) } }
        for thread in stride(from: 0, to: 40, by: 2) { for lock in locks { bench.take(thread, .unlockShared, lock) } }
        #expect(bench.take(0, .unlockShared, locks[0]).misuse == .unlockNotOwner)
        for thread in stride(from: 1, to: 40, by: 2) { for lock in locks { bench.take(thread, .unlockShared, lock) } }
        for lock in locks { #expect(bench.take(0, .tryWriteLock, lock).value == 1) }
        #expect(bench.take(0, .unlockShared, locks[0]).value == 1, "it says which hold it was")
    }
}

@Suite struct ThreadStepTests {
    @Test func `a join waits for the end, and happens once`() {
        let bench = Bench()
        bench.announce(0, .join, 0, 1)
        #expect(bench.enabled == [])
        bench.state.end(1, result: 42)
        #expect(bench.step(0).value == 1)
        #expect(bench.state.thread(1).result == 42)
        #expect(bench.take(2, .join, 0, 1).misuse == .joinTwice)
        #expect(bench.take(2, .detach, 0, 1).misuse == .detachJoined)
    }

    @Test func `a thread that is detached frees its joiner with a refusal`() {
        let bench = Bench()
        bench.announce(0, .join, 0, 1)
        bench.take(2, .detach, 0, 1)
        #expect(bench.step(0).misuse == .joinDetached)
        #expect(bench.take(2, .detach, 0, 1).misuse == .detachTwice)
    }

    @Test func `a join of itself, a try and a limit do not wait`() {
        let bench = Bench()
        #expect(bench.take(0, .join, 0, 0).misuse == .joinSelf)
        #expect(bench.take(0, .tryJoin, 0, 1).value == 0)
        bench.announce(0, .joinUntil, 0, 1, 10)
        #expect(bench.enabled == [])
        #expect(bench.state.passTime())
        #expect(bench.step(0).value == 0)
        bench.state.end(1, result: 0)
        #expect(bench.take(0, .tryJoin, 0, 1).value == 1)
    }

    @Test func `there is room for the maximum number of threads, and no more`() {
        let bench = Bench(threads: MachineState.maximumThreads)
        #expect(bench.state.addThread() == nil)
        #expect(bench.state.threadCount == MachineState.maximumThreads)
    }

    @Test func `objects keep their state when the memory grows`() {
        let bench = Bench()
        let cells = (0..<1000).map { bench.add(.cell, value: $0) }
        for (number, cell) in cells.enumerated() { #expect(bench.take(0, .read, cell).value == number) }
        bench.state.reset()
        #expect(bench.state.objectCount == 1 && bench.state.threadCount == 0 && bench.state.time == 0)
    }
}

@Suite struct TimeStepTests {
    @Test func `time passes to the next deadline only`() {
        let bench = Bench()
        bench.announce(0, .sleepUntil, 0, 0, 50)
        bench.announce(1, .sleepUntil, 0, 0, 20)
        bench.announce(2, .sleepUntil, 0, 0, -1)
        #expect(bench.enabled == [2])
        bench.step(2)
        #expect(bench.state.passTime() && bench.state.time == 20)
        #expect(bench.enabled == [1])
        #expect(bench.state.passTime() && bench.state.time == 50)
        #expect(bench.enabled == [0, 1])
        #expect(!bench.state.passTime() && bench.state.time == 50)
    }

    @Test func `a deadline that never comes wakes no thread`() {
        let bench = Bench()
        bench.announce(0, .sleepUntil, 0, 0, Operation.never)
        bench.announce(1, .semaphoreWaitUntil, bench.add(.semaphore), 0, Operation.never)
        #expect(!bench.state.passTime())
    }
}

@Suite struct MemoryStepTests {
    @Test func `updates give the old value, and wrap around`() {
        let bench = Bench()
        let word = bench.add(.atomic, value: .max)
        #expect(bench.take(0, .add, word, 1).value == .max)
        #expect(bench.take(0, .exchange, word, 12).value == .min)
        #expect(bench.take(0, .bitAnd, word, 4).value == 12)
        #expect(bench.take(0, .bitOr, word, 3).value == 4)
        #expect(bench.take(0, .bitXor, word, 1).value == 7)
        #expect(bench.take(0, .compareExchange, word, 5, 9).value == 6)
        #expect(bench.take(0, .compareExchange, word, 6, 9).value == 6)
        #expect(bench.take(0, .load, word).value == 9)
    }

    @Test func `a semaphore counts down to nothing, and up to its limit`() {
        let bench = Bench()
        let semaphore = bench.add(.semaphore, value: 1)
        bench.take(0, .semaphoreWait, semaphore)
        bench.announce(1, .semaphoreWait, semaphore)
        #expect(bench.enabled == [])
        #expect(bench.take(0, .semaphoreTryWait, semaphore).value == 0)
        bench.take(0, .semaphoreSignal, semaphore)
        #expect(bench.enabled == [1])
        let full = bench.add(.semaphore, value: Int(Int32.max))
        #expect(bench.take(0, .semaphoreSignal, full).misuse == .semaphoreOverflow)
        #expect(bench.take(0, .semaphoreValue, full).value == Int(Int32.max))
    }

    @Test func `a choice has as many ways as values`() {
        let bench = Bench()
        bench.announce(0, .choose, 0, 5)
        #expect(bench.state.alternatives(of: 0) == 5)
        #expect(bench.step(0, alternative: 3).value == 3)
    }
}
