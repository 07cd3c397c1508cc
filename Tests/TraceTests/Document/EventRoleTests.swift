import Support
import Testing
import Trace

/// What reports show of a call of a built object: a queue `q` with a lock and a condition.
@Suite struct EventRoleTests {
    /// The kinds of the events that are shown, without the numbers of their threads.
    private static func steps(_ lines: String, _ details: EventRoles.Details = []) -> [String] {
        let trace = trace(lines)
        let roles = trace.roles(details).all
        return trace.events.indices.filter { roles[$0] == .step }.map { trace.events[$0].kind.name }
    }

    private static func trace(_ lines: String) -> TraceDocument {
        var trace = Script.trace(lines)
        let queue = trace.objects.firstIndex { $0?.name == "q" } ?? 0
        for name in ["lock", "condition"] {
            guard let part = trace.objects.firstIndex(where: { $0?.name == name }) else { continue }
            trace.objects[part]?.kind = .part
            if name == "lock" { trace.objects[part]?.owner = ObjectID(queue == 0 ? part : queue) }
        }
        return trace
    }

    /// A call that waits twice.
    private static let call = """
        main mutex.acquire lock
        main condition.wait condition lock
        main condition.wake condition lock
        main condition.wait condition lock
        main mutex.wait lock
        main condition.wake condition lock
        main queue.take q 1
        main mutex.release lock
        """

    @Test func `a call that waits twice for a change is one wait`() {
        #expect(Self.steps(Self.call) == ["condition.wait", "remark"])
        #expect(Self.steps(Self.call, .insides).count == 8)
    }

    @Test func `the next call has a wait of its own`() {
        #expect(Self.steps(Self.call + "\n" + Self.call).count == 4)
    }

    @Test func `a wait for the lock inside is shown only if it never ends`() {
        let waits = "main mutex.wait lock\nmain mutex.acquire lock\nmain mutex.release lock"
        #expect(Self.steps(waits) == [])
        #expect(Self.steps("main mutex.wait lock") == ["mutex.wait"])
    }

    @Test func `what the object says of a wait replaces it, however often it looks again`() {
        let said = """
            main object.wait q "at 1"
            main object.state q "at 0"
            main condition.wait condition lock
            main condition.wake condition lock
            main object.wait q "at 1"
            main object.state q "at 2"
            main condition.wait condition lock
            """
        #expect(Self.steps(said) == ["object.wait"])
    }

    @Test func `memory that is freed is one row, however many objects are in it`() {
        let freed = "main cell.free x \"block\"\nmain cell.free-rest y \"block\"\nmain cell.free-rest z \"block\""
        #expect(Self.steps(freed) == ["cell.free"])
    }

    @Test func `why a program crashes is no step of it`() {
        #expect(Self.steps("main crash.reason x \"read through a null pointer\"") == [])
    }

    @Test func `a time limit belongs to the wait that is shown`() {
        let timed = Self.trace("main thread.deadline 5\nmain mutex.wait m\nmain mutex.timeout m")
        #expect(timed.roles().all == [.inside, .step, .step])
        #expect(timed.roles().limits == [1: 5])
        #expect(timed.roles(.limits).all == [.step, .step, .step])
        let said = Self.trace(
            "main object.wait q \"at 1\"\nmain thread.deadline 7\nmain condition.wait condition lock")
        #expect(said.roles().limits == [0: 7])
    }
}
