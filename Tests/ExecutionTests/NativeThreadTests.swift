import Machine
import Testing
import Trace

@testable import Execution

@Suite struct NativeThreadTests {
    @Test func `a thread's life is recorded in order`() throws {
        let report = try runNatively { lab in
            let thread = try lab.thread("worker") { throw ThreadExit(value: 42) }
            try lab.join(thread)
            #expect(lab.runtime.result(of: thread) == 42)
            #expect(lab.runtime.currentThread == .main)
        }
        #expect(
            report.lines.filter { !$0.contains("join-wait") } == [
                "main thread.create worker", "worker thread.start", "worker thread.exit 42", "main thread.join worker",
                "main run.exit", "main run.complete",
            ])
    }

    @Test func `threads of one name are distinguished, and a long name is kept`() throws {
        let long = "a name that is too long for the kernel é"
        let report = try runNatively { lab in
            for name in ["w", "w", nil, long] { try lab.join(try lab.thread(name) {}) }
        }
        #expect(report.document.threads.map(\.name) == ["main", "w", "w 2", "thread 1", long])
    }

    @Test func `join and detach are refused where they make no sense`() throws {
        try runNatively { lab in
            let gate = lab.semaphore()
            let joined = try lab.thread {}
            try lab.join(joined)
            #expect(lab.misuse { try lab.join(joined) } == "join-twice")
            #expect(lab.misuse { try lab.perform(.detach, joined) } == "detach-joined")
            let detached = try lab.thread { try lab.take(gate) }
            try lab.expect(lab.perform(.tryJoin, detached), is: 0)
            try lab.expect(lab.perform(.joinUntil, detached, 0, 0), is: 0)
            try lab.expect(lab.perform(.detach, detached), is: 1)
            #expect(lab.misuse { try lab.perform(.detach, detached) } == "detach-twice")
            #expect(lab.misuse { try lab.join(detached) } == "join-detached")
            try lab.post(gate)
            let born = try lab.thread("born", detached: true) {}
            #expect(lab.misuse { try lab.perform(.tryJoin, born) } == "join-detached")
            #expect(lab.misuse { try lab.join(RuntimeObject(id: 0)) } == "join-self")
        }
    }

    @Test func `of two joiners one succeeds`() throws {
        try runNatively { lab in
            let (gate, refused) = (lab.semaphore(), lab.atomic())
            let target = try lab.thread("target") { try lab.take(gate) }
            let joiners = try (0..<2).map { _ in
                try lab.thread {
                    if lab.misuse({ try lab.join(target) }) == "join-twice" { _ = try lab.perform(.add, refused, 1) }
                }
            }
            try lab.post(gate)
            for joiner in joiners { try lab.join(joiner) }
            try lab.expect(lab.perform(.load, refused), is: 1)
        }
    }

    @Test func `detaching a thread that another one joins refuses the join`() throws {
        try runNatively { lab in
            let gate = lab.semaphore()
            let target = try lab.thread("target") { try lab.take(gate) }
            let joiner = try lab.thread {
                let outcome = lab.misuse { try lab.join(target) }
                #expect(outcome == "join-detached")
            }
            let thread = try #require(lab.runtime.registry.thread(target.id))
            try lab.eventually { thread.joining.load(ordering: .relaxed) == .claimed }
            try lab.expect(lab.perform(.detach, target), is: 1)
            try lab.join(joiner)
            try lab.post(gate)
        }
    }

    @Test func `the main thread can be joined once it has exited as a thread`() throws {
        let report = try runNatively { lab in
            let main = RuntimeObject(id: 0)
            _ = try lab.thread("joiner") {
                try lab.join(main)
                #expect(lab.runtime.result(of: main) == 7)
            }
            throw ThreadExit(value: 7)
        }
        #expect(report.lines.last == "main run.complete")
        #expect(report.lines.contains("joiner thread.join main"))
        #expect(report.count(.runExit) == 0)
    }

    @Test func `threads that join each other wait until the run ends`() throws {
        let report = try runNatively { lab in
            let handle = lab.atomic()
            let (a, b) = (lab.semaphore(), lab.semaphore())
            let first = try lab.thread("first") {
                try lab.take(a)
                try lab.join(RuntimeObject(id: UInt32(try lab.perform(.load, handle))))
                Issue.record("joined its joiner")
            }
            let second = try lab.thread("second") {
                try lab.take(b)
                try lab.join(first)
                Issue.record("joined its joiner")
            }
            _ = try lab.perform(.store, handle, Int(second.id))
            try lab.post(a)
            try lab.post(b)
            let threads = lab.runtime.registry.allThreads.dropFirst()
            try lab.eventually { threads.allSatisfy { $0.joining.load(ordering: .relaxed) == .claimed } }
        }
        #expect(report.result == NativeResult(isComplete: true, unresponsive: []))
    }

    @Test func `attributes that cannot be are refused`() throws {
        try runNatively { lab in
            for attributes in [ThreadAttributes(stackSize: 4096), ThreadAttributes(priority: 99)] {
                #expect(throws: ThreadCreationFailed.self) {
                    _ = try lab.runtime.startThread(named: nil, attributes, at: .unknown, body: .plain {})
                }
            }
            let hinted = ThreadAttributes(stackSize: 1 << 20, priority: 31)
            try lab.join(try lab.runtime.startThread(named: nil, hinted, at: .unknown, body: .plain {}))
        }
    }

    @Test func `there is an end to the number of threads`() throws {
        let report = try runNatively { lab in
            for _ in 1..<MachineState.maximumThreads { try lab.join(try lab.thread {}) }
            #expect(throws: ThreadCreationFailed.self) { _ = try lab.thread {} }
        }
        #expect(report.count(.threadExit) == MachineState.maximumThreads - 1)
        #expect(report.document.dropped == 0)
    }

    @Test func `a choice is in its range`() throws {
        try runNatively { lab in
            var seen: Set<Int> = []
            while seen.count < 3 { seen.insert(try lab.perform(.choose, .none, 3)) }
            #expect(seen == [0, 1, 2])
        }
    }

    /// Deadlines that any rounding would miss.
    @Test func `sleeping reaches the deadline`() throws {
        try runNatively { lab in
            for nanoseconds in [-1, 0, 1, 999, 1000, 1001, 50_001] {
                let deadline = nanoseconds < 0 ? -1 : lab.runtime.now + nanoseconds
                _ = try lab.perform(.sleepUntil, .none, 0, deadline)
                #expect(lab.runtime.now >= deadline)
            }
        }
    }

    @Test func `operations on atomics, and fences, have their memory orders in the trace`() throws {
        let report = try runNatively { lab in
            let atomic = lab.atomic(6)
            func perform(_ kind: Operation.Kind, _ a: Int = 0, _ b: Int = 0, orders: Operation.Orders) throws {
                let operation = Operation(kind, atomic.id, a, b, orders: orders)
                _ = try lab.runtime.perform(operation, on: atomic, with: nil, at: .unknown)
            }
            try perform(.load, orders: .init(.acquire))
            try perform(.store, 1000, orders: .init(.release))
            try perform(.add, 1, orders: .init(.relaxed))
            try perform(.compareExchange, 1001, 5, orders: .init(.acqRel))
            try perform(.compareExchange, 1001, 5, orders: .init(.acqRel, failure: .relaxed))
            try perform(.weakCompareExchange, 5, 6, orders: .init(.release))
            try perform(.exchange, 7, orders: .init())
            for order in MemoryOrder.ofFences {
                let fence = Operation(.fence, orders: .init(order))
                _ = try lab.runtime.perform(fence, on: .none, with: nil, at: .unknown)
            }
        }
        let events = report.document.events
        #expect(
            events.filter(\.kind.isOfAtomic).map(\.order) == [
                .acquire, .release, .relaxed, .acqRel, .relaxed, .release, .seqcst,
            ])
        #expect(events.compactMap(\.valueAsOrder) == MemoryOrder.ofFences)
    }

    @Test func `atomics do what the machine's do`() throws {
        let report = try runNatively { lab in
            let atomic = lab.atomic(6)
            try lab.expect(lab.perform(.add, atomic, 4), is: 6)
            try lab.expect(lab.perform(.bitAnd, atomic, 3), is: 10)
            try lab.expect(lab.perform(.bitOr, atomic, 5), is: 2)
            try lab.expect(lab.perform(.bitXor, atomic, 1), is: 7)
            try lab.expect(lab.perform(.exchange, atomic, 9), is: 6)
            try lab.expect(lab.perform(.compareExchange, atomic, 8, 1), is: 9)
            try lab.expect(lab.perform(.compareExchange, atomic, 9, 1), is: 9)
            try lab.expect(lab.perform(.load, atomic), is: 1)
            let file = lab.make(.file, .file)
            try lab.expect(lab.perform(.append, file), is: 1)
            try lab.expect(lab.perform(.append, file), is: 2)
        }
        #expect(report.document.events.filter { $0.kind == .atomicUpdate }.map(\.value) == [10, 2, 7, 6, 9, 1])
        #expect(report.document.events.filter { $0.kind == .atomicMismatch }.map(\.value) == [9])
    }
}
