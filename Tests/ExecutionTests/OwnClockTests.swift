import CLab
import Glibc
import Testing

@testable import Execution

/// What a clock makes of what the kernel says of threads, at times of the test.
@Suite struct OwnClockTests {
    private static func look(_ thread: Int32, _ isAsleep: Bool, _ processorTime: UInt64) -> OwnClock.Look {
        OwnClock.Look(thread: thread, isAsleep: isAsleep, processorTime: processorTime)
    }

    /// Reads at each of the times, of which all but the first also have what the kernel says.
    private static func clock(
        period: UInt64 = 1, processors: Int = 2, _ reads: [(UInt64, [OwnClock.Look])]
    ) -> OwnClock {
        var clock = OwnClock(period: period, longestSleep: 100, processors: processors, now: 0)
        for (time, looks) in reads { clock.read(at: time) { looks } }
        return clock
    }

    @Test func `the clock advances while a thread computes`() {
        let clock = Self.clock([(100, [Self.look(1, false, 100)]), (200, [Self.look(1, false, 200)])])
        #expect(clock.computed == 200 && clock.slept == 0)
    }

    @Test func `the clock stands still while a thread waits for a processor, however long`() {
        let clock = Self.clock([(10, [Self.look(1, false, 10)]), (1_000_000_000, [Self.look(1, false, 10)])])
        #expect(clock.time == 10)
    }

    @Test func `the clock stands still while one of several waits for a processor and the others sleep`() {
        let clock = Self.clock([(90, [Self.look(1, true, 0), Self.look(2, false, 5)])])
        #expect(clock.time == 5)
    }

    @Test func `the clock advances while all sleep`() {
        let asleep = [Self.look(1, true, 0), Self.look(2, true, 0)]
        #expect(Self.clock([(50, asleep), (80, asleep)]).slept == 80)
    }

    @Test func `threads that compute at the same time drive the clock no faster than one`() {
        let clock = Self.clock([(100, [Self.look(1, false, 100), Self.look(2, false, 90)])])
        #expect(clock.time == 100)
    }

    @Test func `threads that wait for each other's processors drive the clock as fast as one that has its own`() {
        let looks = (1...8).map { Self.look($0, false, 25) }
        #expect(Self.clock(processors: 2, [(100, looks)]).time == 100)
        #expect(Self.clock(processors: 1, [(200, looks)]).time == 200)
        #expect(Self.clock(processors: 16, [(100, looks)]).time == 25)
    }

    @Test func `time without a look, because the process was stopped, does not count as sleep`() {
        #expect(Self.clock([(3_600_000, [Self.look(1, true, 0)])]).slept == 100)
    }

    @Test func `threads are not looked at within the period`() {
        #expect(Self.clock(period: 50, [(49, [Self.look(1, true, 0)])]).time == 0)
        #expect(Self.clock(period: 50, [(49, []), (50, [Self.look(1, true, 0)])]).time == 50)
    }

    @Test func `a thread's name may be anything`() throws {
        let rest = "5 5 0 -1 4194304 102 0 0 0 3 2 0 0 20 0 1 0 107607 3133440 410 18446744073709551615"
        let tick = 1_000_000_000 / UInt64(sysconf(Int32(_SC_CLK_TCK)))
        #expect(OwnClock.look(7, "7 (a) S (b)) R 1 \(rest)") == Self.look(7, false, 5 * tick))
        #expect(OwnClock.look(7, "7 (a) S 1 \(rest)")?.isAsleep == true)
        #expect(OwnClock.look(7, "") == nil && OwnClock.look(7, "7 (a) S 1 5") == nil)
    }

    /// Until the kernel says so: nothing here depends on how long that takes.
    @Test func `this thread computes, and one at a closed gate sleeps`() throws {
        var clock = OwnClock(period: 1)
        while clock.computed == 0 { clock.read([clab_thread_id()]) }
        let gate = try #require(Gate())
        clock = OwnClock(period: 1)
        while clock.slept == 0 { clock.read([gate.kernelNumber]) }
    }
}

/// A thread that waits until this value is gone.
private final class Gate: @unchecked Sendable {
    private var thread = pthread_t()
    private let ends: (reader: Int32, writer: Int32)
    let kernelNumber: Int32

    init?() {
        var (numbers, gate) = ([Int32](repeating: 0, count: 2), [Int32](repeating: 0, count: 2))
        guard pipe(&numbers) == 0, pipe(&gate) == 0 else { return nil }
        ends = (gate[0], gate[1])
        let arguments = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
        (arguments[0], arguments[1]) = (numbers[1], gate[0])
        let code = pthread_create(
            &thread, nil,
            { arguments in
                guard let ends = arguments?.assumingMemoryBound(to: Int32.self) else { return nil }
                var number = clab_thread_id()
                write(ends[0], &number, MemoryLayout<Int32>.size)
                var byte: UInt8 = 0
                read(ends[1], &byte, 1)
                ends.deallocate()
                return nil
            }, arguments)
        guard code == 0 else { return nil }
        var number: Int32 = 0
        read(numbers[0], &number, MemoryLayout<Int32>.size)
        kernelNumber = number
        for end in numbers { close(end) }
    }

    deinit {
        close(ends.writer)
        pthread_join(thread, nil)
        close(ends.reader)
    }
}
