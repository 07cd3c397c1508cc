import Machine
import Trace

/// Lets threads take their steps in the order of a recorded run on real threads, as far as possible.
///
/// Each thread must repeat its record, event by event. The thread whose next recorded event comes first takes its step,
/// if that step would record this event. Otherwise another thread may go first, if its event may have happened earlier.
/// After the end of the record, threads take turns.
package final class RecordedOrder: Chooser {
    let run: RecordedRun
    /// Which threads and objects of this run are those of the record.
    var names = Correspondence()
    /// A copy of the machine, on which steps are tried.
    private let memory = OwnedMachineState()
    let trial: MachineState
    /// The state from which steps are tried.
    var before = PackedState()
    /// By recorded thread: the number of its recorded steps that have been repeated.
    private var done: [Int]
    /// The recorded step that the chosen thread's step must repeat. Nil: the chosen step records no event.
    private var present: RecordedStep?

    /// Where the run could not follow the record.
    package private(set) var departure: Departure?

    package init(_ run: RecordedRun) {
        trial = memory.state
        self.run = run
        done = Array(repeating: 0, count: run.stepsByThread.count)
    }

    package func begin() {
        names = Correspondence()
        done = Array(repeating: 0, count: run.stepsByThread.count)
        present = nil
        departure = nil
    }

    package func end(_ verdict: Verdict, state: MachineState) {
        guard departure == nil, let missed = heads(state).first else { return }
        switch verdict {
        case .completed, .leak: depart(missed, .runIsOver)
        case .deadlock: if run.trace.outcome?.kind != .deadlock { depart(missed, .allBlocked) }
        // The run was ended before the rest of the record could be followed.
        case .misuse, .assertion, .livelock, .starvation, .error, .race, .crash, .hang, .stepLimit, .endless, .forever,
            .foreignThread, .stopped, .claim, .brokenClaim:
            break
        }
    }

    // MARK: - Which thread

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard adoptThreads(startedBy: Int(last), state) else { return nil }
        let heads = heads(state)
        guard let first = heads.first else { return enabled.first { $0 > last } ?? enabled[0] }
        if let eager = heads.first(where: { isDueAtOnce($0, state) }) { return take(eager, state) }
        // A later event may go first only if it may have happened before each earlier one that does not fit: before
        // the limit, the earliest of their latest moments.
        var limit = Int.max
        for head in heads where head.earliest < limit {
            if fit(head, state).isPossible { return take(head, state) }
            if head.effect == .wait(.lock(.writing)) {
                // In this run the writer may get the lock without waiting.
                done[Int(head.event.thread.index)] += 1
                return chooseThread(enabled, last: last, state: state)
            }
            limit = min(limit, head.latest)
        }
        depart(first, reason(first, state))
        return nil
    }

    /// The next recorded step of each thread that has one, earliest first.
    private func heads(_ state: MachineState) -> [RecordedStep] {
        var heads: [RecordedStep] = []
        for thread in done.indices {
            guard let head = head(of: thread) else { continue }
            if head.effect.endsThread, names.thread(head.event.thread).map(state.hasEnded) ?? false {
                done[thread] += 1
            } else {
                heads.append(head)
            }
        }
        return heads.sorted { $0.place < $1.place }
    }

    private func head(of recorded: Int) -> RecordedStep? {
        let own = run.stepsByThread[recorded]
        return done[recorded] < own.count ? run.steps[own[done[recorded]]] : nil
    }

    /// The next recorded step of a thread of this run.
    func head(ofPresent thread: Int) -> RecordedStep? {
        names.recorded(thread).flatMap { head(of: Int($0.index)) }
    }

    private func take(_ head: RecordedStep, _ state: MachineState) -> UInt16? {
        let thread = names.thread(head.event.thread)!
        present = nil
        if fit(head, state) == .event {
            present = head
            done[Int(head.event.thread.index)] += 1
            let operation = state.operation(of: thread)
            names.bind(operation.object, head.event.object)
            if let mutex = head.event.valueAsObject { names.bind(UInt32(operation.a), mutex) }
        }
        return UInt16(thread)
    }

    /// Notes that the run cannot follow the record from this step on.
    func depart(_ head: RecordedStep, _ reason: Departure.Reason) {
        departure = Departure(number: head.index + 1, event: head.event, reason: reason)
    }

    // MARK: - New threads

    /// Registers the threads that were started since the last step. False: the recorded run did not start them.
    private func adoptThreads(startedBy starter: Int, _ state: MachineState) -> Bool {
        while names.threadCount < state.threadCount {
            let thread = names.threadCount
            guard let creator = names.recorded(starter), let head = head(of: Int(creator.index)) else {
                // The record of the starting thread has ended.
                names.add(nil)
                continue
            }
            guard head.effect.createsThread, let created = head.event.valueAsThread else {
                depart(head, .newThread)
                return false
            }
            names.add(created)
            done[Int(creator.index)] += 1
            skipDetaching(of: created, by: creator, if: state.thread(thread).isDetached)
        }
        return true
    }

    /// A thread that is created detached takes no step to detach. Older traces have an event for that, which is
    /// skipped.
    private func skipDetaching(of created: ThreadID, by creator: ThreadID, if isDetached: Bool) {
        guard isDetached, let head = head(of: Int(creator.index)) else { return }
        if head.effect == .detachThread && head.event.valueAsThread == created { done[Int(creator.index)] += 1 }
    }

    // MARK: - Which alternative

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        let thread = Int(thread)
        let operation = state.operation(of: thread)
        let isAnnounced = state.thread(thread).status == .announced
        if isAnnounced && operation.kind == .choose {
            let way = present.flatMap { Int(exactly: $0.event.value) } ?? 0
            return (0..<count).contains(way) ? way : 0
        }
        if isAnnounced && operation.kind == .signal { return waiterToWake(operation.object, state) }
        if isAnnounced || state.isWaiting(thread), operation.kind.hasDeadline, state.mayTimeOut {
            return present.map { wayInTime($0, operation) } ?? 0
        }
        // Nothing else can happen: the alternative is whether a wait ends without a signal.
        return (0..<state.threadCount).contains { wakesByItself($0, state) } ? 1 : 0
    }

    private func wakesByItself(_ thread: Int, _ state: MachineState) -> Bool {
        state.isWaiting(thread) && head(ofPresent: thread)?.effect == .unpark(isTimeout: false)
    }

    /// The waiter that woke first according to the record; if none is recorded, one whose record has ended.
    private func waiterToWake(_ condition: UInt32, _ state: MachineState) -> Int {
        let waiters = state.waiters(on: condition)
        let (afterAllWoken, last) = (Int.max - 1, Int.max)
        func order(_ thread: Int) -> Int {
            guard let head = head(ofPresent: thread) else { return afterAllWoken }
            return head.effect == .unpark(isTimeout: false) ? head.place : last
        }
        return waiters.indices.min { order(waiters[$0]) < order(waiters[$1]) } ?? 0
    }
}

