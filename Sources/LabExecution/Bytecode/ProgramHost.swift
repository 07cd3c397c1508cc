import Machine

/// Runs the threads of a program. There are three hosts: `Engine` on the machine alone, `LabRun` on its caller's
/// runtime, and `GraphProgram` for a search of execution graphs.
///
/// The code that they share is in extensions: it handles the interpreter's stops and the results of steps. A host
/// decides how a step is taken, a thread added, or an event recorded.
///
/// All are final classes, for which the compiler specializes this code: the protocol costs the engine nothing.
protocol ProgramHost: AnyObject {
    associatedtype Failure: Error

    var bytecode: Bytecode { get }
    var interpreter: Interpreter { get }

    /// The current time on the clock of deadlines.
    var time: Int { get }

    /// The value of an object.
    func word(of object: UInt32) -> Int

    /// Adds a thread of the program, which is about to take its first step.
    func addThread(_ number: Int, at line: Int) throws(Failure)

    // MARK: - Claims

    /// Whether threads take turns, so that a thread can read the whole state after each of its steps.
    var seesEachState: Bool { get }

    /// Receives the claims that do not hold.
    var brokenClaims: UnsafeMutablePointer<BrokenClaims> { get }

    // MARK: - Remarks

    /// The thread writes a note.
    ///
    /// - Parameter values: the values in the text.
    func note(_ text: CompiledText, _ values: UnsafePointer<Int>, at line: Int)

    /// The thread has passed a `progress`.
    ///
    /// - Parameter thread: the host's number of the thread.
    func noteProgress(of thread: Int, at line: Int)

    /// Called with the value of each claim at the end, and of a `possible` claim in other states too, until it has been
    /// true in one.
    func noteState(_ claim: CompiledClaim, value: Int)
}

/// Why a thread's local code has stopped, for its host.
enum Pause {
    /// It has reached its next step: an operation.
    case step
    /// It has left its body.
    case end
    /// The thread cannot continue, or a claim does not hold. This ends the execution.
    case failure
}

extension ProgramHost {
    /// Runs a thread's local code up to its next step.
    ///
    /// - Parameters:
    ///   - thread: the host's number of the thread.
    ///   - operation: receives the step.
    ///   - stop: receives the line of the step, or the details of the failure.
    @inline(always) func proceed(
        _ thread: Int, _ words: UnsafeMutablePointer<Int>, _ operation: UnsafeMutablePointer<Operation>,
        _ stop: UnsafeMutablePointer<Stop>
    ) throws(Failure) -> Pause {
        var patience = Bytecode.patience
        var reason = interpreter.advance(words, patience: &patience, operation, stop)
        while reason != .operation {
            if reason == .ended { return .end }
            if let pause = try obey(reason, thread, words, &patience, operation, stop) { return pause }
            reason = interpreter.advance(words, patience: &patience, operation, stop)
        }
        if stop.pointee.isTimed { setDeadline(operation, stop) }
        return .step
    }

    /// Gives a thread the result of the step that it has taken.
    ///
    /// - Parameters:
    ///   - operation: the step, as `proceed` wrote it.
    ///   - stop: receives the reason if the thread does not continue: it has failed, or was the main thread and has
    ///     exited.
    /// - Returns: whether the thread continues.
    @inline(always) func accept(
        _ result: Int, of operation: Operation, _ words: UnsafeMutablePointer<Int>, _ stop: UnsafeMutablePointer<Stop>
    ) throws(Failure) -> Bool {
        if operation.kind.isOnObject {
            interpreter.completeOperation(words, result)
            return true
        }
        return try acceptOther(result, of: operation, words, stop)
    }

    // MARK: - Stops that are not operations

    /// Handles a stop that is not an operation.
    ///
    /// - Returns: nil if the thread's code continues at once.
    @inline(never) private func obey(
        _ reason: Stop.Reason, _ thread: Int, _ words: UnsafeMutablePointer<Int>, _ patience: inout Int,
        _ operation: UnsafeMutablePointer<Operation>, _ stop: UnsafeMutablePointer<Stop>
    ) throws(Failure) -> Pause? {
        let line = stop.pointee.line
        switch reason {
        case .operation: return .step
        case .spawn:
            let number = stop.pointee.a
            if stop.pointee.b != 1 {
                operation.pointee = Operation(.spawn, bytecode.threads[number].seat, number)
                return .step
            }
            try addThread(number, at: line)
        case .note:
            patience -= Bytecode.costOfNote
            note(bytecode.texts[stop.pointee.a], words + stop.pointee.b, at: line)
        case .observe:
            if seesEachState { return check(atEnd: false, stop) }
        case .progress:
            words[ThreadWords.hasProgressed] = 1
            noteProgress(of: thread, at: line)
        case .review: return check(atEnd: true, stop)
        case .ended: return .end
        case .failed: return .failure
        }
        return nil
    }

