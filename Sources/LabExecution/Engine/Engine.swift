import Execution
import LabSyntax
import Machine
import Trace

/// Runs a compiled program on the machine alone: no fibers, no events, and no memory allocated while it runs. The same
/// choices give the same schedule and the same verdict as under `ControlledRuntime`.
///
/// One engine runs any number of executions, one after the other. Not thread-safe.
package final class Engine {
    package let bytecode: Bytecode
    let driver: Driver
    let state: MachineState
    /// The shared words; for each thread of the machine, the start of its words; and the threads' words.
    private let memory: OwnedBuffer<Int>
    let words: UnsafeMutablePointer<Int>
    let wordCount: Int
    let regions: UnsafeMutablePointer<Int>
    /// The start of the words of each thread of the program; the main thread's last.
    let starts: OwnedBuffer<Int>
    let interpreter: Interpreter
    /// The reason why the interpreter has stopped.
    let stop = Owned(Stop(.ended, line: 0))

    /// Where and why the program failed. Behind a pointer, because variables of the class would be checked for
    /// exclusive access.
    let failed = Owned<Stop?>(nil)
    /// If the execution ended because claims do not hold: those.
    private let ownBrokenClaims: Owned<BrokenClaims>

    /// The rules of executions, from the next one on.
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

    package var usesStoreBuffers = false
    @exclusivity(unchecked) package var forgetsCounters = false

    /// What a search by states needs to know of the code.
    @exclusivity(unchecked) private var ownFacts: StateFacts?
    /// The same, without reference counting. Nil before `prepareStates`.
    @exclusivity(unchecked) unowned(unsafe) private(set) var facts: StateFacts!

    func prepareStates() {
        if ownFacts != nil { return }
        ownFacts = StateFacts(bytecode)
        facts = ownFacts!
    }

    @exclusivity(unchecked) package internal(set) var hasFoundUnordered = false
    @exclusivity(unchecked) package internal(set) var hasChangedOthers = false
    @exclusivity(unchecked) package internal(set) var influence = Influence.none

    /// The state in which each execution begins, once the first has.
    @exclusivity(unchecked) private var start = PackedState()
    private let startWords: OwnedBuffer<Int>
    /// Whether it has been tested that an execution begins from the copy as the first did.
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
        // Their numbers in their arrays, which stay, are right in every state, also of threads that come to exist in it.
        for number in 0...threads { resetThread(number) }
        // The driver belongs to the engine.
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

    /// Where and why the program failed, if it reported a failure itself.
    package var failure: (message: String, line: Int)? {
        guard let stop = failed.pointee, stop.reason != .operation else { return nil }
        return (message(of: stop, thread(driver.current)), line(of: stop))
    }

    func thread(_ index: Int) -> UnsafeMutablePointer<Int> { words + regions[index] }

    // MARK: - One execution

    /// Runs from the beginning to the end.
    package func run(_ chooser: any Chooser) -> Verdict {
        driver.isBuffered = false
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
            // The shared words too: the code before the first step notes there which claims are true from the beginning.
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

    /// For an assertion, once: whether the copy of the start lacks nothing that the code before the first step did.
    private func isLikeFirst() -> Bool {
        if isStartTested { return true }
        isStartTested = true
        let copy = stateHash
        driver.begin()
        bytecode.reset(words)
        beginFirst()
        return stateHash == copy
    }

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

    /// Runs to the end.
    package func goOn(_ chooser: any Chooser) -> Verdict {
        while driver.verdict == nil {
            if let (thread, result) = driver.step(chooser) { complete(thread, result) }
        }
        driver.announceEnd(to: chooser)
        return driver.verdict!
    }

    // MARK: - One step

    /// The thread takes its step, which must be enabled, and runs its local code up to the next one.
    package func take(_ thread: Int, _ chooser: any Chooser) {
        if let result = driver.take(thread, chooser) { complete(thread, result) }
    }

    /// The thread has taken its step: it runs its local code up to the next one.
    @inline(always) func complete(_ thread: Int, _ result: StepResult) {
        if !(result.status == .done) { return stay(thread, result) }
        if !accept(result.value, of: state.operation(of: thread), words + regions[thread], stop.pointer) {
            return halt()
        }
        runLocalCode(thread)
    }

    /// The operation is not complete, or a misuse.
    @inline(never) private func stay(_ thread: Int, _ result: StepResult) {
        if !(result.status == .misuse) { return }
        // Only its position matters.
        failed.pointee = Stop(.operation, line: interpreter.line(of: self.thread(thread)))
        driver.finish(.misuse)
    }

    /// The thread does not continue after its step: it was the main thread's last, or it has failed.
    @inline(never) private func halt() {
        if stop.pointee.reason == .ended { driver.finish(driver.completion) } else { fail() }
    }

    /// A store of the thread has reached memory, and claims may be about that.
    ///
    /// What must happen can happen in each state of memory. Other claims are about the states in which no store waits. Of each state of memory in which some do, there is an execution of
    /// the same steps without those that come after the last store to reach memory: they lead to the same memory, and no store
    /// waits. So these are also the states that a run with a graph shows, where a store is the newest as soon as it is made.
    func judgeState(after thread: Int) {
        guard bytecode.isObserved.contains(true) else { return }
        if state.hasPendingStores {
            if seesMemory { noteMemory() }
            return
        }
        stop.pointee = Stop(.observe, line: 0)
        if check(atEnd: false, stop.pointer) == .failure { fail() }
    }

    @inline(never) private func fail() {
        failed.pointee = stop.pointee
        driver.finish(verdict(of: stop.pointee))
    }

    /// - Parameter number: of the program's thread, or the number of threads for the main thread.
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

    /// The thread's local code is over. Not inlined, because what is rare would take registers from each step.
    @inline(never) private func conclude(_ thread: Int, _ pause: Pause) {
        switch pause {
        case .step: break
        case .end:
            // The main thread's end is a step: the process exits.
            if thread == 0 { state.announce(0, Operation(.exit)) } else { state.end(thread, result: 0) }
        case .failure: fail()
        }
    }

    /// The claims that do not hold where the execution ended, besides the first.
    package var otherBrokenClaims: [ClaimEnd] {
        guard let stop = failed.pointee, stop.isOfClaim else { return [] }
        return ownBrokenClaims.pointee.all.filter { $0.number != stop.a }.map { broken in
            ClaimEnd(bytecode.claims[broken.number].verdict, place: bytecode.claims[broken.number].place)
        }
    }

    /// Which of the states that some run must reach have been reached: those that may be on the way, so far; and those at the
    /// end, if the run has completed or breaks claims.
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

/// The engine records nothing.
extension Engine: ProgramHost {
    var time: Int { state.time }
    func word(of object: UInt32) -> Int { state.object(object).value }
    func addThread(_ number: Int, at line: Int) { addThread(number, .announced) }

    var seesEachState: Bool { !state.hasPendingStores }
    var seesMemory: Bool { bytecode.judgesOnTheWay }
    var brokenClaims: UnsafeMutablePointer<BrokenClaims> { ownBrokenClaims.pointer }

    func note(_ text: CompiledText, _ values: UnsafePointer<Int>, at line: Int) {}
    func noteProgress(of thread: Int, at line: Int) { driver.noteProgress(of: thread) }
    func noteState(_ claim: CompiledClaim, value: Int) {}
}
