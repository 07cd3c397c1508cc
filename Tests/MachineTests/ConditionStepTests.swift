import Machine
import Testing

@Suite struct ConditionStepTests {
    @Test func `a signal has as many ways as there are waiters, in the order of arrival`() {
        for way in 0..<3 {
            let bench = Bench(threads: 4)
            let mutex = bench.add(.normalMutex)
            let condition = bench.add(.condition)
            let arrivals = [2, 0, 1]
            for thread in arrivals { bench.wait(thread, condition, with: mutex) }
            bench.announce(3, .signal, condition)
            #expect(bench.state.alternatives(of: 3) == 3)
            bench.step(3, alternative: way)
            #expect(bench.enabled == [arrivals[way]])
            #expect(bench.step(arrivals[way]).value == 1)
            bench.announce(3, .signal, condition)
            #expect(bench.state.alternatives(of: 3) == 2)
        }
    }

    @Test func `a signal without a waiter is lost`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        bench.announce(0, .signal, condition)
        #expect(bench.state.alternatives(of: 0) == 1)
        bench.step(0)
        bench.wait(1, condition, with: mutex)
        #expect(bench.enabled == [])
    }

    @Test func `a broadcast wakes all, and they take the mutex in turn`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        bench.wait(0, condition, with: mutex)
        bench.wait(1, condition, with: mutex)
        bench.take(2, .broadcast, condition)
        #expect(bench.enabled == [0, 1])
        bench.step(1)
        #expect(bench.enabled == [])
        bench.take(1, .unlock, mutex)
        #expect(bench.enabled == [0])
    }

    @Test func `running out of time is a step that no mutex holds up`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        bench.wait(0, condition, with: mutex, until: 10)
        bench.wait(1, condition, with: mutex)
        bench.take(2, .lock, mutex)
        #expect(bench.state.passTime() && bench.state.time == 10)
        #expect(bench.enabled == [0])
        #expect(bench.step(0).status == .blocked)
        #expect(bench.enabled == [], "it waits for the mutex now")
        bench.take(2, .signal, condition)
        bench.take(2, .unlock, mutex)
        #expect(bench.enabled == [0, 1], "the signal was for the one that still waited")
        #expect(bench.step(0).value == 0)
        bench.take(0, .unlock, mutex)
        #expect(bench.step(1).value == 1)
    }

    @Test func `a signal at the very moment may still be in time`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        bench.wait(0, condition, with: mutex, until: 10)
        #expect(bench.state.passTime())
        bench.take(1, .signal, condition)
        #expect(bench.step(0).value == 1)
    }

    @Test func `a wait whose time is over begins and ends`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        bench.wait(0, condition, with: mutex, until: -1)
        #expect(bench.step(0).status == .blocked)
        #expect(bench.step(0).value == 0)
        #expect(bench.state.object(mutex).owner == 1)
    }

    @Test func `spurious wake-ups use up their budget`() {
        let bench = Bench(spuriousWakeups: 1)
        let mutex = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        bench.wait(0, condition, with: mutex)
        bench.wait(1, condition, with: mutex)
        #expect(bench.enabled == [0, 1])
        #expect(bench.isQuiet)
        #expect(bench.step(1).status == .blocked)
        #expect(bench.enabled == [1])
        #expect(!bench.isQuiet)
        #expect(bench.step(1).value == 1, "it looks like a signal")
        #expect(bench.enabled == [])
    }

    @Test func `the machine is not quiet while anything else can happen`() {
        let bench = Bench(spuriousWakeups: 1)
        let mutex = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        bench.wait(0, condition, with: mutex)
        bench.announce(1, .yield)
        #expect(!bench.isQuiet)
        bench.step(1)
        #expect(bench.isQuiet)
        bench.wait(2, condition, with: mutex, until: 5)
        _ = bench.state.passTime()
        #expect(!bench.isQuiet, "a wait that is out of time ends for sure")
        #expect(!Bench().isQuiet, "without a budget it never is")
    }

    @Test func `the mutex must be held, and the same for all that wait`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        let other = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        #expect(bench.take(0, .wait, condition, Int(mutex), Operation.never).misuse == .waitNotOwner)
        bench.wait(0, condition, with: mutex)
        bench.take(1, .lock, other)
        #expect(bench.take(1, .wait, condition, Int(other), Operation.never).misuse == .waitOtherMutex)
        bench.take(2, .signal, condition)
        #expect(bench.take(1, .wait, condition, Int(other), Operation.never).status == .blocked)
    }

    @Test func `a recursive mutex is unlocked once`() {
        let bench = Bench()
        let mutex = bench.add(.recursiveMutex)
        let condition = bench.add(.condition)
        bench.take(0, .lock, mutex)
        bench.wait(0, condition, with: mutex)
        #expect(bench.state.object(mutex).count == 1)
        bench.announce(1, .lock, mutex)
        #expect(bench.enabled == [])
        bench.take(2, .signal, condition)
        bench.step(0)
        #expect(bench.state.object(mutex).count == 2)
    }

    @Test func `a woken waiter no longer keeps the condition in use`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        let condition = bench.add(.condition)
        bench.wait(0, condition, with: mutex)
        #expect(bench.take(1, .destroy, condition).misuse == .destroyHeld)
        bench.take(1, .broadcast, condition)
        #expect(bench.take(1, .destroy, condition).status == .done)
    }
}
