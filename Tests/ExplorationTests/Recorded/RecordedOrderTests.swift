import Machine
import Support
import Testing
import Trace

@testable import Exploration

/// A record written by hand, and followed by a small program.
@Suite struct RecordedOrderTests {
    /// The result of a program that followed a record.
    private struct Following {
        let verdict: Verdict
        let schedule: String
        let departure: String?
        /// The events of the machine's steps, as `thread kind`, in their order.
        let state: [Int]
    }

    /// - Parameter record: without the lines in which the main thread starts the others.
    private func follow(
        _ program: String, threads: [String], _ record: String, outcome: OutcomeKind? = nil
    ) throws -> Following {
        let starts = threads.map { "main thread.create \($0)\n" }.joined()
        var trace = Script.trace(starts + record)
        trace.outcome = outcome.map { Outcome($0, summary: "") }
        let run = RecordedRun(trace)
        let order = RecordedOrder(run)
        let engine = try TestProgram(program).engine(run.rules(maximumSteps: 1000))
        let verdict = engine.execute(order)
        let machine = engine.machine
        return Following(
            verdict: verdict, schedule: engine.schedule.description,
            departure: order.departure?.description(in: trace),
            state: (1..<machine.objectCount).map { machine.object(UInt32($0)).value })
    }

    @Test func `threads step in the recorded order`() throws {
        let end = try follow(
            """
            mutex m
            thread t[3] { lock m { } }
            """, threads: ["a", "b", "c"],
            """
            c thread.start
            a thread.start
            c mutex.acquire m 1
            b thread.start
            c mutex.release m
            b mutex.acquire m 2
            a mutex.wait m
            b mutex.release m
            a mutex.acquire m 3
            """)
        #expect(end.schedule.hasPrefix("3,1,3,2,3,2x2,1"))
        #expect(end.departure == nil)
    }

    @Test func `of two locks that are named in another order the right one is meant`() throws {
        let end = try follow(
            """
            mutex a, b
            thread first { a.lock(); b.lock(); b.unlock(); a.unlock() }
            thread second { b.lock(); a.lock(); a.unlock(); b.unlock() }
            """, threads: ["x", "y"],
            """
            y thread.start
            y mutex.acquire two 1
            x thread.start
            x mutex.acquire one 1
            x mutex.wait two
            y mutex.wait one
            """, outcome: .deadlock)
        #expect(end.verdict == .deadlock)
        #expect(end.schedule == "2x2,1x2")
    }

    @Test func `what was chosen is chosen again`() throws {
        let end = try follow(
            "shared n = 0\nthread t { n = choose(5) }", threads: ["t"],
            "t thread.start\nt choice 3\nt cell.write n 3")
        #expect(end.state == [3])
        #expect(end.departure == nil)
    }

    @Test func `a signal wakes the waiter that it woke`() throws {
        let end = try follow(
            """
            mutex m
            condition c with m
            shared last = 0
            thread waiter[2] { lock m { c.wait(); last = index + 1 } }
            thread giver { lock m { c.signal() }; lock m { c.signal() } }
            """, threads: ["one", "two", "giver"],
            """
            one thread.start
            one mutex.acquire m 1
            one condition.wait c m
            two thread.start
            two mutex.acquire m 2
            two condition.wait c m
            giver thread.start
            giver mutex.acquire m 3
            giver condition.signal c
            giver mutex.release m
            two condition.wake c m
            two cell.write last 2
            two mutex.release m
            giver mutex.acquire m 4
            giver condition.signal c
            giver mutex.release m
            one condition.wake c m
            one cell.write last 1
            one mutex.release m
            """)
        #expect(end.schedule.hasPrefix("1x3,2x3,3x3=1,3,2x3,3x3,1x3"), "\(end.schedule)")
        #expect(end.departure == nil)
    }

    @Test func `a signal that was recorded after the wait, and came before it, is lost again`() throws {
        let end = try follow(
            """
            mutex m
            condition c with m
            thread waiter { lock m { c.wait() } }
            thread giver { c.signal() }
            """, threads: ["waiter", "giver"],
            """
            waiter thread.start
            waiter mutex.acquire m 1
            giver thread.start
            waiter condition.wait c m
            giver condition.signal c
            giver thread.exit
            """, outcome: .deadlock)
        #expect(end.verdict == .deadlock)
        #expect(end.schedule == "1x2,2x2,1")
    }

    @Test func `a wait that ended without a signal does so again`() throws {
        let end = try follow(
            """
            mutex m
            condition c with m
            thread waiter { lock m { c.wait() } }
            """, threads: ["waiter"],
            """
            waiter thread.start
            waiter mutex.acquire m 1
            waiter condition.wait c m
            waiter condition.wake c m
            waiter mutex.release m
            """)
        #expect(end.verdict == .completed)
        #expect(end.departure == nil)
    }

    @Test func `time passes where it passed`() throws {
        let end = try follow(
            """
            mutex m
            shared n = 0
            thread holder { lock m { sleep 10ms; n = 1 } }
            thread hasty { if m.lock(for: 1ms) { m.unlock() } else { n = 2 } }
            """, threads: ["holder", "hasty"],
            """
            holder thread.start
            holder mutex.acquire m 1
            hasty thread.start
            hasty thread.deadline 1000000
            hasty mutex.wait m
            holder thread.sleep 10000000
            holder thread.awake
            holder cell.write n 1
            hasty mutex.timeout m
            hasty cell.write n 2
            holder mutex.release m
            """)
        #expect(end.state.last == 2)
        #expect(end.departure == nil)
    }

    @Test func `a lock that was found busy is found busy, though its release was recorded first`() throws {
        let end = try follow(
            """
            mutex m
            shared n = 0
            thread holder { lock m { } }
            thread hasty { if m.tryLock() { m.unlock() } else { n = 1 } }
            """, threads: ["holder", "hasty"],
            """
            hasty thread.start
            holder thread.start
            holder mutex.acquire m 1
            holder mutex.release m
            hasty mutex.busy m
            hasty cell.write n 1
            """)
        #expect(end.state.last == 1)
        #expect(end.departure == nil)
    }

    @Test func `of two updates the one that made the smaller number was first`() throws {
        let end = try follow(
            """
            atomic n = 0
            shared one = 0, two = 0
            thread left { one = n.add(1) }
            thread right { two = n.add(1) }
            """, threads: ["left", "right"],
            """
            left thread.start
            right thread.start
            left atomic.update n 2
            right atomic.update n 1
            """)
        #expect(end.schedule.hasPrefix("1,2x2,1"))
        #expect(end.departure == nil)
    }
}
