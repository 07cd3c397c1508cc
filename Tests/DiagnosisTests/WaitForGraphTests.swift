import Support
import Testing
import Trace

@testable import Diagnosis

@Suite struct WaitForGraphTests {
    @Test func `the graph sees the two threads that took two locks in opposite orders`() throws {
        let graph = WaitForGraph(.abba)
        let cycle = try #require(graph.cycle(from: ThreadID(1)))
        #expect(cycle.threads == [ThreadID(1), ThreadID(2)])
        #expect(cycle.links[0].wait.target == .mutex(ObjectID(2)))
        #expect(cycle.links[0].hold?.object == ObjectID(2))
        #expect(graph.cycles().count == 1)
        #expect(graph.cycle(from: .main) == nil)
        #expect(graph.allBlocked)
        #expect(graph.blocked.map(\.thread) == [.main, ThreadID(1), ThreadID(2)])
    }

    @Test func `the graph sees that a recursive mutex that is locked twice stays held during a wait`() {
        let script = """
            main   thread.create waiter
            main   thread.create setter
            main   thread.join-wait waiter
            waiter mutex.acquire m 1
            waiter mutex.acquire m 1
            waiter condition.wait c m
            setter mutex.wait m
            """
        var graph = WaitForGraph(Script.trace(script))
        let (waiter, setter) = (ThreadID(1), ThreadID(2))
        #expect(graph.blockers(of: setter) == [waiter])
        #expect(graph.allBlocked)
        #expect(graph.cycles().isEmpty)
        // A signal lets the waiter continue: it gets the mutex.
        graph = WaitForGraph(Script.trace(script + "\nmain condition.signal c"))
        #expect(graph.blockers(of: waiter) == [])
    }

    @Test func `the graph sees that a mutex that is locked once is free during a wait`() {
        let waiting = "main mutex.acquire m\nmain condition.wait c m\nw mutex.wait m"
        #expect(WaitForGraph(Script.trace(waiting)).blockers(of: ThreadID(1)) == [])
        let twice = "main mutex.acquire m\n" + waiting
        #expect(WaitForGraph(Script.trace(twice)).blockers(of: ThreadID(1)) == [.main])
    }

    @Test func `the graph sees nothing before the last thread waits`() {
        var trace = TraceDocument.abba
        trace.events.removeLast()
        let graph = WaitForGraph(trace)
        #expect(graph.cycles().isEmpty)
        #expect(!graph.allBlocked)
    }

    @Test(
        arguments: [
            "main mutex.acquire m\nmain mutex.wait m",
            "main thread.create w\nmain thread.join-wait w\nw thread.join-wait main",
            "main thread.create w\nmain mutex.acquire m\nmain thread.join-wait w\nw mutex.wait m",
            "main rwlock.read-acquire t\nmain rwlock.write-wait t",
            "main rwlock.read-acquire t\nw rwlock.read-acquire t\nmain rwlock.write-wait t\nw rwlock.write-wait t",
            // Behind a writer that waits for the first read to end
            "main rwlock.read-acquire t\nw rwlock.write-wait t\nmain rwlock.read-wait t",
            // One of two readers is enough
            "main rwlock.read-acquire t\nw rwlock.read-acquire t\nv thread.start\nv mutex.acquire m\n"
                + "v rwlock.write-wait t\nmain mutex.wait m",
            // Signaled, but its mutex is not released
            "w mutex.acquire m\nw condition.wait c m\nmain mutex.acquire m\nmain condition.signal c\n"
                + "main thread.join-wait w\nw thread.start\nw mutex.acquire m\nw mutex.wait m",
            "main thread.create w\nw mutex.acquire m\nw condition.wait c m\nmain mutex.acquire m\n"
                + "main condition.signal c\nmain thread.join-wait w",
        ])
    func `the graph sees every kind of cycle`(script: String) {
        #expect(!WaitForGraph(Script.trace(script)).cycles().isEmpty)
    }

    @Test(
        arguments: [
            // The lock was released
            "main mutex.acquire a\nw mutex.acquire b\nmain mutex.wait b\nw mutex.release b\nw mutex.wait a",
            // It waits only for a time
            "main mutex.acquire a\nw mutex.acquire b\nmain thread.deadline 1000\nmain mutex.wait b\nw mutex.wait a",
            // It has given up
            "main mutex.acquire a\nw mutex.acquire b\nmain mutex.wait b\nmain mutex.timeout b\nw mutex.wait a",
            "main thread.join-wait w\nw thread.exit",
        ])
    func `the graph finds no cycle where a thread can continue`(script: String) {
        #expect(WaitForGraph(Script.trace(script)).cycles().isEmpty)
    }

    @Test func `the graph counts the acquisitions of a recursive mutex, and remembers the line of the first`() {
        var graph = WaitForGraph(Script.trace("main mutex.acquire m :3\nmain mutex.acquire m :4\nmain mutex.release m"))
        #expect(graph.locks(of: .main).map(\.site) == [SiteID(1)])
        graph.consume(Event(time: 0, thread: .main, kind: .mutexRelease, object: ObjectID(1)))
        #expect(graph.locks(of: .main).isEmpty)
    }

    @Test func `the graph restores the mutex with its depth when a wait on a condition ends`() {
        let graph = WaitForGraph(
            Script.trace(
                "main mutex.acquire m\nmain mutex.acquire m\nmain condition.wait c m\nmain condition.wake c m"))
        #expect(graph.locks(of: .main).map(\.depth) == [2])
    }

    @Test
    func
        `the graph does not count a thread as blocked forever that has a deadline, sleeps, or was created and has not started`()
    {
        #expect(!WaitForGraph(Script.trace("main thread.deadline 5\nmain semaphore.wait s")).allBlocked)
        #expect(!WaitForGraph(Script.trace("main thread.sleep 5")).allBlocked)
        #expect(!WaitForGraph(Script.trace("main thread.create w\nmain thread.join-wait w")).allBlocked)
        #expect(WaitForGraph(Script.trace("main semaphore.wait s")).allBlocked)
    }

    @Test func `the graph forgets a deadline if the thread did not have to wait`() {
        let graph = WaitForGraph(Script.trace("main thread.deadline 5\nmain mutex.acquire m\nmain semaphore.wait s"))
        #expect(graph.allBlocked)
    }

    @Test func `the graph does not change after the end of the run, whatever the unwinding threads still do`() {
        var trace = TraceDocument.abba
        trace.events += Script.trace("main run.timeout 5\nmain thread.exit").events
        trace.events.append(Event(time: 0, thread: ThreadID(1), kind: .mutexRelease, object: ObjectID(1)))
        let graph = WaitForGraph(trace)
        #expect(graph.cycles().count == 1)
        #expect(graph.ending?.kind == .runTimeout)
    }
}

extension WaitForGraphTests {
    @Test func `a thread that has downgraded a lock holds it for reading, and a writer waits for it`() {
        let script = "main rwlock.write-acquire t :3\nmain rwlock.downgrade t :4\nw rwlock.write-wait t :9"
        let graph = WaitForGraph(Script.trace(script))
        #expect(graph.locks(of: .main).map(\.mode) == [.shared])
        #expect(graph.holders(of: ObjectID(1)) == [.main])
        #expect(graph.blockers(of: ThreadID(1)) == [.main])
        #expect(WaitForGraph(Script.trace(script + "\nmain rwlock.read-release t")).locks(of: .main).isEmpty)
    }
}

extension WaitForGraph {
    init(_ trace: TraceDocument) {
        self.init()
        for event in trace.events { consume(event) }
    }
}
