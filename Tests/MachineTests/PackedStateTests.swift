import Testing

@testable import Machine

/// A state that was written and read again is the same, and takes no more memory than necessary.
@Suite struct PackedStateTests {
    private static func hash(_ state: MachineState) -> UInt64 {
        var hash = StateHash()
        state.hash(into: &hash)
        return hash.value
    }

    /// Something of everything: mutexes, read holds, waiters and watches.
    private static func bench() -> Bench {
        let bench = Bench(threads: 4, spuriousWakeups: 2)
        let (mutex, condition) = (bench.add(.normalMutex), bench.add(.condition))
        let (lock, atomic) = (bench.add(.readersFirstLock), bench.add(.atomic, value: 7))
        bench.wait(1, condition, with: mutex, until: 50)
        bench.take(0, .lock, mutex)
        for _ in 0..<40 { _ = bench.add(.atomic, value: 3) }
        for _ in 0..<20 { bench.take(2, .readLock, lock) }
        bench.take(3, .load, atomic, 0, Operation.Watch.first)
        return bench
    }

    @Test func `what was changed since is as it was`() {
        let bench = Self.bench()
        let before = Self.hash(bench.state)
        var packed = PackedState()
        bench.state.encode(into: &packed)
        bench.take(0, .unlock, 1)
        bench.take(3, .store, 4, 9)
        for _ in 0..<200 { _ = bench.add(.atomic, value: 5) }
        #expect(Self.hash(bench.state) != before)
        bench.state.decode(packed)
        #expect(Self.hash(bench.state) == before)
        #expect(bench.state.object(4).value == 7)
    }

    @Test func `another machine becomes the same`() {
        let bench = Self.bench()
        var packed = PackedState()
        bench.state.encode(into: &packed)
        let other = OwnedMachineState()
        other.state.decode(packed)
        #expect(Self.hash(other.state) == Self.hash(bench.state))
    }

    /// Two threads wait, each on a condition of its own. Which of them arrived first changes nothing that can follow.
    @Test func `the order of arrival counts on the same condition alone`() {
        func hash(_ first: Int, _ second: Int, on conditions: [Int]) -> UInt64 {
            let bench = Bench(threads: 3)
            let mutex = bench.add(.normalMutex)
            let objects = [bench.add(.condition), bench.add(.condition)]
            for thread in [first, second] { bench.wait(thread, objects[conditions[thread]], with: mutex, until: 50) }
            return Self.hash(bench.state)
        }
        #expect(hash(1, 2, on: [0, 0, 1]) == hash(2, 1, on: [0, 0, 1]))
        #expect(hash(1, 2, on: [0, 0, 0]) != hash(2, 1, on: [0, 0, 0]))
    }

    @Test func `a state of a few threads takes little memory`() {
        let bench = Self.bench()
        var packed = PackedState()
        bench.state.encode(into: &packed)
        #expect(packed.byteCount < 4096)
    }
}
