import Machine
import Testing

/// Where time limits may pass at any moment, that is something that an operation can do in addition to what it does in time.
@Suite struct LimitStepTests {
    private static let limited: [Operation.Kind] = [
        .lockUntil, .semaphoreWaitUntil, .readLockUntil, .writeLockUntil, .joinUntil, .sleepUntil, .wait,
    ]

    @Test func `an operation has a limit if its row says what happens when the limit passes`() {
        for raw in UInt8(0)...UInt8.max {
            guard let kind = Operation.Kind(rawValue: raw) else { continue }
            #expect(kind.hasDeadline == Self.limited.contains(kind), "\(kind)")
        }
    }

    @Test func `a timed wait can end by its limit, by itself and by a signal`() {
        for way in 0..<2 {
            let bench = Bench(spuriousWakeups: 1, timeouts: .any)
            let mutex = bench.add(.normalMutex)
            let condition = bench.add(.condition)
            bench.wait(0, condition, with: mutex, until: 10)
            #expect(bench.state.alternatives(of: 0) == 2 && !bench.state.isFork(0) && !bench.isQuiet)
            bench.step(0, alternative: way)
            #expect(bench.state.mayWakeSpuriously == (way == 0))
            #expect(bench.step(0).value == way, "whether it was woken")
        }
        let bench = Bench(spuriousWakeups: 1, timeouts: .any)
        let mutex = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        bench.wait(0, condition, with: mutex, until: 10)
        bench.take(1, .signal, condition)
        #expect(bench.step(0).value == 1)
    }

    @Test func `a timed wait that cannot end by itself has one way to end`() {
        for timeouts in [Rules.Timeouts.any, .lazy] {
            let bench = Bench(spuriousWakeups: timeouts == .any ? 0 : 1, timeouts: timeouts)
            let mutex = bench.add(.normalMutex)
            let condition = bench.add(.condition)
            bench.wait(0, condition, with: mutex, until: 10)
            #expect(bench.enabled == [0] && bench.state.alternatives(of: 0) == 1)
            bench.step(0)
            #expect(bench.step(0).value == (timeouts == .any ? 0 : 1))
        }
    }

    @Test func `a writer with a limit gives up, or stands in line and keeps readers out until it does`() {
        for way in 0..<2 {
            let bench = Bench(timeouts: .any)
            let lock = bench.add(.writersFirstLock)
            bench.take(0, .readLock, lock)
            bench.announce(1, .writeLockUntil, lock, 0, 10)
            #expect(bench.state.alternatives(of: 1) == 2 && !bench.state.isFork(1))
            let result = bench.step(1, alternative: way)
            bench.announce(2, .tryReadLock, lock)
            #expect(result.act == (way == 0 ? .failToWriteLate : .queue))
            #expect(bench.state.letsReadersIn(lock) == (way == 0))
            if way == 0 { continue }
            #expect(bench.state.alternatives(of: 1) == 1)
            #expect(bench.step(2).value == 0)
            #expect(bench.step(1).act == .failToWriteLate && bench.state.letsReadersIn(lock))
        }
    }

    @Test func `a writer whose limit has not passed stands in line, and one whose limit has passed does not`() {
        let bench = Bench()
        let lock = bench.add(.writersFirstLock)
        bench.take(0, .readLock, lock)
        #expect(bench.take(1, .writeLockUntil, lock, 0, 10).act == .queue)
        #expect(bench.enabled == [] && bench.state.passTime() && bench.enabled == [1])
        #expect(bench.step(1).act == .failToWriteLate)
        #expect(bench.take(2, .writeLockUntil, lock, 0, 10).act == .failToWriteLate)
    }

    @Test func `what is free is never a time limit that has passed`() {
        let bench = Bench(timeouts: .any)
        let mutex = bench.add(.normalMutex)
        let lock = bench.add(.writersFirstLock)
        let semaphore = bench.add(.semaphore, value: 1)
        #expect(bench.take(0, .lockUntil, mutex, 0, 0).act == .take)
        #expect(bench.take(0, .semaphoreWaitUntil, semaphore, 0, 0).act == .takePermit)
        #expect(bench.take(0, .readLockUntil, lock, 0, 0).act == .share)
        bench.take(0, .unlockShared, lock)
        #expect(bench.take(0, .writeLockUntil, lock, 0, 0).act == .takeToWrite)
        // Taken, they can only be given up.
        #expect(bench.take(1, .lockUntil, mutex, 0, 10).act == .failLate)
        #expect(bench.take(1, .semaphoreWaitUntil, semaphore, 0, 10).act == .failLate)
        #expect(bench.take(1, .readLockUntil, lock, 0, 10).act == .failLate)
        #expect(bench.take(1, .joinUntil, 0, 2, 10).act == .joinLate)
        #expect(bench.take(1, .sleepUntil, 0, 0, 10).act == .awake)
    }
}
