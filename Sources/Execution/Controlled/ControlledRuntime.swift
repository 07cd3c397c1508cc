import CContext
import CLab
import Machine
import Synchronization
import Trace

/// The runtime that decides every step of a run. It consists of one OS thread, a fiber for each thread of the scenario,
/// and the machine.
///
/// A thread that reaches an operation announces it, and the chooser picks the thread that steps next. If that is the
/// same thread, it just continues. Otherwise the processor jumps directly to the chosen thread's fiber: there is no
/// scheduler thread, and nothing is allocated. The stack of the function that called `run` is used only to start and to
/// tear down an execution.
///
/// One runtime runs any number of executions in sequence. It is not thread-safe: one OS thread uses it.
package final class ControlledRuntime: Runtime, @unchecked Sendable {
    package let driver: Driver
    package var records: any RecordStorage = ModelRecords()
    package let knownSlots = KnownSlots()
    let state: MachineState
    package let journal: Journal?
    private let chooser: any Chooser
    private let fibers: SpareFibers?

    /// The memory of `present`.
    private let memory: Owned<Present>
    /// By thread: its fiber.
    let fiberOf = OwnedBuffer<Int32>(repeating: 0, count: MachineState.maximumThreads)
    /// By thread: the source location of its last operation.
    let sites = OwnedBuffer<SourceSite>(capacity: MachineState.maximumThreads)
    /// By thread: the source location where it was started.
    let births = OwnedBuffer<SourceSite>(capacity: MachineState.maximumThreads)
    /// Where objects were made, for messages about objects that outlive their execution.
    let origins = ObjectOrigins()

    /// The threads in a cycle of waits at the end of the last execution or, if there was none, those that had begun,
    /// had not ended and were not in a join (`MachineState.stuckThreads`). `present.stuckCount` is their number.
    let stuck = OwnedBuffer<UInt16>(capacity: MachineState.maximumThreads)

    /// The runtime's number, unique in the process.
    let number: Int
    /// What threads outside the run have done with its objects.
    let foreign = ForeignThreads()

    /// - Parameters:
    ///   - journal: receives the events. If nil, nothing is recorded, and executions run at full speed.
    ///   - log: receives the choices, if another process needs to see them.
    ///   - fibers: supplies the stacks of an earlier runtime, and receives this one's.
    package init(
        chooser: any Chooser, rules: Rules = Rules(), journal: Journal? = nil, log: ChoiceMemory? = nil,
        fibers: SpareFibers? = nil
    ) {
        driver = Driver(rules: rules, log: log, showsClock: true)
        state = driver.state
        number = ForeignUses.numberOfNewRuntime()
        // Each runtime has 2^36 numbers for its executions, more than it will ever use.
        memory = Owned(Present(execution: (number + 1) << 36, pool: fibers?.take() ?? FiberPool()))
        self.chooser = chooser
        self.journal = journal
        self.fibers = fibers
    }

    deinit {
        guard let fibers else { return }
        var pool = FiberPool()
        swap(&pool, &memory.pointee.pool)
        fibers.keep(pool)
    }

    /// The variables of the runtime: of the running execution, and of all executions.
    var present: Present {
        @inline(__always) unsafeAddress { UnsafePointer(memory.pointer) }
        @inline(__always) unsafeMutableAddress { memory.pointer }
    }

    // MARK: - One execution

    /// Runs the body as the main thread of a new execution, to the end of the execution: `Verdict` lists the ways in
    /// which one ends. When it returns, all threads have unwound, except those that were abandoned.
    package func run(_ body: @escaping () throws -> Void) -> Verdict {
        let before = ThreadContext.current
        context.enter()
        let onces = clab_enter_onces(present.onces)
        foreign.host.store(ForeignUses.callingThread, ordering: .releasing)
        foreign.isRunning.store(true, ordering: .releasing)
        // Swift keeps a list, on the stacks, of the variables that a thread is accessing. The entries of an abandoned
        // thread must be dropped, because its stack is reused.
        var accesses = clab_accesses_t()
        clab_begin_accesses(&accesses)
        defer {
            foreign.isRunning.store(false, ordering: .releasing)
            clab_end_accesses(&accesses)
            clab_leave_onces(onces)
            ThreadContext.leave(to: before)
        }
        beginExecution()
        let main = makeThread(.running, .plain(body))
        guard let main else { preconditionFailure("no memory for a stack") }
        resume(main)
        if foreign.isNoted.load(ordering: .acquiring) { disown() }
        driver.announceEnd(to: chooser)
        if case .completed = verdict {
            present.stuckCount = 0
        } else {
            present.stuckCount = state.stuckThreads(into: stuck.base)
        }
        unwind()
        // `releaseRemains` may already run on the stack of an abandoned thread.
        clab_end_accesses(&accesses)
        clab_begin_accesses(&accesses)
        // The verdict stays set meanwhile: slots may hold objects in use, whose release must not be reported any more.
        releaseRemains()
        if let journal, verdict == .completed || verdict == .leak {
            journal.record(.runComplete, thread: 0, at: .unknown, time: state.time)
        }
        driver.leave()
        return verdict!
    }

    /// The context of all executions. The runtime owns it; the context refers to the runtime without counting.
    private var context: ThreadContext {
        if let context = present.context { return context }
        let context = ThreadContext(self, isNative: false)
        present.context = context
        present.caller = Unmanaged.passUnretained(context).toOpaque()
        return context
    }

    private func beginExecution() {
        driver.begin()
        present.failure = .unknown
        present.discarded = nil
        present.callsSinceEnd = 0
        present.globalObjects = 0
        present.unseenSteps = 0
        if !present.belated.isEmpty { present.belated.removeAll(keepingCapacity: true) }
        if !present.heldBelatedly.isEmpty { present.heldBelatedly.removeAll(keepingCapacity: true) }
        if !present.priorities.isEmpty { present.priorities.removeAll(keepingCapacity: true) }
        if !present.words.isEmpty { present.words.removeAll(keepingCapacity: true) }
        present.execution += 1
        driver.begin(chooser)
    }

    /// Takes the step that ends the process, in which all other threads are cut off where they are.
    func exitProcess() {
        guard (try? perform(Operation(.exit), on: .none, with: nil, at: .unknown)) != nil else { return }
        for thread in 0..<state.threadCount where thread != current && !state.hasEnded(thread) {
            journal?.record(.threadCutOff, thread: thread, at: .unknown, time: state.time)
        }
        driver.finish(driver.completion)
    }

    package func exitProcess(at site: SourceSite) throws -> Never {
        exitProcess()
        throw RunEnded.error
    }

    /// Handles an error that leaves a thread's body.
    func fail(_ error: any Error) {
        guard verdict == nil else { return }
        // Unwinding released the object, which the thread held until then: the error is the finding, not the release.
        if present.discarded?.thread == current { present.discarded = nil }
        let end = ErrorEnding(error)
        present.failure = end.site
        if let event = end.event {
            journal?.record(event, thread: current, text: end.text, at: end.site, time: state.time)
        }
        driver.finish(end.verdict)
    }

    // MARK: - One step

    package func perform(
        _ operation: Operation, on target: RuntimeObject, with mutex: RuntimeObject?, at site: SourceSite
    ) throws -> Int {
        if !isCallersRun { return try performForStranger(operation, on: target, at: site) }
        guard target.storage == nil || target.storage == executionTag else {
            return try performOnForeign(operation, on: target)
        }
        if present.hasHooks {
            try callHook()
            if let result = try performUnseen(operation, at: site) { return result }
        }
        let thread = current
        if present.discarded != nil && !operation.kind.isRelease { settleDiscarded(by: thread) }
        if verdict != nil { return try performAfterEnd(operation, on: target) }
        if foreign.isNoted.load(ordering: .relaxed) {
            disown()
            return try performAfterEnd(operation, on: target)
        }
        state.announce(thread, operation)
        sites[thread] = site
        journal?.announce(thread, site)
        while true {
            try waitForTurn()
            guard let result = driver.take(thread, chooser) else { throw RunEnded.error }
            if let journal { journal.record(operation, result, of: thread, state) }
            switch result.status {
            case .done: return result.value
            case .blocked: continue
            case .misuse: throw Misuse(result.misuse!, at: site)
            }
        }
    }

    /// Lets the chooser pick the thread that steps next. Returns when that is the calling thread.
    @inline(__always) private func waitForTurn() throws {
        let thread = current
        guard let next = pickNext() else {
            leaveRun()
            throw RunEnded.interruption
        }
        if next != thread {
            jump(to: next)
            if verdict != nil { throw RunEnded.interruption }
        }
    }

    /// The thread that steps next. Nil if the run has ended: see `verdict`.
    @inline(__always) private func pickNext() -> Int? {
        journal?.noteBlocked(state)
        guard let next = driver.next(chooser) else {
            recordWhyGivenUp()
            return nil
        }
        return next
    }

    /// Records why the run was given up, if it was.
    private func recordWhyGivenUp() {
        switch verdict {
        case .stepLimit:
            journal?.record(
                .runStepLimit, thread: current, value: driver.rules.maximumSteps, at: .unknown, time: state.time)
        case .endless:
            journal?.record(.runCycle, thread: current, value: driver.cycleLength, at: .unknown, time: state.time)
        case .starvation:
            for thread in driver.starvingThreads {
                journal?.record(
                    .runStarvation, thread: thread, value: driver.cycleLength, at: .unknown, time: state.time)
            }
        case .forever:
            journal?.record(.runForever, thread: current, value: driver.cycleLength, at: .unknown, time: state.time)
        case .completed, .deadlock, .misuse, .assertion, .livelock, .error, .leak, .race, .crash, .hang, .foreignThread,
            .stopped, .claim, .brokenClaim, nil:
            break
        }
    }

    /// Records what the next step of each thread would do, when an execution pauses.
    package func recordNextSteps() { journal?.recordNextSteps(state) }

    /// Takes the first step of the current thread, which is new.
    func takeFirstStep() { _ = driver.take(current, chooser) }

    /// The thread that continues when the current one has ended. Nil if the run is over.
    func nextAfterEnd() -> Int? {
        let allHaveEnded = (0..<state.threadCount).allSatisfy { state.hasEnded($0) }
        if allHaveEnded {
            driver.finish(driver.completion)
            return nil
        }
        return pickNext()
    }

    // MARK: - The rest of the interface

    package func startThread(
        named name: String?, _ attributes: ThreadAttributes, at site: SourceSite,
        body: consuming ThreadBody
    ) throws -> RuntimeObject {
        if let refusal = attributes.refusal {
            throw ThreadCreationFailed(code: ThreadCreationFailed.invalidArgument, refusal)
        }
        if verdict != nil { throw RunEnded.error }
        if !attributes.takesNoStep { _ = try perform(Operation(.spawn), on: .none, with: nil, at: site) }
        if state.threadCount == MachineState.maximumThreads { throw ThreadCreationFailed.noNumber }
        if state.weakMemory != nil && state.threadCount == ExecutionGraph.mostThreads {
            throw ThreadCreationFailed.limit(ExecutionGraph.mostThreads)
        }
        if state.threadCount >= state.threadLimit && state.isFull {
            throw ThreadCreationFailed.limit(state.threadLimit)
        }
        guard let thread = makeThread(.announced, body, stackSize: attributes.stackSize) else {
            throw ThreadCreationFailed(code: ThreadCreationFailed.again, "no memory for its stack")
        }
        births[thread] = site
        if attributes.isDetached { state.setDetached(thread) }
        if let priority = attributes.priority { present.priorities[thread] = priority }
        if present.hasHooks { inheritHooks(thread) }
        journal?.declareThread(thread, name, attributes, by: current, at: site, time: state.time)
        return RuntimeObject(id: UInt32(thread))
    }

    package func makeObject(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, name: String?, value: Int, at site: SourceSite
    ) -> RuntimeObject {
        if verdict != nil { return makeBelatedObject(value) }
        let id =
            isInitializing
            ? state.addObject(kind, value: value, nextGlobalObject()) : state.addObject(kind, value: value, by: current)
        guard let id else {
            preconditionFailure("a run may have no more than \(MachineState.maximumObjects) objects")
        }
        origins.note(id, shown, at: site)
        journal?.declareObject(id, shown, name, by: current, permits: kind == .semaphore ? value : nil)
        return RuntimeObject(id: id, storage: executionTag)
    }

    package func declarePart(_ object: RuntimeObject, of owner: RuntimeObject) {
        if verdict == nil { journal?.declarePart(object.id, of: owner.id) }
    }

    package func sharedWord(named name: String) -> RuntimeObject {
        let identity = ObjectIdentity(named: name)
        if let word = present.words[identity] {
            // The number of a name is a hash, so that it is the same in every process. Different names rarely have the
            // same hash.
            guard word.name == name else {
                fatalError("'\(word.name)' and '\(name)' have the same number: give one of them another name")
            }
            return word.object
        }
        guard let id = state.addObject(.atomic, identity) else {
            preconditionFailure("a run may have no more than \(MachineState.maximumObjects) objects")
        }
        journal?.declareObject(id, .part, name, by: ObjectIdentity.nobody)
        let word = RuntimeObject(id: id, storage: executionTag)
        present.words[identity] = (name, word)
        return word
    }

    /// The execution's number as a pointer, which objects made in it carry as their `storage`: their own numbers are
    /// reused in the next execution.
    var executionTag: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: present.execution) }

    /// Called when an object has been released. Releasing one in use is a finding, unless an error is unwinding the
    /// thread. That is not known yet, so the release is noted until the thread continues or ends.
    package func discard(_ object: RuntimeObject, evenIf isInUse: Bool) {
        guard !isInUse, isCallersRun, verdict == nil, object.storage == executionTag, state.isInUse(object.id) else {
            return
        }
        if let discarded = present.discarded, discarded.thread != current { settleDiscarded(by: discarded.thread) }
        if present.discarded == nil { present.discarded = (object.id, current) }
    }

    /// Reports a noted release of an object in use: the thread has continued, so it was not unwinding.
    func settleDiscarded(by thread: Int) {
        guard verdict == nil, let discarded = present.discarded, discarded.thread == thread else { return }
        let misuse = Int(MisuseKind.destroyHeld.rawValue)
        journal?.record(
            .misuse, thread: thread, object: discarded.object, value: misuse, at: .unknown, time: state.time)
        driver.finish(.misuse)
    }

    package func result(of thread: RuntimeObject) -> Int { state.thread(Int(thread.id)).result }

    package func setPriority(_ priority: Int, at site: SourceSite) {
        present.priorities[current] = priority
        record(.threadPriority, 0, priority, at: site)
    }

    package var priority: Int { present.priorities[current] ?? ThreadAttributes.defaultPriority }

    package var hasEnded: Bool { verdict != nil }

    package var currentThread: ThreadID { isCallersRun ? ThreadID(current) : .foreign }

    package func name(of thread: ThreadID) -> String {
        journal?.name(of: Int(thread.index)) ?? "thread \(thread.index)"
    }

    package var hasOneThread: Bool { state.threadCount == 1 }

    package func setThreadLimit(_ count: Int) { state.threadLimit = count }

    /// Whether the execution has, or had, a thread with this number.
    package func threadExists(_ thread: Int) -> Bool { thread < state.threadCount }

    package var hiddenNow: Int { state.time }

    /// The virtual time. If time can pass between two steps, reading it is a step.
    package var now: Int {
        guard driver.rules.timeouts == .any, verdict == nil else { return state.time }
        return (try? perform(Operation(.readClock), on: .none, with: nil, at: .unknown)) ?? state.time
    }

    package var isRecording: Bool { journal != nil && isCallersRun && verdict == nil }

    package func record(_ kind: EventKind, _ object: UInt32, _ value: Int, at site: SourceSite) {
        guard isCallersRun, verdict == nil else { return }
        journal?.record(kind, thread: current, object: object, value: value, at: site, time: state.time)
    }

    package func record(_ kind: EventKind, _ object: UInt32, text: String, at site: SourceSite) {
        guard isCallersRun, verdict == nil else { return }
        journal?.record(kind, thread: current, object: object, text: text, at: site, time: state.time)
    }

    package func record(_ remark: Remark, _ object: UInt32, _ value: Int, at site: SourceSite) {
        guard isCallersRun, verdict == nil else { return }
        journal?.record(remark, thread: current, object: object, value: value, at: site, time: state.time)
    }

    package func record(_ remark: Remark, _ object: UInt32, text: String, at site: SourceSite) {
        guard isCallersRun, verdict == nil else { return }
        journal?.record(remark, thread: current, object: object, text: text, at: site, time: state.time)
    }

    package func site(inFileNamed name: String, line: Int) -> SourceSite {
        journal?.site(inFileNamed: name, line: line) ?? .unknown
    }

    package func word(of object: RuntimeObject) -> Int {
        present.belated[object.id] ?? state.object(object.id).value
    }

    package func hasFailedSpuriously(on object: RuntimeObject, expecting word: Int) -> Bool {
        present.belated[object.id] == nil && state.hasFailedSpuriously(current, on: object.id, expecting: word)
    }

    /// Empties the seat if no thread could be started. Otherwise the machine has already put the thread on it.
    package func seat(_ thread: RuntimeObject?, on seat: RuntimeObject) {
        if thread == nil { state.emptySeat(seat.id) }
    }

    package var system: (any OperatingSystem)? { nil }

    package func makeSlot(
        named name: String?, shownAs shown: ObjectKind, at site: SourceSite,
        _ destructor: (@Sendable (AnyObject) -> Void)?
    ) -> Int? {
        guard let key = present.slots.make(destructor) else { return nil }
        // A slot that is part of a built object is made by the first thread that needs it. It has no object in the
        // machine, because such an object would change the identity of what this thread makes later.
        if shown != .part {
            present.slots.name(key, makeObject(.other, shownAs: shown, name: name, value: 0, at: site).id)
        }
        return key
    }

    package func deleteSlot(_ key: Int) { if isCallersRun { _ = present.slots.delete(key) } }
    package func slotValue(_ key: Int) -> AnyObject? {
        isCallersRun ? present.slots.value(key, of: current) : nil
    }

    package func setSlotValue(_ key: Int, _ value: AnyObject?, at site: SourceSite) {
        guard isCallersRun else { return }
        _ = present.slots.set(key, value, of: current)
        let object = present.slots.object(of: key)
        if object != 0 { record(.slotSet, object, 0, at: site) }
    }
}
