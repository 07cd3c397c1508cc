import CContext
import Machine
import Trace

/// The runtime that decides every step: one OS thread, a fiber for each thread of the scenario, and the machine.
///
/// A thread that comes to an operation announces it, and the chooser picks who steps next. If that is the same thread it
/// just goes on; otherwise the processor jumps straight to the chosen one's fiber. There is no scheduler thread, and
/// nothing is allocated on the way. The scenario's main thread runs on the caller's own stack.
///
/// One runtime runs any number of executions, one after the other. Not thread-safe: one OS thread uses it.
package final class ControlledRuntime: Runtime, @unchecked Sendable {
    package struct Options: Sendable {
        /// An execution is given up after so many steps.
        package var maximumSteps: Int
        /// How many waits on conditions may end without a signal in one execution.
        package var spuriousWakeups: Int

        package init(maximumSteps: Int = 1_000_000, spuriousWakeups: Int = 0) {
            self.maximumSteps = maximumSteps
            self.spuriousWakeups = spuriousWakeups
        }
    }

    let state = MachineState()
    let journal: Journal?
    private let options: Options
    private let chooser: any Chooser

    /// What changes at every step. Behind a pointer, because the class's own variables would be checked for exclusive access
    /// each time: some 15 % of an execution.
    private struct Core {
        var current = 0
        var verdict: Verdict?
        var steps = 0
        var callsSinceEnd = 0
        var executions = 0
        var log: ChoiceLog
        var pool = FiberPool()
        /// By fiber: what the thread that it is for will run.
        var bodies: [(@Sendable () throws -> Void)?] = [nil]
    }

    private let core: UnsafeMutablePointer<Core>
    private let enabled = UnsafeMutablePointer<UInt16>.allocate(capacity: MachineState.maximumThreads)
    private let fiberOf = UnsafeMutablePointer<Int32>.allocate(capacity: MachineState.maximumThreads)

    var slots = ControlledSlots()

    /// - Parameters:
    ///   - journal: where events go. Without one nothing is recorded, and an execution runs at full speed.
    ///   - log: where the choices go, if another process is to see them.
    package init(
        chooser: any Chooser, options: Options = Options(), journal: Journal? = nil, log: ChoiceLog? = nil
    ) {
        core = .allocate(capacity: 1)
        core.initialize(to: Core(log: log ?? ChoiceLog()))
        self.chooser = chooser
        self.options = options
        self.journal = journal
        fiberOf.initialize(repeating: 0, count: MachineState.maximumThreads)
    }

    deinit {
        state.deallocate()
        core.pointee.pool.deallocate()
        core.pointee.log.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
        enabled.deallocate()
        fiberOf.deallocate()
    }

    /// The choices that the last execution took.
    package var schedule: Schedule { core.pointee.log.schedule }

    /// How many steps the last execution took.
    package var stepCount: Int { core.pointee.steps }

    private var current: Int { core.pointee.current }
    private var verdict: Verdict? { core.pointee.verdict }

    // MARK: - One execution

    /// Runs the body as the main thread of a new execution, until the process would exit or nothing can go on. All threads
    /// have unwound when it returns.
    package func run(_ body: () throws -> Void) -> Verdict {
        let place = Place(runtime: self)
        place.enter()
        defer { Place.leave() }
        beginExecution()
        if runBody(body) { exitProcess() }
        unwindOthers()
        let verdict = core.pointee.verdict ?? .completed
        if verdict == .completed { journal?.record(.runComplete, thread: 0, at: .unknown, time: now) }
        return verdict
    }

    private func beginExecution() {
        state.reset(spuriousWakeups: options.spuriousWakeups)
        _ = state.addThread(status: .running)
        core.pointee.current = 0
        core.pointee.verdict = nil
        core.pointee.steps = 0
        core.pointee.callsSinceEnd = 0
        core.pointee.executions += 1
        core.pointee.log.reset()
        if slots.reset() { forgetKnownSlots() }
        chooser.begin()
    }

    /// The main thread's end is the process's: everybody else is cut off where they stand.
    private func exitProcess() {
        guard (try? perform(Operation(.exit), on: .none, with: nil, at: .unknown)) != nil else { return }
        var leaked = false
        for thread in 1..<max(1, state.threadCount) {
            let other = state.thread(thread)
            if other.status != .ended { journal?.record(.threadCutOff, thread: thread, at: .unknown, time: now) }
            leaked = leaked || (!other.isJoined && !other.isDetached)
        }
        core.pointee.verdict = leaked ? .leak : .completed
    }

    /// Runs a thread's body. False if the run has ended meanwhile, or the thread has left for good.
    private func runBody(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return verdict == nil
        } catch {
            // A thread that unwinds because the run is over says nothing new, whatever it throws.
            if verdict == nil { fail(error) }
            return false
        }
    }

    /// The main thread leaves its body without ending the process, which lives until the last thread has ended.
    private func leaveForGood() {
        guard current == 0 else { return }
        endThread()
        switchToNext()
    }

    /// What an error that leaves a thread's body means for the run.
    private func fail(_ error: any Error) {
        switch error {
        case is ThreadExit:
            leaveForGood()
        case is Misuse:
            core.pointee.verdict = .misuse
        case let failure as AssertionFailed:
            journal?.record(.assertionFailed, thread: current, text: failure.description, at: failure.site, time: now)
            core.pointee.verdict = .assertion
        case let failure as NoProgress:
            journal?.record(.noProgress, thread: current, text: failure.description, at: failure.site, time: now)
            core.pointee.verdict = .livelock
        default:
            journal?.record(.threadError, thread: current, text: "\(error)", at: .unknown, time: now)
            core.pointee.verdict = .error
        }
    }

    // MARK: - One step

    package override func perform(
        _ operation: Operation, on target: RuntimeObject, with mutex: RuntimeObject?, at site: SourceSite
    ) throws -> Int {
        if verdict != nil { return try performAfterEnd(operation) }
        let thread = current
        state.announce(thread, operation)
        journal?.announce(thread, site)
        while true {
            try waitForTurn()
            var alternative = 0
            let ways = state.alternatives(of: thread)
            if ways > 1 {
                guard let way = chooseAlternative(ways, of: thread) else { throw RunEnded() }
                alternative = way
            }
            let result = state.step(thread, alternative: alternative)
            if let journal { journal.record(operation, result, of: thread, state) }
            switch result.status {
            case .done: return result.value
            case .blocked: continue
            case .misuse: throw Misuse(result.misuse!, at: site)
            }
        }
    }

    /// Lets the chooser pick who steps next, and returns when that is the calling thread.
    @inline(__always) private func waitForTurn() throws {
        let thread = current
        guard let next = pickNext() else {
            if thread != 0 { jump(to: 0) }
            throw RunEnded()
        }
        if next != thread {
            jump(to: next)
            if verdict != nil { throw RunEnded() }
        }
    }

    /// The thread that steps next, or nil if the run has ended, as `verdict` says.
    @inline(__always) private func pickNext() -> Int? {
        var count = state.enabledThreads(into: enabled)
        journal?.noteBlocked(state)
        while count == 0 || state.isQuiet(UnsafeBufferPointer(start: enabled, count: count)) {
            if count > 0 {
                guard let way = chooseAlternative(2, of: current) else { return nil }
                if way == 1 { break }
            }
            guard state.passTime() else {
                core.pointee.verdict = .deadlock
                return nil
            }
            count = state.enabledThreads(into: enabled)
        }
        let list = UnsafeBufferPointer(start: enabled, count: count)
        guard let next = chooser.chooseThread(list, last: UInt16(truncatingIfNeeded: current), state: state) else {
            core.pointee.verdict = .diverged
            return nil
        }
        core.pointee.steps += 1
        guard core.pointee.steps <= options.maximumSteps else {
            journal?.record(.runStepLimit, thread: current, value: options.maximumSteps, at: .unknown, time: now)
            core.pointee.verdict = .stepLimit
            return nil
        }
        core.pointee.log.append(.thread(next))
        return Int(next)
    }

    /// Nil if the chooser's plan cannot be followed: the run has ended.
    private func chooseAlternative(_ ways: Int, of thread: Int) -> Int? {
        guard let way = chooser.chooseAlternative(ways, of: UInt16(thread), state: state) else {
            core.pointee.verdict = .diverged
            return nil
        }
        core.pointee.log.append(.alternative(way))
        return way
    }

    // MARK: - Fibers

    /// Jumps to the thread's fiber, and returns when somebody jumps back to the calling one's.
    @inline(__always) private func jump(to thread: Int) {
        let from = core.pointee.pool.contexts + Int(fiberOf[current])
        core.pointee.current = thread
        let arrival = jump_fcontext(core.pointee.pool.contexts[Int(fiberOf[thread])]!, from)
        Self.keep(arrival)
    }

    /// Whoever arrives keeps the context of the fiber that jumped, where that one said.
    @inline(__always) private static func keep(_ arrival: transfer_t) {
        arrival.data.assumingMemoryBound(to: fcontext_t?.self).pointee = arrival.fctx
    }

    /// The life of a fiber: one thread's body after the other.
    private static let fiberEntry: @convention(c) (transfer_t) -> Void = { arrival in
        keep(arrival)
        while let place = Place.current {
            unsafeDowncast(place.runtime, to: ControlledRuntime.self).runThread()
        }
    }

    /// Runs the current thread from its first step to its end, and leaves its fiber parked.
    private func runThread() {
        let fiber = fiberOf[current]
        runToEnd(fiber)
        core.pointee.pool.give(back: fiber)
        switchToNext()
    }

    /// Not inlined: whatever the body holds must be released before the fiber parks, not when it is used again.
    @inline(never) private func runToEnd(_ fiber: Int32) {
        let body = core.pointee.bodies[Int(fiber)].take()
        if verdict == nil {
            _ = state.step(current)
            journal?.record(.threadStart, thread: current, at: .unknown, time: now)
            if let body { _ = runBody(body) }
        }
        if verdict == nil { endThread() }
        state.end(current, result: 0)
    }

    private func endThread() {
        journal?.record(.threadExit, thread: current, at: .unknown, time: now)
        runDestructors()
        state.end(current, result: 0)
    }

    /// POSIX: each value's destructor once, with its slot emptied; again, for a few rounds, if destructors stored again.
    private func runDestructors() {
        let thread = current
        for _ in 0..<ControlledSlots.destructorRounds {
            var round = slots.usedKeys(of: thread)
            if round.isEmpty { break }
            while let (value, destructor) = slots.takeDestructible(of: thread, round: &round) {
                record(.slotDestroy, 0, 0, at: .unknown)
                destructor(value)
            }
        }
        slots.forget(thread)
    }

    /// Goes on with another thread; the calling one has ended. Back on the main thread's stack when the run is over.
    private func switchToNext() {
        guard verdict == nil, let next = nextAfterEnd() else {
            if current != 0 { jump(to: 0) }
            return
        }
        if next != current { jump(to: next) }
    }

    private func nextAfterEnd() -> Int? {
        let everybodyEnded = (0..<state.threadCount).allSatisfy { state.thread($0).status == .ended }
        if everybodyEnded {
            core.pointee.verdict = .completed
            return nil
        }
        return pickNext()
    }

    // MARK: - After the end

    /// Resumes every thread that is still somewhere inside its body, so that it throws and unwinds.
    private func unwindOthers() {
        for thread in 1..<max(1, state.threadCount) where state.thread(thread).status != .ended {
            let fiber = fiberOf[thread]
            if core.pointee.bodies[Int(fiber)] != nil {
                core.pointee.bodies[Int(fiber)] = nil
                core.pointee.pool.give(back: fiber)
            } else {
                core.pointee.callsSinceEnd = 0
                jump(to: thread)
            }
        }
        core.pointee.current = 0
    }

    /// Unwinding code may release what it holds; everything else throws. Code that goes on regardless is left behind.
    private func performAfterEnd(_ operation: Operation) throws -> Int {
        switch operation.kind {
        case .unlock, .unlockShared, .semaphoreSignal, .signal, .broadcast, .destroy: return 0
        default: break
        }
        core.pointee.callsSinceEnd += 1
        if core.pointee.callsSinceEnd > 1000 && current != 0 {
            journal?.record(.note, thread: current, text: Self.ignoresEnd, at: .unknown, time: now)
            jump(to: 0)
        }
        throw RunEnded()
    }

    private static let ignoresEnd =
        "catches RunEnded and goes on, 1,000 calls long: it was abandoned, and what it holds is leaked"

    // MARK: - The rest of the face

    package override func startThread(
        named name: String?, _ attributes: ThreadAttributes, at site: SourceSite,
        body: @escaping @Sendable () throws -> Void
    ) throws -> RuntimeObject {
        if let refusal = attributes.refusal { throw ThreadCreationFailed(code: 22, refusal) }
        _ = try perform(Operation(.spawn), on: .none, with: nil, at: site)
        guard let thread = state.addThread(), let fiber = core.pointee.pool.take(Self.fiberEntry) else {
            throw ThreadCreationFailed(code: 11, "no more than \(MachineState.maximumThreads) threads in one run")
        }
        if core.pointee.bodies.count <= fiber { core.pointee.bodies.append(nil) }
        core.pointee.bodies[Int(fiber)] = body
        fiberOf[thread] = fiber
        if attributes.isDetached { state.setDetached(thread) }
        journal?.declareThread(thread, name, isDetached: attributes.isDetached, by: current, at: site, time: now)
        return RuntimeObject(id: UInt32(thread))
    }

    package override func makeObject(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, name: String?, value: Int, at site: SourceSite
    ) -> RuntimeObject {
        guard let id = state.addObject(kind, value: value) else {
            preconditionFailure("a run may have no more than \(MachineState.maximumObjects) objects")
        }
        journal?.declareObject(id, shown, name)
        return RuntimeObject(id: id, storage: mark)
    }

    /// Which execution an object was made in. Numbers are used again in the next one, and a scenario may let go of an object
    /// only then.
    private var mark: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: core.pointee.executions) }

    package override func discard(_ object: RuntimeObject) {
        guard verdict == nil, object.storage == mark, state.isInUse(object.id) else { return }
        journal?.record(
            .misuse, thread: current, object: object.id, value: Int(MisuseKind.destroyHeld.rawValue), at: .unknown,
            time: now)
        core.pointee.verdict = .misuse
    }

    package override var currentThread: ThreadID { ThreadID(current) }

    package override func name(of thread: ThreadID) -> String {
        journal?.name(of: Int(thread.index)) ?? "thread \(thread.index)"
    }

    package override var now: Int { state.time }

    package override var hasEnded: Bool { verdict != nil }

    package override var isRecording: Bool { journal != nil && verdict == nil }

    package override func record(_ kind: EventKind, _ object: UInt32, _ value: Int, at site: SourceSite) {
        guard verdict == nil else { return }
        journal?.record(kind, thread: current, object: object, value: value, at: site, time: now)
    }

    package override func record(_ kind: EventKind, _ object: UInt32, text: String, at site: SourceSite) {
        guard verdict == nil else { return }
        journal?.record(kind, thread: current, object: object, text: text, at: site, time: now)
    }

    package override func makeSlot(_ destructor: (@Sendable (AnyObject) -> Void)?) -> Int? { slots.make(destructor) }
    package override func deleteSlot(_ key: Int) { slots.delete(key) }
    package override func slotValue(_ key: Int) -> AnyObject? { slots.value(key, of: current) }
    package override func setSlotValue(_ key: Int, _ value: AnyObject?) { slots.set(key, value, of: current) }
}
