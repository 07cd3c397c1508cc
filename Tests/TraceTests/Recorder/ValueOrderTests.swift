import Testing
import Trace

/// Two clocks, and a thread that loses its processor between an operation and its time stamp, put events in a wrong
/// order. The values of memory correct it.
@Suite struct ValueOrderTests {
    /// From a few nanoseconds to most of a second.
    static let delays: [UInt64] = [5, 1_000, 3_000_000, 700_000_000]

    @Test(arguments: delays)
    func `a load comes after the write whose value it saw, however late that was stamped`(delay: UInt64) throws {
        for kind in [EventKind.atomicStore, .atomicUpdate] {
            let lanes = try HandMadeLanes(threads: 2)
            lanes.add(.atomicLoad, by: 1, 1, 7, at: 100)
            lanes.add(.threadYield, by: 1, 0, at: 110)
            lanes.write(kind, by: 0, from: 0, to: 7, at: 100 + delay)
            #expect(lanes.lines() == ["t0 \(kind.name) 7", "t1 atomic.load 7", "t1 thread.yield 0"])
        }
    }

    @Test(arguments: delays)
    func `an update comes after the one whose value it replaced`(delay: UInt64) throws {
        let lanes = try HandMadeLanes(threads: 3)
        lanes.write(by: 0, from: 0, to: 1, at: 200 + delay)
        lanes.write(by: 1, from: 1, to: 2, at: 200)
        lanes.write(.atomicStore, by: 2, from: 2, to: 3, at: 100)
        #expect(lanes.lines() == ["t0 atomic.update 1", "t1 atomic.update 2", "t2 atomic.store 3"])
    }

    @Test(arguments: delays)
    func `a failed compare-exchange comes after the write whose value it saw`(delay: UInt64) throws {
        let lanes = try HandMadeLanes(threads: 2, values: [4])
        lanes.add(.atomicMismatch, by: 1, 1, 9, at: 100)
        lanes.write(by: 0, from: 4, to: 9, at: 100 + delay)
        #expect(lanes.lines() == ["t0 atomic.update 9", "t1 atomic.mismatch 9"])
    }

