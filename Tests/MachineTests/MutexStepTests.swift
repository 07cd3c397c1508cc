import Machine
import Testing

@Suite struct MutexStepTests {
    @Test func `a free mutex is taken, and counts its acquisitions`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        #expect(bench.take(0, .lock, mutex).value == 1)
        #expect(bench.state.object(mutex).owner == 1)
        bench.take(0, .unlock, mutex)
        bench.take(1, .lock, mutex)
        #expect(bench.state.object(mutex).owner == 2)
        #expect(bench.state.object(mutex).value == 2)
    }

    @Test func `a held mutex disables the threads that want it`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        bench.take(0, .lock, mutex)
        bench.announce(1, .lock, mutex)
        bench.announce(2, .tryLock, mutex)
        #expect(bench.enabled == [2])
        #expect(bench.step(2).value == 0)
        bench.take(0, .unlock, mutex)
        #expect(bench.enabled == [1])
    }

    @Test func `the owner of a plain mutex is disabled by itself`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        bench.take(0, .lock, mutex)
        bench.announce(0, .lock, mutex)
        #expect(bench.enabled == [])
        #expect(!bench.state.passTime())
    }

    @Test func `the owner of a mutex of the other kinds is not disabled by itself`() {
        let bench = Bench()
        let checking = bench.add(.errorCheckingMutex)
        let recursive = bench.add(.recursiveMutex)
        bench.take(0, .lock, checking)
        #expect(bench.take(0, .lock, checking).misuse == .relock)
        bench.take(0, .lock, recursive)
        #expect(bench.take(0, .lock, recursive).value == 1)
        #expect(bench.state.object(recursive).count == 2)
    }

    @Test(arguments: [ObjectState.Kind.normalMutex, .errorCheckingMutex, .recursiveMutex])
    func `only the owner unlocks`(_ kind: ObjectState.Kind) {
        let bench = Bench()
        let mutex = bench.add(kind)
        #expect(bench.take(0, .unlock, mutex).misuse == .unlockNotOwner)
        bench.take(0, .lock, mutex)
        #expect(bench.take(1, .unlock, mutex).misuse == .unlockNotOwner)
        #expect(bench.state.object(mutex).owner == 1)
    }

    @Test func `a deadline enables the wait when its time comes, and not before`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        bench.take(0, .lock, mutex)
        bench.announce(1, .lockUntil, mutex, 0, 30)
        bench.announce(2, .lockUntil, mutex, 0, 20)
        #expect(bench.enabled == [])
        #expect(bench.state.passTime() && bench.state.time == 20)
        #expect(bench.enabled == [2])
        #expect(bench.step(2).value == 0)
        #expect(bench.state.passTime() && bench.state.time == 30)
        bench.take(0, .unlock, mutex)
        #expect(bench.step(1).value == 1, "a free mutex is taken although the time is over")
    }

    @Test func `a thread that gives up a plain mutex of its own has waited until the deadline`() {
        let bench = Bench()
        var rules = Rules()
        rules.timeouts = .any
        bench.state.reset(rules)
        for _ in 0..<2 { _ = bench.state.addThread(status: .running) }
        let mutex = bench.add(.normalMutex)
        bench.take(0, .lock, mutex)
        #expect(bench.take(0, .lockUntil, mutex, 0, 30).value == 0)
        #expect(bench.state.time == 30)
    }

    @Test func `only what no thread uses can be destroyed`() {
        let bench = Bench()
        let mutex = bench.add(.normalMutex)
        bench.take(0, .lock, mutex)
        #expect(bench.take(1, .destroy, mutex).misuse == .destroyHeld)
        bench.take(0, .unlock, mutex)
        #expect(bench.take(1, .destroy, mutex).status == .done)
    }
}
