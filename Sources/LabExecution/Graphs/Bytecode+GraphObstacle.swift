import LabProgram
import Machine

/// Which programs can be executed under a weaker memory model, and which can be searched by graphs.
extension Bytecode {
    /// Why the program's executions cannot follow a memory model weaker than sc, as a sentence. Nil: they can.
    package func obstacle(under model: MemoryModel) -> String? {
        // The main thread, which is not among `threads`, counts too.
        if model == .sc || threads.count < ExecutionGraph.mostThreads { return nil }
        return "the program has \(threads.count) threads; under --model \(model.rawValue) it may have at most "
            + "\(ExecutionGraph.mostThreads - 1)"
    }

    /// The first feature of the program that a search of execution graphs does not support. Nil: it supports all.
    ///
    /// An unsupported feature is refused, because a search that approximates it would prove nothing.
    package var partWithoutGraph: String? {
        featureWithoutGraph.map { "\($0.feature) (line \($0.line))" }
    }

    private var featureWithoutGraph: (feature: String, line: Int)? {
        let used = usedObjects
        if let number = objects.indices.first(where: { !objects[$0].kind.hasGraph && used.contains($0 + 1) }) {
            return ("'\(objects[number].name)'", objects[number].line)
        }
        if let list = listStart.keys.min() { return ("the list '\(objects[list - 1].name)'", objects[list - 1].line) }
        for claim in claims {
            switch claim.kind {
            case .invariant: return ("an invariant", claim.line)
            case .eventually: return ("'eventually'", claim.line)
            case .possible: return ("'possible'", claim.line)
            case .always, .never, .sometimes, .outcomes, .linearizable: break
            }
        }
        for place in 0..<codeCount where code[place].opcode == .operate {
            let form = forms[Int(code[place].b)]
            if let feature = form.featureWithoutGraph { return (feature, Int(code[place].line)) }
        }
        if let place = (0..<codeCount).first(where: { code[$0].opcode == .progress }) {
            return ("'progress'", Int(code[place].line))
        }
        return nil
    }
}

extension Bytecode {
    /// The numbers of the objects that some operation may use. An object that is only declared is in no execution.
    private var usedObjects: Set<Int> {
        (0..<codeCount).reduce(into: []) { used, place in
            guard code[place].opcode == .operate else { return }
            let form = forms[Int(code[place].b)]
            if form.hasObjectOnStack { used.formUnion(form.elements.numbers) } else { used.insert(Int(code[place].a)) }
        }
    }
}

extension ObjectState.Kind {
    /// Whether graphs support objects of this kind.
    fileprivate var hasGraph: Bool {
        switch self {
        case .normalMutex, .errorCheckingMutex, .recursiveMutex, .semaphore, .readersFirstLock, .writersFirstLock,
            .atomic, .cell, .seat:
            true
        case .condition, .file, .counted, .other: false
        }
    }
}

extension Bytecode {
    /// Whether threads may attempt to lock a mutex.
    var hasAttempts: Bool { hasOperation(.tryLock) }
    var hasWeakUpdates: Bool { hasOperation(.weakCompareExchange) }
    /// Whether threads may wait on a condition, perhaps one inside a built object.
    var hasWaits: Bool { hasOperation(.wait) }

    private func hasOperation(_ kind: Operation.Kind) -> Bool {
        (0..<codeCount).contains { code[$0].opcode == .operate && forms[Int(code[$0].b)].kind == kind }
    }
}

extension OperationForm {
    /// The operation's name in messages, if graphs do not support it. Nil: they do.
    fileprivate var featureWithoutGraph: String? {
        if kind.row.graph != nil {
            return kind == .semaphoreValue && isWatching ? "'await' of a semaphore's value" : nil
        }
        switch kind.row.range {
        case .nothing: return "'\(kind.verb)'"
        case .writesThread: return kind.hasDeadline ? "a time limit" : "'\(kind.verb)'"
        case .readsObject, .writesObject: return kind.hasDeadline ? "a time limit" : "this operation"
        case .writesMutexAndObject: return "this operation"
        case .everything: return kind == .readClock ? "the clock" : "this operation"
        }
    }
}