    @Test func `a load of the old value that was stamped a moment later comes before the write`() throws {
        let lanes = try HandMadeLanes(threads: 2)
        lanes.write(by: 0, from: 0, to: 1, at: 1_000)
        lanes.add(.threadYield, by: 1, 0, at: 900)
        lanes.add(.atomicLoad, by: 1, 1, 0, at: 1_500)
        lanes.add(.atomicLoad, by: 1, 1, 1, at: 1_501)
        #expect(
            lanes.lines() == ["t1 thread.yield 0", "t1 atomic.load 0", "t0 atomic.update 1", "t1 atomic.load 1"])
    }

    @Test func `a thread that is kept back keeps what others did at the same time from being passed over`() throws {
        // t1 needs t0's update, which was stamped late. t2's load of the old value comes before both.
        let lanes = try HandMadeLanes(threads: 3)
        lanes.add(.atomicLoad, by: 1, 1, 1, at: 1_000)
        lanes.add(.threadYield, by: 2, 0, at: 1_020)
        lanes.add(.atomicLoad, by: 2, 1, 0, at: 1_040)
        lanes.write(by: 0, from: 0, to: 1, at: 90_000)
        #expect(
            lanes.lines() == ["t2 thread.yield 0", "t2 atomic.load 0", "t0 atomic.update 1", "t1 atomic.load 1"])
    }

    @Test func `what others do much later does not go first, only because a thread is kept back`() throws {
        let lanes = try HandMadeLanes(threads: 3, values: [0, 0])
        lanes.add(.atomicLoad, by: 1, 1, 1, at: 1_000)
        lanes.add(.atomicLoad, by: 1, 2, 0, at: 1_100)
        lanes.write(by: 2, 2, from: 0, to: 5, at: 50_000)
        lanes.write(by: 0, 1, from: 0, to: 1, at: 90_000)
        #expect(
            lanes.lines() == ["t0 atomic.update 1", "t1 atomic.load 1", "t1 atomic.load 0", "t2 atomic.update 5"])
    }

    @Test func `a chain of updates is followed to the value that is needed`() throws {
        let lanes = try HandMadeLanes(threads: 4)
        lanes.add(.atomicLoad, by: 3, 1, 300, at: 10)
        lanes.write(by: 2, from: 200, to: 300, at: 20)
        lanes.write(by: 1, from: 100, to: 200, at: 5_000_000)
        lanes.write(by: 0, from: 0, to: 100, at: 9_000_000)
        #expect(
            lanes.lines() == [
                "t0 atomic.update 100", "t1 atomic.update 200", "t2 atomic.update 300", "t3 atomic.load 300",
            ])
    }

    @Test func `values may repeat: a lock is passed from thread to thread`() throws {
        let lanes = try HandMadeLanes(threads: 2)
        lanes.write(by: 0, from: 0, to: 1, at: 10)
        lanes.write(by: 1, from: 1, to: 1, at: 12)
        lanes.write(.atomicStore, by: 0, from: 1, to: 0, at: 4_000)
        lanes.write(by: 1, from: 0, to: 1, at: 20)
        lanes.write(by: 0, from: 1, to: 1, at: 4_001)
        lanes.write(.atomicStore, by: 1, from: 1, to: 0, at: 4_500)
        lanes.write(by: 0, from: 0, to: 1, at: 4_600)
        #expect(
            lanes.lines() == [
                "t0 atomic.update 1", "t1 atomic.update 1", "t0 atomic.store 0", "t1 atomic.update 1",
                "t0 atomic.update 1", "t1 atomic.store 0", "t0 atomic.update 1",
            ])
    }

    @Test(arguments: delays)
    func `a write that does not change the value comes before the one that does`(delay: UInt64) throws {
        // As in Peterson's lock, where both threads write the turn: 1 again, and then 0.
        let lanes = try HandMadeLanes(threads: 2, values: [1])
        lanes.write(.atomicStore, by: 1, from: 1, to: 0, at: 100)
        lanes.add(.atomicLoad, by: 1, 1, 0, at: 150)
        lanes.add(.atomicLoad, by: 1, 1, 1, at: 160 + delay)
        lanes.write(.atomicStore, by: 0, from: 1, to: 1, at: 100 + delay)
        lanes.write(.atomicStore, by: 0, from: 0, to: 1, at: 200 + delay)
        #expect(
            lanes.lines() == [
                "t0 atomic.store 1", "t1 atomic.store 0", "t1 atomic.load 0", "t0 atomic.store 1", "t1 atomic.load 1",
            ])
    }

    @Test(arguments: [127, 128, -127, -128, 1 << 40, .max, .min])
    func `values with large differences are recorded exactly`(step: Int) throws {
        let lanes = try HandMadeLanes(threads: 2, values: [3])
        let values = (1...3000).map { 3 &+ $0 &* step }
        for (index, value) in values.enumerated() {
            lanes.write(by: index % 2, from: value &- step, to: value, at: UInt64(10_000 - index % 2 * 5_000 + index))
        }
        #expect(lanes.events().map(\.value) == values.map { Int64($0) })
    }

    @Test func `records of a file come in the order of their numbers`() throws {
        let lanes = try HandMadeLanes(threads: 2, .file)
        lanes.add(.fileAppend, by: 0, 1, 2, at: 10)
        lanes.add(.fileAppend, by: 1, 1, 1, at: 4_000)
        #expect(lanes.lines() == ["t1 file.append 1", "t0 file.append 2"])
    }

    @Test func `a value that was not recorded delays its reader only for a while`() throws {
        let lanes = try HandMadeLanes(threads: 2)
        lanes.add(.atomicLoad, by: 0, 1, 5, at: 10)
        lanes.add(.threadYield, by: 0, 0, at: 20)
        for time in [30, 2_000_000_000] as [UInt64] { lanes.add(.note, by: 1, 0, at: time) }
        #expect(lanes.lines() == ["t1 note -1", "t0 atomic.load 5", "t0 thread.yield 0", "t1 note -1"])
    }

    @Test(arguments: delays)
    func `a read of a cell comes after the write that it saw, however late that was stamped`(delay: UInt64) throws {
        let lanes = try HandMadeLanes(threads: 2, .cell)
        lanes.add(.cellRead, by: 1, 1, 7, at: 990)
        lanes.add(.cellWrite, by: 0, 1, 7, at: 1_000 + delay)
        lanes.add(.cellRead, by: 1, 1, 7, at: 1_400 + delay)
        lanes.add(.cellWrite, by: 0, 1, 8, at: 1_500 + delay)
        #expect(lanes.lines() == ["t0 cell.write 7", "t1 cell.read 7", "t1 cell.read 7", "t0 cell.write 8"])
    }

    @Test(arguments: delays)
    func `a read of a cell comes after the write that it saw, however early it was stamped`(delay: UInt64) throws {
        // t1 loses its processor between reading the clock and the read.
        let lanes = try HandMadeLanes(threads: 3, .cell)
        lanes.add(.cellRead, by: 1, 1, 7, at: 1_000)
        lanes.add(.threadYield, by: 1, 0, at: 90_000 + delay)
        lanes.add(.note, by: 2, 0, at: 30_000 + delay)
        lanes.add(.note, by: 2, 0, at: 70_000 + delay)
        lanes.add(.note, by: 0, 0, at: 2_000)
        lanes.add(.cellWrite, by: 0, 1, 5, at: 20_000 + delay)
        lanes.add(.cellWrite, by: 0, 1, 7, at: 40_000 + delay)
        lanes.add(.cellWrite, by: 0, 1, 8, at: 60_000 + delay)
        #expect(
            lanes.lines() == [
                "t0 note -1", "t0 cell.write 5", "t2 note -1", "t0 cell.write 7", "t1 cell.read 7", "t0 cell.write 8",
                "t2 note -1", "t1 thread.yield 0",
            ])
    }

    @Test
    func `a read of a cell comes after the write that it saw, if the reader's next event was stamped before the write`()
        throws
    {
        // Writes are stamped late. t1 reads the second one, and immediately the first one.
        let lanes = try HandMadeLanes(threads: 2, .cell, values: [0, 0])
        lanes.add(.note, by: 0, 0, at: 19_000)
        lanes.add(.cellRead, by: 1, 1, 1, at: 19_600)
        lanes.add(.cellRead, by: 1, 2, 42, at: 20_500)
        lanes.add(.cellWrite, by: 0, 2, 42, at: 19_700)
        lanes.add(.cellWrite, by: 0, 1, 1, at: 20_600)
        lanes.add(.note, by: 0, 0, at: 40_000)
        #expect(
            lanes.lines() == [
                "t0 note -1", "t0 cell.write 42", "t0 cell.write 1", "t1 cell.read 1", "t1 cell.read 42", "t0 note -1",
            ])
    }

    @Test func `a read of a cell waits for the record of the write that it saw, until that can no longer come`() throws
    {
        let lanes = try HandMadeLanes(threads: 2, .cell)
        lanes.add(.cellRead, by: 1, 1, 7, at: 1_000)
        lanes.add(.threadYield, by: 1, 0, at: 9_000)
        lanes.add(.threadYield, by: 0, 0, at: 500)
        var merge = StepwiseMerge(lanes)
        #expect(merge.lines(upTo: 5_000) == ["t0 thread.yield 0"])
        lanes.add(.cellWrite, by: 0, 1, 7, at: 7_000)
        #expect(merge.lines(upTo: 5_000) == [])
        #expect(merge.lines(upTo: 10_000) == ["t0 cell.write 7", "t1 cell.read 7", "t1 thread.yield 0"])
        // Nothing that is stamped before the reader's next event can come any more.
        lanes.add(.cellRead, by: 1, 1, 8, at: 11_000)
        lanes.add(.threadYield, by: 1, 0, at: 12_000)
        #expect(merge.lines(upTo: 11_500) == [])
        #expect(merge.lines(upTo: 12_000) == ["t1 cell.read 8", "t1 thread.yield 0"])
    }

    @Test func `a read of a cell stays before the next event of its thread`() throws {
        let lanes = try HandMadeLanes(threads: 2, .cell)
        lanes.add(.cellRead, by: 1, 1, 7, at: 1_000)
        lanes.add(.threadYield, by: 1, 0, at: 2_000)
        lanes.add(.note, by: 0, 0, at: 5_000)
        lanes.add(.cellWrite, by: 0, 1, 7, at: 7_000)
        #expect(lanes.lines() == ["t1 cell.read 7", "t1 thread.yield 0", "t0 note -1", "t0 cell.write 7"])
    }

    @Test func `a read of a cell that did not see the write of a moment before comes before it`() throws {
        let lanes = try HandMadeLanes(threads: 2, .cell)
        lanes.add(.cellWrite, by: 0, 1, 7, at: 1_000)
        lanes.add(.cellRead, by: 1, 1, 0, at: 1_400)
        #expect(lanes.lines() == ["t1 cell.read 0", "t0 cell.write 7"])
    }

    @Test func `a read of a cell is not kept waiting for a value that does not come`() throws {
        let lanes = try HandMadeLanes(threads: 2, .cell)
        lanes.add(.cellRead, by: 0, 1, 7, at: 1_000)
        lanes.add(.cellWrite, by: 1, 1, 8, at: 20_000)
        #expect(lanes.lines() == ["t0 cell.read 7", "t1 cell.write 8"])
    }

    @Test func `a wait with a recursive mutex that is locked twice does not release it`() throws {
        let lanes = try HandMadeLanes(threads: 2, .recursiveMutex, values: [0, 0])
        lanes.add(.mutexAcquire, by: 0, 1, 1, at: 10)
        lanes.add(.mutexAcquire, by: 0, 1, 1, at: 20)
        lanes.add(.conditionWait, by: 0, 2, 1, at: 30)
        lanes.add(.conditionTimeout, by: 0, 2, 1 | 1 << 32, at: 40)
        lanes.add(.mutexRelease, by: 0, 1, at: 50)
        lanes.add(.mutexRelease, by: 0, 1, at: 60)
        lanes.add(.mutexAcquire, by: 1, 1, 2, at: 35)
        #expect(lanes.lines().last == "t1 mutex.acquire 2")
    }
}
