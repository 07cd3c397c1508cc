import Diagnosis
import Support
import Testing
import Trace

@testable import Supervision

@Suite struct DeadlockWatchTests {
    /// The watch, and the graph that it examines. Its clock counts the checks.
    private struct Run {
        var watch = DeadlockWatch()
        var graph = WaitForGraph()
        var time: UInt64 = 0
        /// How many checks what is known lags behind.
        var lag: UInt64 = 0

        mutating func go(on script: String) {
            let events = Script.trace(script).events
            for event in events { graph.consume(event) }
            watch.consume(events[...])
        }

        mutating func seesDeadlock(areAsleep: Bool = true) -> Bool {
            time += 1
            let now = time
            return watch.seesDeadlock(in: graph, known: now - min(now, lag), now: { now }, { areAsleep })
        }
    }

    /// At which of five checks without news, counted from one, it reports that threads cannot continue.
    private func look(
        after script: String, lag: UInt64 = 0, areAsleep: [Bool] = [true, true, true, true, true]
    ) -> Int? {
        var run = Run(lag: lag)
        run.go(on: script)
        return areAsleep.firstIndex { run.seesDeadlock(areAsleep: $0) }.map { $0 + 1 }
    }

    @Test func `the watch believes a standstill when it has seen it twice`() {
        #expect(look(after: "main semaphore.wait s") == 2)
        #expect(look(after: "main note \"at work\"") == nil)
    }

    @Test func `the watch starts over if a thread was awake`() {
        #expect(look(after: "main semaphore.wait s", areAsleep: [true, false, true, true, true]) == 4)
    }

    @Test func `the watch gives those that look at memory now and then the time to do so`() {
        let script = "w thread.start\nw memory.wait\nmain atomic.store x 1\nmain thread.join-wait w"
        #expect(look(after: script) == 4)
        #expect(look(after: script.replacing("memory.wait", with: "memory.spin")) == 4)
    }

    @Test func `the watch starts over if something was done in between`() {
        var run = Run()
        run.go(on: "main semaphore.wait s")
        let first = run.seesDeadlock()
        run.go(on: "main semaphore.acquire s\nmain semaphore.wait s")
        let later = [run.seesDeadlock(), run.seesDeadlock()]
        #expect(!first && later == [false, true])
    }

    private static let cycle = """
        main thread.create w
        main mutex.acquire a
        w mutex.acquire b
        main mutex.wait b
        w mutex.wait a
        """

    @Test func `a cycle is believed when it was seen twice, whoever is awake`() {
        #expect(look(after: Self.cycle, areAsleep: [false, false]) == 2)
    }

    @Test(arguments: [cycle, "main semaphore.wait s"])
    func `nothing is believed before all is known of the moment at which it was seen`(script: String) {
        #expect(look(after: script, lag: 3) == 4)
    }

    @Test func `a thread that was created but is not known yet can still help`() {
        var run = Run(lag: 3)
        run.go(on: "main semaphore.wait s")
        let before = [run.seesDeadlock(), run.seesDeadlock(), run.seesDeadlock()]
        run.go(on: "main semaphore.acquire s\nmain thread.create w\nmain semaphore.wait s")
        run.lag = 0
        let after = [run.seesDeadlock(), run.seesDeadlock(), run.seesDeadlock()]
        #expect(!(before + after).contains(true))
    }
}
