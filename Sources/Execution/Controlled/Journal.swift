import Machine
import Trace

/// Records the machine's steps as the events that the native runtime would record.
///
/// Methods that are called at every step are not inlined, so that the code of a step stays small where nothing is
/// recorded.
package final class Journal {
    private let sink: any EventSink
    private let witness: (any CallWitness)?
    private var names = NameTable()
    private var threadNames = ["main"]
    /// By thread: the source location of the operation that it announced.
    private var sites: [SourceSite] = [.unknown]
    /// By thread: whether it has been recorded as blocked since its last step.
    private var isShownBlocked = [false]
    /// By thread: its priority, if it was created with one.
    private var priorities: [Int?] = [nil]
    /// By file name: the number of its text in the trace.
    private var fileTexts: [String: Int] = [:]

    /// Called with the object and the value of each step on an object, before its event is recorded.
    package var onValue: ((UInt32, Int) -> Void)?

    private var hasNotedModel = false

    /// The text of a list that the thread has just read, or has changed by the step that it has just taken. Nil: the
    /// object is not a list.
    package var textOfList: ((_ list: UInt32, _ thread: Int, _ isWrite: Bool) -> String?)?
    /// By text: its number in the trace. Lists return to the same values.
    private var listTexts: [String: Int] = [:]

    package init(into sink: any EventSink, witness: (any CallWitness)? = nil) {
        self.sink = sink
        self.witness = witness
        _ = names.unique("main", fallback: "thread")
    }

    package func name(of thread: Int) -> String { threadNames[thread] }

    /// The site of a line in a file whose name is not a constant of the program.
    package func site(inFileNamed name: String, line: Int) -> SourceSite {
        if fileTexts[name] == nil { fileTexts[name] = sink.text(name) }
        return SourceSite(text: UInt(fileTexts[name] ?? 0), line: line)
    }

    /// The site of a line that was reached by these calls, innermost first.
    package func site(inFileNamed name: String, line: Int, calls: [TraceDocument.Site.Call]) -> SourceSite {
        var place = TraceDocument.Site(file: name, line: line)
        place.calls = calls
        return site(inFileNamed: place.text, line: line)
    }

    // MARK: - Events of the runtime

    package func record(
        _ kind: EventKind, thread: Int, object: UInt32 = 0, value: Int = 0, at site: SourceSite, time: Int,
        order: MemoryOrder = .seqcst
    ) {
        sink.append(kind, thread: thread, object: object, value: value, site: site, time: time, order: order)
    }

    package func record(
        _ kind: EventKind, thread: Int, object: UInt32 = 0, text: String, at site: SourceSite, time: Int
    ) {
        sink.append(kind, thread: thread, object: object, value: sink.text(text), site: site, time: time)
    }

    package func record(
        _ remark: Remark, thread: Int, object: UInt32, value: Int, at site: SourceSite, time: Int
    ) {
        sink.append(remark, thread: thread, object: object, value: value, site: site, time: time)
    }

    package func record(
        _ remark: Remark, thread: Int, object: UInt32, text: String, at site: SourceSite, time: Int
    ) {
        sink.append(remark, thread: thread, object: object, value: sink.text(text), site: site, time: time)
    }

    package func declareThread(
        _ thread: Int, _ name: String?, _ attributes: ThreadAttributes, by creator: Int, at site: SourceSite, time: Int
    ) {
        let unique = names.unique(name, fallback: "thread")
        threadNames.append(unique)
        sites.append(site)
        isShownBlocked.append(false)
        priorities.append(attributes.priority)
        sink.declareThread(thread, name: unique)
        let kind = attributes.isDetached ? EventKind.threadCreateDetached : .threadCreate
        record(kind, thread: creator, value: thread, at: site, time: time)
    }

    package func recordStart(of thread: Int, time: Int) {
        record(.threadStart, thread: thread, at: .unknown, time: time)
        if let priority = priorities[thread] {
            record(.threadPriority, thread: thread, value: priority, at: .unknown, time: time)
        }
    }

    /// - Parameter permits: the number of permits with which a semaphore begins, if it is known.
    package func declareObject(
        _ object: UInt32, _ kind: ObjectKind, _ name: String?, by maker: Int, permits: Int? = nil
    ) {
        sink.declareObject(
            object, kind: kind, name: names.unique(name, fallback: kind.defaultName), maker: ThreadID(maker),
            permits: permits)
        if name == nil { witness?.noteCreation(of: object) }
    }

    /// Says to what the pointers with this value point.
    package func declareTarget(_ value: Int, _ name: String) { sink.declareTarget(value, name: name) }

    package func declarePart(_ object: UInt32, of owner: UInt32) { sink.declarePart(object, of: owner) }

    // MARK: - Steps

    @inline(never) package func announce(_ thread: Int, _ site: SourceSite) {
        sites[thread] = witness?.noteCalls(at: site) ?? site
        isShownBlocked[thread] = false
    }

    /// Records that threads wait, for every thread that has blocked since the last step.
    @inline(never) package func noteBlocked(_ state: MachineState) {
        for thread in 0..<state.threadCount where !isShownBlocked[thread] && !state.isEnabled(thread) {
            guard let (kind, object, value) = state.waitEvent(of: thread) else { continue }
            isShownBlocked[thread] = true
            // A waiter that was woken waits for its mutex without a deadline.
            if state.thread(thread).status != .waking { recordDeadline(state.operation(of: thread), thread, state) }
            record(kind, thread: thread, object: object, value: value, at: sites[thread], time: state.time)
        }
    }

    /// Records the deadline of a wait before the wait, because a wait that ends by itself is not part of a deadlock.
    private func recordDeadline(_ operation: Operation, _ thread: Int, _ state: MachineState) {
        guard operation.kind != .sleepUntil, operation.deadline != Operation.never else { return }
        let left = max(0, operation.deadline - state.time)
        record(.threadDeadline, thread: thread, value: left, at: sites[thread], time: state.time)
    }

    /// Records, for each thread that has not ended, what its next step would do if it could be taken now. Called when
    /// an execution pauses.
    package func recordNextSteps(_ state: MachineState) {
        for thread in 0..<state.threadCount where !state.hasEnded(thread) {
            let next = state.nextEvent(of: thread) ?? (.threadTry, 0, 0)
            record(
                next.kind, thread: thread, object: next.object, value: next.value, at: sites[thread], time: state.time,
                order: state.nextOrder(of: thread))
        }
    }

    /// Records the memory model, once, if it is a weaker one.
    private func noteModel(_ state: MachineState, _ thread: Int) {
        guard !hasNotedModel else { return }
        hasNotedModel = true
        guard let model = state.weakMemory?.model else { return }
        let number = model == .tso ? ModelNumber.tso : ModelNumber.rc11
        record(.memoryModel, thread: thread, value: number, at: .unknown, time: state.time)
    }

    /// Records the step that the thread has taken, after the events that only describe it: the deadline of a wait on a
    /// condition, the number of newer writes that an operation on an atomic misses or precedes, and that a lock is only
    /// tried, or waited for with a time limit.
    @inline(never) package func record(
        _ operation: Operation, _ result: StepResult, of thread: Int, _ state: MachineState
    ) {
        isShownBlocked[thread] = false
        noteModel(state, thread)
        guard let (kind, object, value) = state.event(of: operation, result, by: thread) else { return }
        if kind == .conditionWait { recordDeadline(operation, thread, state) }
        onValue?(object, value)
        let site = sites[thread]
        if let memory = state.weakMemory, memory.newerCount > 0, operation.kind.isOnAtomic {
            record(
                operation.kind == .store ? .memoryBefore : .memoryBehind, thread: thread, object: object,
                value: memory.newerCount, at: site, time: state.time)
        }
        if operation.isAttempt && result.status == .done && result.value != 0 && result.act != .fail {
            record(.threadTry, thread: thread, at: site, time: state.time)
        }
        if recordList(kind, object, of: thread, at: site, time: state.time) { return }
        record(
            kind, thread: thread, object: object, value: value, at: site, time: state.time,
            order: operation.memoryOrder(of: result.act))
    }

    /// Records an access of a list, with its values as a text. Returns false if it is none.
    private func recordList(
        _ kind: EventKind, _ object: UInt32, of thread: Int, at site: SourceSite, time: Int
    ) -> Bool {
        guard let textOfList, kind == .cellRead || kind == .cellWrite,
            let text = textOfList(object, thread, kind == .cellWrite)
        else { return false }
        let number = listTexts[text] ?? sink.text(text)
        listTexts[text] = number
        record(
            kind == .cellWrite ? .listWrite : .listRead, thread: thread, object: object, value: number, at: site,
            time: time)
        return true
    }
}
