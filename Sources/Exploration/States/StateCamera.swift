import Machine
import Trace

/// Describes the present state of a subject for people, for a map of all states (`StateMap`).
struct StateCamera {
    private let subject: any ShownSubject
    private let machine: MachineState
    private let isGoal: () -> Bool

    init(_ subject: any ShownSubject, _ isGoal: @escaping () -> Bool) {
        self.subject = subject
        machine = subject.machine
        self.isGoal = isGoal
    }

    /// The present state, in which the execution continues.
    var present: ShownState {
        var state = shown
        state.races = races
        state.isGoal = isGoal()
        return state
    }

    /// The present state, in which the execution has just ended.
    var ending: ShownState {
        var state = shown
        for thread in state.threads.indices {
            state.threads[thread].canStep = false
            state.threads[thread].ways = []
        }
        let failure = subject.failure
        let misuse = subject.verdict == .misuse ? self.misuse : nil
        state.end = ShownState.End(
            kind: subject.verdict?.outcome ?? .interrupted, message: failure?.message, line: failure?.line ?? 0,
            event: misuse,
            seen: subject.verdict?.showsStates == true ? subject.seenStates : [])
        state.isGoal = isGoal()
        return state
    }

    /// The event of the step that was a misuse.
    private var misuse: Event? {
        (0..<machine.threadCount).lazy.filter { !machine.hasEnded($0) && machine.ruling(on: $0).act == .misuse }
            .compactMap { thread in machine.nextEvent(of: thread).map { event($0, of: thread) } }.first
    }

    /// The description of a move that leaves the present state.
    func move(_ move: StateMove, to target: Int) -> StateMap.Move {
        // In a schedule, alternative 0 without a step lets time pass; 1 lets a wait end without a signal.
        if move == .passTime { return StateMap.Move(thread: nil, target: target, choices: [.alternative(0)]) }
        var choices: [Schedule.Choice] = isQuiet ? [.alternative(1)] : []
        choices.append(.thread(UInt16(move.thread)))
        if machine.alternatives(of: move.thread) > 1 { choices.append(.alternative(move.way)) }
        return StateMap.Move(thread: subject.programNumber(of: move.thread), target: target, choices: choices)
    }

    /// Whether a schedule first has to say here whether a wait ends without a signal, because nothing else can happen.
    private var isQuiet: Bool {
        let enabled = (0..<machine.threadCount).filter { machine.isEnabled($0) }.map { UInt16($0) }
        return enabled.withUnsafeBufferPointer { machine.isQuiet($0) }
    }

    private var shown: ShownState {
        var state = ShownState(
            threads: Array(repeating: .init(), count: subject.threadNames.count),
            values: subject.shownObjects.indices.map { $0 == 0 ? nil : subject.valueInWords(of: $0) })
        let present = 0..<machine.threadCount
        for thread in present { state.threads[number(thread)] = shownThread(thread) }
        state.waiters = present.filter { state.threads[number($0)].wait != nil }
            .sorted { (machine.thread($0).ticket, $0) < (machine.thread($1).ticket, $1) }.map(number)
        return state
    }

    /// The program's number of the machine's thread.
    private func number(_ thread: Int) -> Int { subject.programNumber(of: thread) }

    // MARK: - A thread

    private func shownThread(_ thread: Int) -> ShownState.Thread {
        var result = ShownState.Thread()
        if machine.hasEnded(thread) {
            result.life = .ended
            result.holds = holds(of: thread)
            return result
        }
        result.life = .alive
        let isRunning = machine.thread(thread).status == .running
        result.canStep = !isRunning && machine.isEnabled(thread)
        result.holds = holds(of: thread)
        result.line = subject.line(of: thread)
        if isRunning { return result }
        result.variables = subject.variables(of: thread)
        result.nextInWords = subject.stepInWords(of: thread)
        if result.canStep {
            result.next = machine.nextEvent(of: thread).map { event($0, of: thread) }
            result.next?.order = machine.nextOrder(of: thread)
            result.ways = ways(of: thread)
        } else {
            result.wait = wait(of: thread)
            let operation = machine.operation(of: thread)
            result.isTimed = operation.kind != .sleepUntil && operation.deadline != Operation.never
        }
        return result
    }

    /// The event with the program's numbers of threads, also where its value is a thread.
    private func event(_ event: (kind: EventKind, object: UInt32, value: Int), of thread: Int) -> Event {
        let isThread = event.kind.meaning == .thread && (0..<machine.threadCount).contains(event.value)
        return Event(
            time: 0, thread: ThreadID(number(thread)), kind: event.kind, object: ObjectID(Int(event.object)),
            value: Int64(isThread ? number(event.value) : event.value), site: SiteID(subject.line(of: thread)))
    }

    /// The event with which the thread began to wait. For a condition's wait, the thread's last step recorded it.
    private func wait(of thread: Int) -> Event? {
        if machine.thread(thread).status == .waiting {
            let operation = machine.operation(of: thread)
            return event((.conditionWait, operation.object, operation.a), of: thread)
        }
        return machine.waitEvent(of: thread).map { event($0, of: thread) }
    }

    private func ways(of thread: Int) -> [ShownState.Way] {
        let count = machine.alternatives(of: thread)
        if count < 2 { return [] }
        let operation = machine.operation(of: thread)
        if operation.kind == .weakCompareExchange { return [.succeeds, .fails] }
        guard operation.kind == .signal else { return (0..<count).map { .chooses($0) } }
        return machine.waiters(on: operation.object).prefix(count).map { .wakes(number($0)) }
    }

    /// The locks that the thread holds. When and where it acquired them is not part of a state.
    private func holds(of thread: Int) -> [Event] {
        var events: [Event] = []
        for index in subject.shownObjects.indices.dropFirst() {
            let object = machine.object(UInt32(index))
            let isOwner = object.owner == Int32(thread + 1)
            func add(_ kind: EventKind, _ count: Int) {
                let event = Event(
                    time: 0, thread: ThreadID(number(thread)), kind: kind, object: ObjectID(index))
                events += Array(repeating: event, count: count)
            }
            if object.kind.isMutex && isOwner { add(.mutexAcquire, Int(max(1, object.count))) }
            guard object.kind.isReadWriteLock else { continue }
            if isOwner { add(.writeAcquire, 1) }
            if machine.holdsToRead(UInt32(index), thread) { add(.readAcquire, 1) }
        }
        return events
    }

    // MARK: - Races

    /// Two steps that can both be next are unordered, so conflicting accesses among them are races.
    private var races: [ShownState.Race] {
        let accesses = (0..<machine.threadCount).compactMap { thread -> (thread: Int, object: UInt32, writes: Bool)? in
            guard machine.thread(thread).status == .announced, machine.isEnabled(thread) else { return nil }
            let object = machine.operation(of: thread).object
            return switch machine.ruling(on: thread).act.order {
            case .readsPlainly: (thread, object, false)
            case .writesPlainly: (thread, object, true)
            case .nothing, .acquires, .publishes, .acquiresAndPublishes, .addsToPublished, .publishesToWriters,
                .acquiresFromReaders, .publishesMutex, .acquiresMutex, .joins, .loads, .stores, .updates,
                .mismatches, .fences:
                nil
            }
        }
        return accesses.enumerated().flatMap { index, first in
            accesses[(index + 1)...].filter { $0.object == first.object && ($0.writes || first.writes) }.map { second in
                ShownState.Race(
                    first: number(first.thread), second: number(second.thread), object: Int(first.object),
                    firstWrites: first.writes, secondWrites: second.writes)
            }
        }
    }
}
