import Execution
import Machine
import Trace

/// Runs a compiled program on the machine alone: no fibers, no events, and no memory allocated while it runs. The same choices
/// give the same schedule and the same verdict as under `ControlledRuntime`.
///
/// One engine runs any number of executions, one after the other. Not thread-safe.
package final class Engine {
    package let bytecode: Bytecode
    let state = MachineState()
    /// The shared words; for each thread of the machine, where its words begin; and the threads' words.
    let words: UnsafeMutablePointer<Int>
    let wordCount: Int
    private let regions: UnsafeMutablePointer<Int>
    /// Where the words of each thread of the program begin; of the main thread, at the end.
    private let starts: UnsafeMutablePointer<Int>
    private let interpreter: Interpreter
    let enabled = UnsafeMutablePointer<UInt16>.allocate(capacity: MachineState.maximumThreads)

    /// What changes at every step. Behind a pointer, because variables of the class would be checked for exclusive access.
    struct Present {
        var verdict: Verdict?
        var current = 0
        var steps = 0
        var choiceCount = 0
        var failure: Stop?
    }

    let present: UnsafeMutablePointer<Present>
    /// Where the interpreter says why it has stopped.
    private let stop: UnsafeMutablePointer<Stop>
    private var choices: UnsafeMutablePointer<Schedule.Choice>
    private var choiceCapacity = 1024
    private let settings: UnsafeMutablePointer<Rules>
    /// What the executions from the next one on may do.
    package var rules: Rules {
        get { settings.pointee }
        set { settings.pointee = newValue }
    }

    /// States to come back to, by number.
    var kept: [Snapshot] = []

    package init(_ bytecode: Bytecode, rules: Rules = Rules()) {
        self.bytecode = bytecode
        settings = .allocate(capacity: 1)
        settings.initialize(to: rules)
        let shared = bytecode.initialWords.count
        let threads = bytecode.threads.count
        starts = .allocate(capacity: threads + 1)
        var next = shared + threads + 1
        for number in 0...threads {
            starts[number] = next
            next += bytecode.bodies[number < threads ? bytecode.threads[number].body : bytecode.mainBody].words
        }
        wordCount = next
        words = .allocate(capacity: next)
        words.initialize(repeating: 0, count: next)
        regions = words + shared
        interpreter = Interpreter(bytecode, shared: words)
        stop = .allocate(capacity: 1)
        stop.initialize(to: Stop(.ended, line: 0))
        present = .allocate(capacity: 1)
        present.initialize(to: Present())
        choices = .allocate(capacity: choiceCapacity)
        begin()
    }

    deinit {
        state.deallocate()
        words.deallocate()
        starts.deallocate()
        enabled.deallocate()
        stop.deallocate()
        present.deallocate()
        settings.deallocate()
        choices.deallocate()
    }

    /// How the execution ended. Nil: it goes on.
    package var verdict: Verdict? { present.pointee.verdict }
    package var stepCount: Int { present.pointee.steps }
    /// The choices so far.
    package var schedule: Schedule {
        Schedule(Array(UnsafeBufferPointer(start: choices, count: present.pointee.choiceCount)))
    }

    /// Where and why the program failed, if it says so itself.
    package var failure: (message: String, line: Int)? {
        guard let stop = present.pointee.failure else { return nil }
        if stop.reason == .review {
            let expectation = bytecode.expectations[stop.a]
            return (expectation.failure(stop.b) ?? "an expectation has no value", expectation.line)
        }
        return (bytecode.message(of: stop, thread(present.pointee.current)), stop.line)
    }

    func thread(_ index: Int) -> UnsafeMutablePointer<Int> { words + regions[index] }

    // MARK: - One execution

    /// Runs from the beginning to the end.
    package func run(_ chooser: any Chooser) -> Verdict {
        begin()
        chooser.begin()
        return goOn(chooser)
    }

    /// Back to the beginning: the main thread stands before its first step.
    package func begin() {
        state.reset(settings.pointee)
        present.pointee = Present()
        words.update(from: bytecode.initialWords, count: bytecode.initialWords.count)
        for object in bytecode.objects {
            guard state.addObject(object.kind, value: object.value) != nil else {
                preconditionFailure("a program has few objects")
            }
        }
        addThread(bytecode.threads.count, .running)
        runLocalCode(0)
    }

    /// Runs to the end.
    package func goOn(_ chooser: any Chooser) -> Verdict {
        while true {
            if let verdict = present.pointee.verdict {
                chooser.end(verdict, state: state)
                return verdict
            }
            guard let thread = pickNext(chooser) else { continue }
            var way = 0
            let ways = state.alternatives(of: thread)
            if ways > 1 {
                guard let chosen = chooseAlternative(ways, of: thread, chooser) else { continue }
                way = chosen
            }
            take(thread, way)
        }
    }

    /// The same as `ControlledRuntime.pickNext`.
    @inline(__always) private func pickNext(_ chooser: any Chooser) -> Int? {
        var count = state.enabledThreads(into: enabled)
        if state.mayBeStuck(present.pointee.current, enabled: count) {
            guard let rest = lookCloser(enabled: count, chooser) else { return nil }
            count = rest
        }
        let list = UnsafeBufferPointer(start: enabled, count: count)
        let last = UInt16(truncatingIfNeeded: present.pointee.current)
        guard let next = chooser.chooseThread(list, last: last, state: state) else {
            present.pointee.verdict = .stopped
            return nil
        }
        present.pointee.steps += 1
        guard present.pointee.steps <= settings.pointee.maximumSteps else {
            present.pointee.verdict = .stepLimit
            return nil
        }
        note(.thread(next))
        return Int(next)
    }

    @inline(never) private func lookCloser(enabled count: Int, _ chooser: any Chooser) -> Int? {
        if settings.pointee.endsAtCycles && state.isCycleClosed(by: present.pointee.current) {
            present.pointee.verdict = .deadlock
            return nil
        }
        var count = count
        while count == 0 || state.isQuiet(UnsafeBufferPointer(start: enabled, count: count)) {
            if count > 0 {
                guard let way = chooseAlternative(2, of: present.pointee.current, chooser) else { return nil }
                if way == 1 { break }
            }
            guard state.passTime() else {
                present.pointee.verdict = .deadlock
                return nil
            }
            count = state.enabledThreads(into: enabled)
        }
        return count
    }

    private func chooseAlternative(_ ways: Int, of thread: Int, _ chooser: any Chooser) -> Int? {
        guard let way = chooser.chooseAlternative(ways, of: UInt16(truncatingIfNeeded: thread), state: state) else {
            present.pointee.verdict = .stopped
            return nil
        }
        note(.alternative(way))
        return way
    }

    @inline(__always) private func note(_ choice: Schedule.Choice) {
        let count = present.pointee.choiceCount
        if count == choiceCapacity { growChoices() }
        choices[count] = choice
        present.pointee.choiceCount = count + 1
    }

    private func growChoices() {
        let larger = UnsafeMutablePointer<Schedule.Choice>.allocate(capacity: choiceCapacity * 2)
        larger.moveInitialize(from: choices, count: choiceCapacity)
        choices.deallocate()
        choices = larger
        choiceCapacity *= 2
    }

    // MARK: - One step

    /// The thread takes its step, which must be enabled, and runs its local code up to the next one.
    @inline(__always) func take(_ thread: Int, _ way: Int) {
        present.pointee.current = thread
        let operation = state.operation(of: thread)
        let result = state.step(thread, alternative: way)
        switch result.status {
        case .blocked: return
        case .misuse:
            present.pointee.verdict = .misuse
            return
        case .done: break
        }
        switch operation.kind {
        case .start: break
        case .spawn: start(operation.a)
        case .exit:
            present.pointee.verdict = completion
            return
        default: interpreter.complete(words + regions[thread], result.value)
        }
        runLocalCode(thread)
    }

    private func start(_ number: Int) {
        words[number] = state.threadCount + 1
        addThread(number, .announced)
    }

    private func addThread(_ number: Int, _ status: ThreadState.Status) {
        guard let thread = state.addThread(status: status) else { preconditionFailure("a program has few threads") }
        regions[thread] = starts[number]
        let isMain = number == bytecode.threads.count
        let body = isMain ? bytecode.mainBody : bytecode.threads[number].body
        let index = isMain ? 0 : bytecode.threads[number].index
        ThreadWords.begin(words + starts[number], bytecode.bodies[body], index: index)
    }

    private var completion: Verdict {
        for thread in 1..<max(1, state.threadCount) {
            let state = state.thread(thread)
            if !state.isJoined && !state.isDetached { return .leak }
        }
        return .completed
    }

    @inline(__always) private func runLocalCode(_ thread: Int) {
        let stop = stop
        let words = words + regions[thread]
        var patience = Bytecode.patience
        while true {
            switch interpreter.advance(words, patience: &patience, stop) {
            case .operation:
                var operation = stop.pointee.operation
                if stop.pointee.isTimed {
                    let (deadline, isTooLong) = state.time.addingReportingOverflow(operation.b)
                    operation.b = isTooLong ? Operation.never : deadline
                }
                state.announce(thread, operation)
                return
            case .spawn where stop.pointee.b == 1: start(stop.pointee.a)
            case .spawn:
                state.announce(thread, Operation(.spawn, 0, stop.pointee.a))
                return
            case .note: patience -= 1000
            case .review: if !review(stop.pointee) { return }
            case .ended:
                if thread == 0 { state.announce(0, Operation(.exit)) } else { state.end(thread, result: 0) }
                return
            case .failed:
                fail(stop.pointee, stop.pointee.failure.verdict)
                return
            }
        }
    }

    private func fail(_ stop: Stop, _ verdict: Verdict) {
        present.pointee.failure = stop
        present.pointee.verdict = verdict
    }

    /// Whether all is as it should be at the end.
    private func review(_ stop: Stop) -> Bool {
        for (number, expectation) in bytecode.expectations.enumerated() {
            let value = try? expectation.value(bytecode, interpreter) { state.object($0).value }
            if let value, expectation.failure(value) == nil { continue }
            var stop = stop
            stop.a = number
            stop.b = value ?? 0
            fail(stop, .assertion)
            return false
        }
        return true
    }

    /// Which of the states that some run must end in are there now. Ask when the verdict is that the run has completed.
    package var seenStates: Set<String> {
        Set(
            bytecode.expectations.compactMap { expectation in
                let value = try? expectation.value(bytecode, interpreter) { state.object($0).value }
                return value.flatMap { expectation.seenState($0) }
            })
    }
}
