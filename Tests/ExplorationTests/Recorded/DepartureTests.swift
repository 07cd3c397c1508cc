import Support
import Testing
import Trace

@testable import Exploration

/// Records that a program cannot follow: it reports where, and why.
@Suite struct DepartureTests {
    private static let start = "main thread.create t\nt thread.start\n"

    /// - Parameter record: of the thread `t`, the third event on.
    private func departure(_ program: String, _ record: String) throws -> String? {
        let trace = Script.trace(Self.start + record)
        let run = RecordedRun(trace)
        let order = RecordedOrder(run)
        _ = try TestProgram(program).engine(run.rules(maximumSteps: 1000)).execute(order)
        return order.departure?.description(in: trace)
    }

    @Test func `another value`() throws {
        #expect(
            try departure("shared n = 7\nthread t { n = n + 1 }", "t cell.read n 5 :3")
                == "event 3 of 3 is cell.read of n by t at Test.swift:3, but the value is 7, not 5")
    }

    @Test func `another operation`() throws {
        #expect(
            try departure("mutex m\nthread t { lock m { m.unlock() } }", "t mutex.acquire m 1\nt condition.signal c :9")
                == "event 4 of 4 is condition.signal of c by t at Test.swift:9, but the thread reaches mutex.release of m"
        )
    }

    @Test func `an operation that has to wait`() throws {
        #expect(
            try departure(
                "semaphore s = 0\nthread t { s.wait() }\nthread u { s.signal() }",
                "main thread.create u\nt semaphore.acquire s :4"
            ) == "event 4 of 4 is semaphore.acquire of s by t at Test.swift:4, but the thread cannot continue there")
    }

    @Test func `a thread that has ended`() throws {
        #expect(
            try departure(
                "thread t { yield }\nthread u { yield }", "main thread.create u\nt thread.yield\nt thread.yield")
                == "event 5 of 5 is thread.yield by t, but there is no such thread now")
    }

    @Test func `a run in which no thread can continue`() throws {
        #expect(
            try departure("semaphore s = 0\nthread t { s.wait() }", "t semaphore.acquire s :4")
                == "event 3 of 3 is semaphore.acquire of s by t at Test.swift:4, but no thread can continue")
    }

    @Test func `none, where the run continued after the record`() throws {
        #expect(try departure("thread t { yield; yield }", "t thread.yield") == nil)
    }

    @Test func `a thread more`() throws {
        #expect(
            try departure("thread t { yield }\nthread u { yield }", "main thread.join t")
                == "event 3 of 3 is thread.join by main, but a thread is started there")
    }
}
