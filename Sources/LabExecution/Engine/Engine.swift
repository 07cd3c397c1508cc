import Execution
import LabSyntax
import Machine
import Trace

/// Executes a compiled `.lab` program in searches, on the machine alone: it uses no fibers, records no events, and
/// while it runs it allocates memory only to evaluate claims. The same choices give the same schedule and the same
/// verdict as under `ControlledRuntime`.
///
/// One engine runs any number of executions, one after the other. Not thread-safe.
package final class Engine {
    package let bytecode: Bytecode
    let driver: Driver
    let state: MachineState
    /// The shared words; then for each thread of the machine the start of its words; then the threads' words.
    private let memory: OwnedBuffer<Int>
    /// The address of this memory.
    let words: UnsafeMutablePointer<Int>
    /// The number of words in this memory.
    let wordCount: Int
    /// By the machine's number of a thread: the start of its words.
    let regions: UnsafeMutablePointer<Int>
    /// By the program's number of a thread, the main thread last: the start of its words.
    let starts: OwnedBuffer<Int>
    let interpreter: Interpreter
    /// The reason why the interpreter has stopped.
    private let stop = Owned(Stop(.ended, line: 0))

    /// Where and why the program failed. It is behind a pointer, because accesses of class members would be checked for
    /// exclusivity.
    let failed = Owned<Stop?>(nil)
    /// The claims that do not hold, if the execution ended because of them.
    private let ownBrokenClaims: Owned<BrokenClaims>

    /// The rules of executions, effective from the next one.
    package var rules: Rules {
        get { driver.rules }
        set {
            driver.rules = newValue
            hasStart = false
        }
    }

    package var observers: [any Observer] {
        get { driver.observers }
        set { driver.observers = newValue }
    }

    /// See `StatefulSubject`.
    @exclusivity(unchecked) package var forgetsCounters = false

    /// The facts about the code that a search by states needs.
    @exclusivity(unchecked) private var ownFacts: StateFacts?
    /// The same facts, without reference counting. Nil before `prepareStates`.
    @exclusivity(unchecked) unowned(unsafe) private(set) var facts: StateFacts!

    func prepareStates() {
        if ownFacts != nil { return }
        ownFacts = StateFacts(bytecode)
        facts = ownFacts!
    }

    // About the last step: see `StatefulSubject`.
    @exclusivity(unchecked) package internal(set) var hasFoundUnordered = false
    @exclusivity(unchecked) package internal(set) var hasChangedOthers = false
    @exclusivity(unchecked) package internal(set) var influence = Influence.none

    /// The state in which each execution begins, saved by the first one.
    @exclusivity(unchecked) private var start = PackedState()
    private let startWords: OwnedBuffer<Int>
    /// Whether an assertion has checked that the copy of the start equals the state of the first execution.
    @exclusivity(unchecked) private var isStartTested = false
    @exclusivity(unchecked) private var hasStart = false

    /// The words of the kept states: `wordCount` for each, by number.
    @exclusivity(unchecked) var kept = OwnedBuffer<Int>(capacity: 0)

    package init(_ bytecode: Bytecode, rules: Rules = Rules()) {
        self.bytecode = bytecode
        driver = Driver(rules: rules, showsClock: false)
        state = driver.state
        let shared = bytecode.initialWords.count
        let threads = bytecode.threads.count
        starts = OwnedBuffer(capacity: threads + 1)
        var next = shared + threads + 1
        for number in 0...threads {
            starts[number] = next
            next += bytecode.bodies[number < threads ? bytecode.threads[number].body : bytecode.mainBody].words
        }
        wordCount = next
        memory = OwnedBuffer(repeating: 0, count: next)
        startWords = OwnedBuffer(repeating: 0, count: next)
        ownBrokenClaims = Owned(BrokenClaims(capacity: bytecode.claims.count))
        words = memory.base
        regions = words + shared
        interpreter = Interpreter(bytecode, shared: words)
        // The threads' numbers in their arrays are constant, so they are set once, also for threads that start later.
        for number in 0...threads { resetThread(number) }
        // The driver does not outlive the engine.
        driver.program = ProgramView(
            hash: { [unowned(unsafe) self] in programState(leavesOutCounters: $0) },
            counters: bytecode.counters.areObjects, hasExpectations: bytecode.hasExpectations,
            judgesOnTheWay: bytecode.judgesOnTheWay,
            waitsBesideLoops: bytecode.waitsBesideLoops,
            makesProgress: { [unowned(unsafe) self] in makesProgress($0) },
            isUnfulfilled: { [unowned(unsafe) self] in bytecode.isUnfulfilled(words) })
        begin()
    }

    /// How the execution ended. Nil: it continues.
    package var verdict: Verdict? { driver.verdict }
    package var stepCount: Int { driver.stepCount }
    package var restoredSteps: Int { driver.restoredSteps }
    /// The choices so far.
    package var schedule: Schedule { driver.schedule }

    /// Where and why the program failed, if its own code failed.
    package var failure: (message: String, line: Int)? {
        // The stop of a misuse, which is not a failure of the program's own code, has the reason `operation`.
        guard let stop = failed.pointee, stop.reason != .operation else { return nil }
        return (message(of: stop, thread(driver.current)), line(of: stop))
    }

    func thread(_ index: Int) -> UnsafeMutablePointer<Int> { words + regions[index] }

    // MARK: - One execution

    /// Runs from the beginning to the end.
    package func run(_ chooser: any Chooser) -> Verdict {
        begin()
        driver.begin(chooser)
        return goOn(chooser)
    }

    /// Resets to the beginning: the main thread is about to take its first step.
    package func begin() {
        driver.begin()
        failed.pointee = nil
        let sharedCount = bytecode.initialWords.count
        if hasStart {
            state.decode(start)
            // The shared words are part of the copy, because the code before the first step stores there which claims
            // are true from the beginning.
            bytecode.copyShared(startWords.base, to: words)
            regions.update(from: startWords.base + sharedCount, count: wordCount - sharedCount)
            assert(isLikeFirst())
            return
        }
        bytecode.reset(words)
        beginFirst()
        guard driver.verdict == nil else { return }
        state.encode(into: &start)
        bytecode.copyShared(words, to: startWords.base)
        (startWords.base + sharedCount).update(from: regions, count: wordCount - sharedCount)
        hasStart = true
        isStartTested = false
    }

    /// For an assertion, once: whether the copy of the start equals the state after the code before the first step.
    private func isLikeFirst() -> Bool {
        if isStartTested { return true }
        isStartTested = true
        let copy = stateHash
        driver.begin()
        bytecode.reset(words)
        beginFirst()
        return stateHash == copy
    }

    /// Makes the objects and the main thread, and runs the main thread's code up to its first step.
    private func beginFirst() {
        for object in bytecode.objects {
            guard let number = state.addObject(object.kind, value: object.value) else {
                preconditionFailure("the number of objects is limited")
            }
            if bytecode.isObserved[Int(number)] { state.observe(number) }
        }
        addThread(bytecode.threads.count, .running)
        runLocalCode(0)
    }

    /// Continues to the end.
    package func goOn(_ chooser: any Chooser) -> Verdict {
        while driver.verdict == nil {
            if let (thread, result) = driver.step(chooser) { complete(thread, result) }
        }
        driver.announceEnd(to: chooser)
        return driver.verdict!
    }

    // MARK: - One step

    /// Takes the thread's next step, which must be enabled, and runs its local code up to the following one.
    package func take(_ thread: Int, _ chooser: any Chooser) {
        if let result = driver.take(thread, chooser) { complete(thread, result) }
    }

    /// The thread has taken its step: runs its local code up to the next one.
    @inline(always) func complete(_ thread: Int, _ result: StepResult) {
        // Not `!=`, which would call the equality through a witness table: see `DirectEquality`.
        if !(result.status == .done) { return stay(thread, result) }
        if !accept(result.value, of: state.operation(of: thread), words + regions[thread], stop.pointer) {
            return halt()
        }
        runLocalCode(thread)
    }

    /// Called if the operation is not complete, so that the thread stays at it, or if it was a misuse.
    @inline(never) private func stay(_ thread: Int, _ result: StepResult) {
        if !(result.status == .misuse) { return }
        // Only the position of a misuse matters.
        failed.pointee = Stop(.operation, line: interpreter.line(of: self.thread(thread)))
        driver.finish(.misuse)
    }

    /// Called if the thread does not continue after its step: the main thread has exited, or the step has failed.
    @inline(never) private func halt() {
        if stop.pointee.reason == .ended { driver.finish(driver.completion) } else { fail() }
    }

    @inline(never) private func fail() {
        failed.pointee = stop.pointee
        driver.finish(verdict(of: stop.pointee))
    }

    /// - Parameter number: the number of the program's thread, or the number of threads for the main thread.
    private func addThread(_ number: Int, _ status: ThreadState.Status) {
        guard let thread = state.addThread(status: status), thread <= bytecode.threads.count else {
            preconditionFailure("each thread of a program is started once")
        }
        regions[thread] = starts[number]
        resetThread(number)
    }

    private func resetThread(_ number: Int) {
        let isMain = number == bytecode.threads.count
        let body = isMain ? bytecode.mainBody : bytecode.threads[number].body
        let index = isMain ? 0 : bytecode.threads[number].index
        ThreadWords.begin(words + starts[number], bytecode.bodies[body], index: index)
    }

    @inline(always) private func runLocalCode(_ thread: Int) {
        let pause = proceed(thread, words + regions[thread], state.place(ofOperationOf: thread), stop.pointer)
        if pause == .step { state.announceOperation(of: thread) } else { conclude(thread, pause) }
    }

    /// The thread's local code is over. Not inlined, because this rare code would take registers from each step.
    @inline(never) private func conclude(_ thread: Int, _ pause: Pause) {
        switch pause {
        case .step: break
        case .end:
            // The main thread's end is a step: the process exits.
            if thread == 0 { state.announce(0, Operation(.exit)) } else { state.end(thread, result: 0) }
        case .failure: fail()
        }
    }

    /// The claims that do not hold where the execution ended, except the one for which it ended.
    package var otherBrokenClaims: [ClaimEnd] {
        guard let stop = failed.pointee, stop.isOfClaim else { return [] }
        return ownBrokenClaims.pointee.all.filter { $0.number != stop.a }.map { broken in
            ClaimEnd(bytecode.claims[broken.number].verdict, place: bytecode.claims[broken.number].place)
        }
    }

    /// The texts of those states that some run must reach and this execution has reached: states that count at any time
    /// (`possible`), and if the execution completed or broke a claim, states that count at the end.
    package var seenStates: Set<String> {
        let onTheWay = Set(bytecode.claims.lazy.filter { $0.isSeen(self.words) }.map(\.text))
        guard let verdict, verdict.showsStates else { return onTheWay }
        if let stop = failed.pointee {
            let broken =
                stop.isOfClaim ? ownBrokenClaims.pointee.all.compactMap { bytecode.brokenStates[$0.number] } : []
            return onTheWay.union(broken)
        }
        return Set(
            bytecode.claims.compactMap { claim in
                (try? value(of: claim, atEnd: true)).flatMap { $0.flatMap { claim.seenState($0) } }
            })
    }
}

/// The engine records nothing, so notes are ignored.
extension Engine: ProgramHost {
    var time: Int { state.time }
    func word(of object: UInt32) -> Int { state.object(object).value }
    func addThread(_ number: Int, at line: Int) { addThread(number, .announced) }

    var seesEachState: Bool { true }
    var brokenClaims: UnsafeMutablePointer<BrokenClaims> { ownBrokenClaims.pointer }

    func note(_ text: CompiledText, _ values: UnsafePointer<Int>, at line: Int) {}
    func noteProgress(of thread: Int, at line: Int) { driver.noteProgress(of: thread) }
    func noteState(_ claim: CompiledClaim, value: Int) {}
}
