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
    private let interpreter: Interpreter
    /// The reason why the interpreter has stopped.
    private let stop = Owned(Stop(.ended, line: 0))

    /// Where and why the program failed. Behind a pointer, because variables of the class would be checked for
    /// exclusive access.
    let failed = Owned<Stop?>(nil)
    /// If the execution ended because claims do not hold: those.
    let brokenClaims: Owned<BrokenClaims>

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
        brokenClaims = Owned(BrokenClaims(capacity: bytecode.claims.count))
        words = memory.base
        regions = words + shared
        interpreter = Interpreter(bytecode, shared: words)
        // Their numbers in their arrays, which stay, are right in every state, also of threads that come to exist in it.
        for number in 0...threads { resetThread(number) }
        // The driver belongs to the engine.
        driver.program = ProgramView(
            hash: { [unowned(unsafe) self] in programState }, hasExpectations: bytecode.hasExpectations,
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
        if stop.isOfClaim {
            let claim = bytecode.claims[stop.a]
            let line = stop.reason == .review ? claim.line : stop.line
            return (stop.b == 0 ? claim.failure : claim.failure(because: problem(with: claim)), line)
        }
        return (bytecode.message(of: stop, thread(driver.current)), stop.line)
    }

    /// Why the claim has no value.
    private func problem(with claim: CompiledClaim) -> String? {
        do {
            _ = try claim.final(bytecode, interpreter, shared: words) { state.object($0).value }
            return nil
        } catch {
            return "\(error)"
        }
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
        if state.operation(of: thread).kind.isOnObject {
            interpreter.completeOperation(words + regions[thread], result.value)
        } else if !complete(state.operation(of: thread), result, thread) {
            return
        }
        runLocalCode(thread)
    }

    /// The operation is not complete, or a misuse.
    @inline(never) private func stay(_ thread: Int, _ result: StepResult) {
        // Only its position matters.
        if result.status == .misuse { fail(Stop(.operation, line: line(of: thread)), .misuse) }
    }

    /// Completes an operation that concerns no object. Returns whether the thread continues.
    @inline(never) private func complete(_ operation: Operation, _ result: StepResult, _ thread: Int) -> Bool {
        switch operation.kind {
        case .start: return true
        case .spawn, .join, .detach: return completeOnThread(operation, result, thread)
        case .exit:
            driver.finish(driver.completion)
            return false
        default:
            interpreter.complete(words + regions[thread], result.value)
            return true
        }
    }

    /// Whether the program continues after an operation on a thread.
    private func completeOnThread(_ operation: Operation, _ result: StepResult, _ thread: Int) -> Bool {
        let isSpawn = operation.kind == .spawn
        if operation.object != 0 && result.value == 0 {
            fail(Stop(isSpawn ? .startedTwice : .notStarted, line: line(of: thread)), .error)
            return false
        }
        if isSpawn { addThread(operation.a, .announced) }
        return true
    }

    /// The line of the operation that the thread has taken.
    private func line(of thread: Int) -> UInt16 {
        bytecode.code[words[regions[thread] + ThreadWords.programCounter] - 1].line
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
        let stop = stop.pointer
        let operation = state.place(ofOperationOf: thread)
        var patience = Bytecode.patience
        var reason = interpreter.advance(words + regions[thread], patience: &patience, operation, stop)
        while reason != .operation {
            if !handle(reason, of: thread, &patience) { return }
            reason = interpreter.advance(words + regions[thread], patience: &patience, operation, stop)
        }
        if stop.pointee.isTimed { setDeadline(operation) }
        state.announceOperation(of: thread)
    }

    /// The operation's second argument is a duration.
    @inline(never) private func setDeadline(_ operation: UnsafeMutablePointer<Operation>) {
        stop.pointee.isTimed = false
        operation.pointee.b = Operation.deadline(operation.pointee.b, after: state.time)
    }

    /// The thread's local code has stopped for another reason than an operation. Returns whether it continues.
    @inline(never) private func handle(_ reason: Stop.Reason, of thread: Int, _ patience: inout Int) -> Bool {
        switch reason {
        case .operation: return false
        case .spawn where stop.pointee.b == 1:
            addThread(stop.pointee.a, .announced)
            return true
        case .spawn:
            let number = stop.pointee.a
            state.announce(thread, Operation(.spawn, bytecode.threads[number].seat, number))
            return false
        case .note:
            patience -= 1000
            return true
        case .observe: return observe(stop.pointee)
        case .progress:
            words[regions[thread] + ThreadWords.hasProgressed] = 1
            driver.noteProgress(of: thread)
            return true
        case .review: return review(stop.pointee)
        case .ended:
            if thread == 0 { state.announce(0, Operation(.exit)) } else { state.end(thread, result: 0) }
            return false
        case .failed:
            fail(stop.pointee, stop.pointee.failure.verdict)
            return false
        }
    }

    private func fail(_ stop: Stop, _ verdict: Verdict) {
        failed.pointee = stop
        driver.finish(verdict)
    }

    /// Whether the invariants hold in this state.
    private func observe(_ stop: Stop) -> Bool {
        check(stop) { claim in try claim.observed(bytecode, interpreter, shared: words) { state.object($0).value } }
    }

    /// Whether the claims hold at the end.
    private func review(_ stop: Stop) -> Bool {
        check(stop) { claim in try claim.final(bytecode, interpreter, shared: words) { state.object($0).value } }
    }

    /// Whether the claims hold with these values. A claim that fails to have one does not; nil says nothing.
    private func check(_ stop: Stop, _ value: (CompiledClaim) throws -> Int?) -> Bool {
        brokenClaims.pointee.removeAll()
        for (number, claim) in bytecode.claims.enumerated() {
            do {
                if let value = try value(claim), claim.isBroken(by: value) {
                    brokenClaims.pointee.append(number, hasValue: true, bytecode)
                }
            } catch {
                brokenClaims.pointee.append(number, hasValue: false, bytecode)
            }
        }
        guard let first = brokenClaims.pointee.first else { return true }
        var stop = stop
        stop.a = first.number
        stop.b = first.hasValue ? 0 : 1
        fail(stop, bytecode.claims[first.number].verdict)
        return false
    }

    /// The claims that do not hold where the execution ended, besides the first.
    package var otherBrokenClaims: [ClaimEnd] {
        guard let stop = failed.pointee, stop.isOfClaim else { return [] }
        return brokenClaims.pointee.numbers.filter { $0 != stop.a }.map { number in
            ClaimEnd(bytecode.claims[number].verdict, place: bytecode.claims[number].place)
        }
    }

    /// Which of the states that some run must end in have been reached. Valid if the run has completed, or breaks claims.
    package var seenStates: Set<String> {
        if let stop = failed.pointee {
            return stop.isOfClaim ? Set(brokenClaims.pointee.numbers.compactMap { bytecode.brokenStates[$0] }) : []
        }
        return Set(
            bytecode.claims.compactMap { claim in
                let value = try? claim.final(bytecode, interpreter, shared: words) { state.object($0).value }
                return value.flatMap { claim.seenState($0) }
            })
    }
}
