import Testing

@testable import Supervision

/// What a watchdog takes for a standstill. Its clock is the test's.
@Suite struct StandstillTests {
    @Test func `time counts from the first look at a step`() {
        var standstill = Standstill<Int>()
        standstill.look(7, at: 1_000)
        #expect(standstill.time == 0)
        standstill.look(7, at: 1_010)
        standstill.look(7, at: 1_030)
        #expect(standstill.time == 30)
    }

    @Test func `a step begins it anew`() {
        var standstill = Standstill<Int>()
        for time in [0, 50, 100] as [UInt64] { standstill.look(7, at: time) }
        standstill.look(8, at: 150)
        #expect(standstill.time == 0)
        standstill.look(8, at: 160)
        #expect(standstill.time == 10)
    }

    @Test func `a tracer is seen in the status of the process`() {
        #expect(Debugger.tracer(ofLine: "TracerPid:\t0\n") == 0)
        #expect(Debugger.tracer(ofLine: "TracerPid:\t4711\n") == 4711)
        #expect(Debugger.tracer(ofLine: "Pid:\t4711\n") == nil)
    }
}
