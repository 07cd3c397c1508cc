import Diagnosis
import Support
import Testing
import Trace

@testable import Views

@Suite struct RunModelTests {
    private static let first = ThreadID(1)
    private static let second = ThreadID(2)

    @Test func `the model says after each event what each thread does`() {
        let model = RunModel(.abba)
        var activities: [RunThread.Activity] = []
        for count in 0...4 { activities.append(model.state(after: count).thread(Self.first).activity) }
        #expect(activities == [.notCreated, .created, .created, .running, .running])
        #expect(model.state(after: 0).thread(.main).activity == .running)

        let end = model.state(after: 9)
        guard case .waiting(let wait) = end.thread(Self.first).activity else {
            Issue.record("first does not wait")
            return
        }
        #expect(wait.target == .mutex(ObjectID(2)))
        #expect(end.thread(Self.first).since == 8)
        #expect(end.thread(Self.first).holds.map(\.object) == [ObjectID(1)])
        #expect(end.thread(Self.first).blockers == [Self.second])
        #expect(model.trace.site(end.thread(Self.first).site)?.line == 22)
        #expect(end.object(ObjectID(1)).holders == [Self.first])
        #expect(end.object(ObjectID(1)).waiters == [Self.second])
    }

    @Test func `an atomic holds the newest value in modification order, whatever is read or written last`() {
        let written = RunModel(.twoPlusTwoWrites)
        let count = written.trace.events.count
        #expect(written.state(after: count).object(ObjectID(1)).value == 1)
        #expect(written.state(after: count).object(ObjectID(2)).value == 1)
        let read = RunModel(.messagePassing())
        #expect(read.state(after: read.trace.events.count).object(ObjectID(1)).value == 1)
    }

    @Test func `the model has the same state however it is reached`() {
        let trace = Script(Self.longScript, runtime: .controlled).trace
        let model = RunModel(trace)
        var state = model.start
        for count in 0...trace.events.count {
            let jumped = model.state(after: count)
            #expect(jumped.position == count)
            #expect(Self.everything(of: jumped, in: trace) == Self.everything(of: state, in: trace))
            model.advance(&state)
        }
        #expect(model.state(after: 1_000_000).position == trace.events.count)
        #expect(model.state(after: -1).position == 0)
    }

    @Test func `the model agrees with the wait-for graph`() {
        for script in [Self.longScript, Self.semaphore, Self.conditions] {
            let trace = Script.trace(script)
            let model = RunModel(trace)
            var graph = WaitForGraph()
            for (index, event) in trace.events.enumerated() {
                graph.consume(event)
                let state = model.state(after: index + 1)
                for thread in trace.threads.indices.map({ ThreadID($0) }) {
                    #expect(state.thread(thread).holds == graph.locks(of: thread))
                    #expect(state.thread(thread).wait == graph.wait(of: thread))
                }
                for object in trace.objects.indices.map({ ObjectID($0) }) {
                    #expect(state.object(object).holders == graph.holders(of: object))
                }
            }
        }
    }

    @Test func `the model knows what memory held before it was written`() {
        let model = RunModel(
            Script.trace("main cell.read c 5\nmain cell.write c 6\nmain atomic.store a 1\nmain atomic.load a 1"))
        #expect((0...2).map { model.state(after: $0).object(ObjectID(1)).value } == [5, 5, 6])
        #expect((2...4).map { model.state(after: $0).object(ObjectID(2)).value } == [nil, 1, 1])
    }

    @Test func `the model counts the permits of a semaphore that was once empty`() {
        let model = RunModel(Script(Self.semaphore, runtime: .controlled).trace)
        #expect((0...7).map { model.state(after: $0).object(ObjectID(1)).permits } == [1, 1, 1, 0, 0, 1, 0, 0])
        // Real threads do not record both at once.
        #expect(RunModel(Script.trace(Self.semaphore)).state(after: 3).object(ObjectID(1)).permits == nil)
    }

    @Test func `the permits that are left are known from a number in the trace, and of old traces from a wait`() {
        var (old, new) = (Script.trace(Self.semaphore), Script.trace(Self.semaphore))
        new.objects[1]?.permits = 3
        #expect((0...6).map { PermitCounts(new)[$0] } == [nil, nil, 2, nil, 3, 2, nil])
        #expect(RunModel(new).state(after: 3).object(ObjectID(1)).permits == 2)
        #expect(PermitCounts(old)[2] == nil)
        old.header.runtime = .controlled
        #expect((0...6).map { PermitCounts(old)[$0] } == [nil, nil, 0, nil, 1, 0, nil])
        new.dropped = 1
        #expect(PermitCounts(new)[2] == nil)
    }

    @Test func `the model shows no thread as running after the end`() {
        let model = RunModel(
            Script.trace("main thread.create w\nw thread.start\nmain thread.cut-off w\nw thread.cut-off\nmain run.exit")
        )
        #expect(model.state(after: 4).thread(Self.first).activity == .cutOff)
        #expect(RunModel(Script.trace("main run.complete")).state(after: 1).thread(.main).activity == .ended)
    }

    @Test func `the model keeps the order of waiters when the process cuts them off`() {
        let waits = "b semaphore.wait s\na semaphore.wait s\nmain run.exit\na thread.cut-off\nb thread.cut-off"
        let trace = Script.trace(waits)
        let (a, b) = (ThreadID(2), ThreadID(1))
        #expect(RunModel(trace).state(after: trace.events.count).object(ObjectID(1)).waiters == [b, a])
        #expect(RunModel(trace).state(after: trace.events.count).thread(a).since == 4)
    }

    @Test func `the model is not confused by numbers that the trace does not list`() {
        var trace = TraceDocument.abba
        trace.events.append(Event(time: 0, thread: ThreadID(900), kind: .mutexWait, object: ObjectID(70_000)))
        let state = RunModel(trace).state(after: 10)
        #expect(state.object(ObjectID(70_000)).waiters == [ThreadID(900)])
        #expect(state.thread(ThreadID(900)).site == .unknown)
    }

    // MARK: -

    private static let semaphore = """
        main  thread.create w
        w     thread.start
        main  semaphore.acquire s
        w     semaphore.wait s
        main  semaphore.signal s
        w     semaphore.acquire s
        main  thread.yield
        """

    private static let conditions = """
        main  thread.create w
        w     mutex.acquire m
        w     condition.wait c m
        main  mutex.acquire m
        main  condition.signal c
        main  mutex.release m
        w     condition.wake c m
        w     mutex.release m
        w     thread.exit
        main  thread.join w
        """

    private static let longScript = (0..<120).map { round in
        """
        main mutex.acquire m
        main cell.write x \(round)
        w    mutex.wait m
        main mutex.release m
        w    mutex.acquire m
        w    cell.read x \(round)
        w    mutex.release m
        """
    }.joined(separator: "\n")

    private static func everything(of state: RunMoment, in trace: TraceDocument) -> [String] {
        trace.threads.indices.map { "\(state.thread(ThreadID($0)))" }
            + trace.objects.indices.map { "\(state.object(ObjectID($0)))" }
    }
}

extension RunThread {
    fileprivate var wait: Wait? { if case .waiting(let wait) = activity { wait } else { nil } }
}