    /// Turns the operation's second argument, a duration, into a deadline.
    @inline(never) private func setDeadline(
        _ operation: UnsafeMutablePointer<Operation>, _ stop: UnsafeMutablePointer<Stop>
    ) {
        stop.pointee.isTimed = false
        operation.pointee.b = Operation.deadline(operation.pointee.b, after: time)
    }

    // MARK: - Results of operations that concern no object

    @inline(never) private func acceptOther(
        _ result: Int, of operation: Operation, _ words: UnsafeMutablePointer<Int>, _ stop: UnsafeMutablePointer<Stop>
    ) throws(Failure) -> Bool {
        let kind = operation.kind
        if kind == .start { return true }
        if kind == .exit {
            stop.pointee = Stop(.ended, line: 0)
            return false
        }
        guard kind == .join || kind == .spawn || kind == .detach else {
            interpreter.complete(words, result)
            return true
        }
        // On a seat, the result 0 means that the thread has been started already, or not yet.
        let isDone = operation.object == 0 || result != 0
        if !isDone {
            stop.pointee = Stop(kind == .spawn ? .startedTwice : .notStarted, line: interpreter.line(of: words))
        } else if kind == .spawn {
            try addThread(operation.a, at: Int(interpreter.line(of: words)))
        }
        return isDone
    }

    // MARK: - Failures

    /// The verdict on an execution that ends with this stop.
    func verdict(of stop: Stop) -> Verdict {
        stop.isOfClaim ? bytecode.claims[stop.a].verdict : stop.failure.verdict
    }

    func message(of stop: Stop, _ words: UnsafeMutablePointer<Int>) -> String {
        stop.isOfClaim
            ? message(ofClaim: stop.a, hasValue: stop.b == 0) : bytecode.message(of: stop, words)
    }

    /// The message for an execution that ends because a claim does not hold.
    func message(ofClaim number: Int, hasValue: Bool) -> String {
        let claim = bytecode.claims[number]
        if hasValue { return claim.failure }
        do {
            _ = try value(of: claim, atEnd: true)
            return claim.failure(because: nil)
        } catch {
            return claim.failure(because: "\(error)")
        }
    }

    /// The line of a failure. For a claim about the end, it is the claim's line.
    func line(of stop: Stop, claim number: Int) -> Int {
        stop.reason == .review ? bytecode.claims[number].line : stop.line
    }

    func line(of stop: Stop) -> Int { stop.isOfClaim ? line(of: stop, claim: stop.a) : stop.line }
}

/// A hash of the state that is outside the machine: a program's shared words, and the positions and local variables of
/// its threads.
struct ProgramHash {
    private var hash = StateHash()

    init(_ bytecode: Bytecode, shared words: UnsafeMutablePointer<Int>) {
        for word in bytecode.plainWords { hash.add(words[word]) }
        for start in bytecode.listStarts {
            for word in start...start + words[start] { hash.add(words[word]) }
        }
    }

    /// Adds a thread that has not ended. The caller adds the threads in a fixed order.
    ///
    /// - Parameter counters: the words that are left out.
    mutating func add(_ thread: UnsafeMutablePointer<Int>, leavingOut counters: Counters = .none) {
        // `ThreadWords.argument` is left out: while it matters, the thread's operation, which the machine hashes, has
        // it.
        for word in ThreadWords.state { hash.add(thread[word]) }
        hash.add(thread[ThreadWords.index])
        if counters.isEmpty {
            for word in ThreadWords.count..<thread[ThreadWords.stack] { hash.add(thread[word]) }
            return
        }
        counters.forEachFrame(of: thread) { words, counters in
            for (index, word) in words.enumerated() {
                let isCounter = index < UInt64.bitWidth && counters >> UInt64(index) & 1 != 0
                if !isCounter { hash.add(thread[word]) }
            }
        }
    }

    var value: UInt64 { hash.value }
}
