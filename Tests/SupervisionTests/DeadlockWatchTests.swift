import Support
import Testing
import Trace

@testable import Supervision

@Suite("The deadlock watch")
struct DeadlockWatchTests {
    /// At which of five looks with nothing new, counted from one, it says that everybody is blocked.
    private func look(after script: String, areAsleep: [Bool] = [true, true, true, true, true]) -> Int? {
        var watch = DeadlockWatch()
        for event in Script.trace(script).events { watch.consume(event) }
        return areAsleep.firstIndex { asleep in watch.isEverybodyBlocked { asleep } }.map { $0 + 1 }
    }

    @Test func `believes a standstill when it has seen it twice`() {
        #expect(look(after: "main semaphore.wait s") == 2)
        #expect(look(after: "main note \"at work\"") == nil)
    }

    @Test func `begins anew if a thread was awake`() {
        #expect(look(after: "main semaphore.wait s", areAsleep: [true, false, true, true, true]) == 4)
    }

    @Test func `gives those that look at memory now and then the time to do so`() {
        let script = "w thread.start\nw memory.wait\nmain atomic.store x 1\nmain thread.join-wait w"
        #expect(look(after: script) == 4)
    }

    @Test func `begins anew if something was done in between`() {
        var watch = DeadlockWatch()
        for event in Script.trace("main semaphore.wait s").events { watch.consume(event) }
        #expect(!watch.isEverybodyBlocked { true })
        for event in Script.trace("main semaphore.acquire s\nmain semaphore.wait s").events { watch.consume(event) }
        #expect(!watch.isEverybodyBlocked { true })
        #expect(watch.isEverybodyBlocked { true })
    }
}
