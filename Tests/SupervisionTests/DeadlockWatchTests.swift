import Diagnosis
import Support
import Testing
import Trace

@testable import Supervision

@Suite struct DeadlockWatchTests {
    /// The watch, and the graph that it examines.
    private struct Run {
        var watch = DeadlockWatch()
        var graph = WaitForGraph()

        mutating func go(on script: String) {
            let events = Script.trace(script).events
            for event in events { graph.consume(event) }
            watch.consume(events[...])
        }

        mutating func seesStandstill(areAsleep: Bool = true) -> Bool { watch.sees(allBlockedIn: graph) { areAsleep } }
    }

    /// At which of five checks without news, counted from one, it reports that all threads are blocked.
    private func look(after script: String, areAsleep: [Bool] = [true, true, true, true, true]) -> Int? {
        var run = Run()
        run.go(on: script)
        return areAsleep.firstIndex { run.seesStandstill(areAsleep: $0) }.map { $0 + 1 }
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
        let first = run.seesStandstill()
        run.go(on: "main semaphore.acquire s\nmain semaphore.wait s")
        let later = [run.seesStandstill(), run.seesStandstill()]
        #expect(!first && later == [false, true])
    }
}
