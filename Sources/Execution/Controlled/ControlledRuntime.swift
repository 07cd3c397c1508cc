import CContext
import Machine
import Synchronization
import Trace

/// The runtime that decides every step: one OS thread, a fiber for each thread of the scenario, and the machine.
///
/// A thread that comes to an operation announces it, and the chooser picks who steps next. If that is the same thread it
/// just goes on; otherwise the processor jumps straight to the chosen one's fiber. There is no scheduler thread, and
/// nothing is allocated on the way. The caller's own stack is only where a run begins, and where it is wound up.
///
/// One runtime runs any number of executions, one after the other. Not thread-safe: one OS thread uses it.
package final class ControlledRuntime: Runtime, @unchecked Sendable {
    let state = MachineState()
    let journal: Journal?
    private let rules: Rules
    private let chooser: any Chooser

    let present: UnsafeMutablePointer<Present>
    private let enabled = UnsafeMutablePointer<UInt16>.allocate(capacity: MachineState.maximumThreads)
    /// By thread.
    let fiberOf = UnsafeMutablePointer<Int32>.allocate(capacity: MachineState.maximumThreads)
    /// By thread: where its last operation stands in the source.
    let sites = UnsafeMutablePointer<SourceSite>.allocate(capacity: MachineState.maximumThreads)

    /// The threads that could not go on when the last execution ended.
    let stuck = UnsafeMutablePointer<UInt16>.allocate(capacity: MachineState.maximumThreads)

    /// How many were made.
    private static let runtimes = Atomic(0)

    /// - Parameters:
    ///   - journal: where events go. Without one nothing is recorded, and an execution runs at full speed.
    ///   - log: where the choices go, if another process is to see them.
    package init(
        chooser: any Chooser, rules: Rules = Rules(), journal: Journal? = nil, log: ChoiceLog? = nil
    ) {
        present = .allocate(capacity: 1)
        present.initialize(to: Present(log: log ?? ChoiceLog()))
        // Each runtime has room for more executions than it will ever come to.
        present.pointee.execution = Self.runtimes.add(1, ordering: .relaxed).newValue << 36
        self.chooser = chooser
        self.rules = rules
        self.journal = journal
        fiberOf.initialize(repeating: 0, count: MachineState.maximumThreads)
    }

    deinit {
        state.deallocate()
        pool.deallocate()
        log.deallocate()
        enabled.deallocate()
        fiberOf.deallocate()
        sites.deallocate()
        stuck.deallocate()
        present.deinitialize(count: 1)
        present.deallocate()
    }

    // MARK: - One execution

    /// Runs the body as the main thread of a new execution, until the process would exit or nothing can go on. All threads
    /// have unwound when it returns.
    package func run(_ body: @escaping () throws -> Void) -> Verdict {
        enterPlace()
        defer { Place.leave() }
        beginExecution()
        let main = makeThread(.running, .plain(body))
        guard let main else { preconditionFailure("there is no memory for one stack") }
        resume(main)
        chooser.end(verdict!, state: state)
        if case .completed = verdict {
            present.pointee.stuckCount = 0
        } else {
            present.pointee.stuckCount = state.stuckThreads(into: stuck)
        }
        unwind()
        // While the verdict stands: what a thread's slots hold may be objects in use, which is no news now.
        if !slots.isUnused {
            _ = slots.reset()
            forgetKnownSlots()
        }
        if let journal, verdict == .completed || verdict == .leak {
            journal.record(.runComplete, thread: 0, at: .unknown, time: now)
        }
        return verdict!
    }

    /// One place for all executions: the runtime owns it, and it does not own the runtime.
    private func enterPlace() {
        if present.pointee.place == nil { present.pointee.place = ControlledPlace(runtime: self) }
        present.pointee.place!.enter()
    }

    private func beginExecution() {
        state.reset(rules)
        verdict = nil
        present.pointee.failure = .unknown
        discarded = nil
        steps = 0
        callsSinceEnd = 0
        execution += 1
        log.reset()
        chooser.begin()
    }

    /// The main thread's end is the process's: everybody else is cut off where they stand.
    func exitProcess() {
        guard (try? perform(Operation(.exit), on: .none, with: nil, at: .unknown)) != nil else { return }
        for thread in 0..<state.threadCount where thread != current && !state.hasEnded(thread) {
            journal?.record(.threadCutOff, thread: thread, at: .unknown, time: now)
        }
        verdict = completion
    }

    /// How the process ends if nothing has gone wrong.
    private var completion: Verdict {
        let leaks = (0..<state.threadCount).contains { thread in
            thread != 0 && !state.thread(thread).isJoined && !state.thread(thread).isDetached
        }
        return leaks ? .leak : .completed
    }

    /// What an error that leaves a thread's body means for the run.
    func fail(_ error: any Error) {
        guard verdict == nil else { return }
        // Unwinding let go of what the thread held. The error is the reason, and the finding.
        if discarded?.thread == current { discarded = nil }
        switch error {
        case let misuse as Misuse:
            present.pointee.failure = misuse.site
            verdict = .misuse
        case let failure as AssertionFailed:
            present.pointee.failure = failure.site
            journal?.record(.assertionFailed, thread: current, text: failure.description, at: failure.site, time: now)
            verdict = .assertion
        case let failure as NoProgress:
            present.pointee.failure = failure.site
            journal?.record(.noProgress, thread: current, text: failure.description, at: failure.site, time: now)
            verdict = .livelock
        default:
            let site = (error as? ProgramError)?.site ?? .unknown
            present.pointee.failure = site
            journal?.record(.threadError, thread: current, text: "\(error)", at: site, time: now)
            verdict = .error
        }
    }

    // MARK: - One step

    package override func perform(
        _ operation: Operation, on target: RuntimeObject, with mutex: RuntimeObject?, at site: SourceSite
    ) throws -> Int {
        guard target.storage == nil || target.storage == mark else { Self.refuse() }
        let thread = current
        if discarded != nil && !operation.isRelease { settleDiscarded(by: thread) }
        if verdict != nil { return try performAfterEnd(operation) }
        state.announce(thread, operation)
        sites[thread] = site
        journal?.announce(thread, site)
        while true {
            try waitForTurn()
            var alternative = 0
            let ways = state.alternatives(of: thread)
            if ways > 1 {
                guard let way = chooseAlternative(ways, of: thread) else { throw RunEnded.error }
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

    private static func refuse() -> Never {
        preconditionFailure("an object that was made in another run is used: make it in the scenario's `run()`")
    }

    /// Lets the chooser pick who steps next, and returns when that is the calling thread.
    @inline(__always) private func waitForTurn() throws {
        let thread = current
        guard let next = pickNext() else {
            leaveRun()
            throw RunEnded.error
        }
        if next != thread {
            jump(to: next)
            if verdict != nil { throw RunEnded.error }
        }
    }

    /// The thread that steps next, or nil if the run has ended, as `verdict` says.
    @inline(__always) func pickNext() -> Int? {
        var count = state.enabledThreads(into: enabled)
        journal?.noteBlocked(state)
        if state.mayBeStuck(current, enabled: count) {
            guard let rest = lookCloser(enabled: count) else { return nil }
            count = rest
        }
        let list = UnsafeBufferPointer(start: enabled, count: count)
        guard let next = chooser.chooseThread(list, last: UInt16(truncatingIfNeeded: current), state: state) else {
            verdict = .stopped
            return nil
        }
        steps += 1
        guard steps <= rules.maximumSteps else {
            journal?.record(.runStepLimit, thread: current, value: rules.maximumSteps, at: .unknown, time: now)
            verdict = .stepLimit
            return nil
        }
        log.append(.thread(next))
        return Int(next)
    }

    /// Lets time pass if nothing else can happen. Nil: the run has ended. Else how many threads can step.
    @inline(never) private func lookCloser(enabled count: Int) -> Int? {
        if rules.endsAtCycles && state.isCycleClosed(by: current) {
            verdict = .deadlock
            return nil
        }
        var count = count
        while count == 0 || state.isQuiet(UnsafeBufferPointer(start: enabled, count: count)) {
            if count > 0 {
                guard let way = chooseAlternative(2, of: current) else { return nil }
                if way == 1 { break }
            }
            guard state.passTime() else {
                verdict = .deadlock
                return nil
            }
            count = state.enabledThreads(into: enabled)
        }
        return count
    }

    /// Nil if the chooser's plan cannot be followed: the run has ended.
    private func chooseAlternative(_ ways: Int, of thread: Int) -> Int? {
        guard let way = chooser.chooseAlternative(ways, of: UInt16(thread), state: state) else {
            verdict = .stopped
            return nil
        }
        log.append(.alternative(way))
        return way
    }

    /// The thread that goes on when the current one has ended. Nil: the run is over.
    func nextAfterEnd() -> Int? {
        let everybodyEnded = (0..<state.threadCount).allSatisfy { state.hasEnded($0) }
        if everybodyEnded {
            verdict = completion
            return nil
        }
        return pickNext()
    }

    // MARK: - The rest of the face

    package override func startThread(
        named name: String?, _ attributes: ThreadAttributes, at site: SourceSite,
        body: consuming ThreadBody
    ) throws -> RuntimeObject {
        if let refusal = attributes.refusal { throw ThreadCreationFailed(code: 22, refusal) }
        if !attributes.isThereFromTheStart { _ = try perform(Operation(.spawn), on: .none, with: nil, at: site) }
        guard let thread = makeThread(.announced, body) else {
            throw ThreadCreationFailed(code: 11, "no more than \(MachineState.maximumThreads) threads in one run")
        }
        if attributes.isDetached { state.setDetached(thread) }
        journal?.declareThread(thread, name, attributes, by: current, at: site, time: now)
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

    /// Which execution of which runtime an object was made in. Its number is used again in the next one.
    private var mark: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: execution) }

    /// A finding, unless it turns out that an error is unwinding the thread: so it is kept until the thread goes on or ends.
    package override func discard(_ object: RuntimeObject) {
        guard verdict == nil, object.storage == mark, state.isInUse(object.id) else { return }
        if let discarded, discarded.thread != current { settleDiscarded(by: discarded.thread) }
        if discarded == nil { discarded = (object.id, current) }
    }

    /// The thread that let go of an object in use was not unwinding.
    func settleDiscarded(by thread: Int) {
        guard verdict == nil, let discarded, discarded.thread == thread else { return }
        let misuse = Int(MisuseKind.destroyHeld.rawValue)
        journal?.record(.misuse, thread: thread, object: discarded.object, value: misuse, at: .unknown, time: now)
        verdict = .misuse
    }

    package override func result(of thread: RuntimeObject) -> Int { state.thread(Int(thread.id)).result }

    package override var currentThread: ThreadID { ThreadID(current) }

    package override func name(of thread: ThreadID) -> String {
        journal?.name(of: Int(thread.index)) ?? "thread \(thread.index)"
    }

    /// Whether the execution has, or had, a thread of this number.
    package func threadExists(_ thread: Int) -> Bool { thread < state.threadCount }

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

    package override func site(inFileNamed name: String, line: Int) -> SourceSite {
        journal?.site(inFileNamed: name, line: line) ?? .unknown
    }

    package override func word(of object: RuntimeObject) -> Int { state.object(object.id).value }

    package override func makeSlot(
        shownAs shown: ObjectKind, _ destructor: (@Sendable (AnyObject) -> Void)?
    ) -> Int? {
        guard let key = slots.make(destructor) else { return nil }
        slots.name(key, makeObject(.other, shownAs: shown, name: nil, value: 0, at: .unknown).id)
        return key
    }

    package override func deleteSlot(_ key: Int) { _ = slots.delete(key) }
    package override func slotValue(_ key: Int) -> AnyObject? { slots.value(key, of: current) }
    package override func setSlotValue(_ key: Int, _ value: AnyObject?) {
        _ = slots.set(key, value, of: current)
        record(.slotSet, slots.object(of: key), 0, at: .unknown)
    }
}