/// Which threads and objects of this run correspond to those of the recorded run. Threads are matched by the thread
/// that started them and the order of starting; objects, by the first operation on them.
struct Correspondence {
    private var recordedThreads: [ThreadID?] = [.main]
    private var threads: [ThreadID: Int] = [.main: 0]
    private var recordedObjects: [UInt32: ObjectID] = [:]
    private var objects: [ObjectID: UInt32] = [:]

    /// The number of known threads of this run.
    var threadCount: Int { recordedThreads.count }

    /// This run's thread. Nil: it has not been started yet.
    func thread(_ recorded: ThreadID) -> Int? { threads[recorded] }

    func recorded(_ thread: Int) -> ThreadID? {
        recordedThreads.indices.contains(thread) ? recordedThreads[thread] : nil
    }

    /// Adds the next thread of this run, which corresponds to the recorded one; nil: to none.
    mutating func add(_ recorded: ThreadID?) {
        if let recorded { threads[recorded] = recordedThreads.count }
        recordedThreads.append(recorded)
    }

    func recorded(_ object: UInt32) -> ObjectID? { recordedObjects[object] }

    /// Whether the two are, or may turn out to be, the same object.
    func mayBe(_ object: UInt32, _ recorded: ObjectID) -> Bool {
        if object == 0 || recorded == .none { return object == 0 && recorded == .none }
        return recordedObjects[object] == recorded || (recordedObjects[object] == nil && objects[recorded] == nil)
    }

    mutating func bind(_ object: UInt32, _ recorded: ObjectID) {
        guard object != 0 else { return }
        recordedObjects[object] = recorded
        objects[recorded] = object
    }
}
