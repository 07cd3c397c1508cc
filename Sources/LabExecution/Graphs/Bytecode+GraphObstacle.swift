import LabProgram
import Machine

extension Bytecode {
    /// Why the program's executions cannot follow a memory model weaker than sc, as a sentence. Nil: they can.
    package func obstacle(under model: MemoryModel) -> String? {
        if model == .sc || threads.count < ExecutionGraph.mostThreads { return nil }
        return "the program has \(threads.count) threads; under --model \(model.rawValue) it may have at most "
            + "\(ExecutionGraph.mostThreads - 1)"
    }

    /// What in the program a search of execution graphs cannot take. Nil: nothing.
    ///
    /// What is refused here is not approximated: nothing would be proved.
    package var partWithoutGraph: String? {
        featureWithoutGraph.map { "\($0.feature) (line \($0.line))" }
    }

    private var featureWithoutGraph: (feature: String, line: Int)? {
        if let object = objects.first(where: { !$0.kind.hasGraph }) { return ("'\(object.name)'", object.line) }
        if let list = listStart.keys.min() { return ("the list '\(objects[list - 1].name)'", objects[list - 1].line) }
        for claim in claims {
            switch claim.kind {
            case .invariant: return ("an invariant", claim.line)
            case .eventually: return ("'eventually'", claim.line)
            case .possible: return ("'possible'", claim.line)
            case .always, .never, .sometimes, .outcomes: break
            }
        }
        for place in 0..<codeCount where code[place].opcode == .operate {
            let form = forms[Int(code[place].b)]
            if let feature = form.featureWithoutGraph { return (feature, Int(code[place].line)) }
        }
        if let place = (0..<codeCount).first(where: { code[$0].opcode == .spawn && code[$0].b != 1 }) {
            return ("'start'", Int(code[place].line))
        }
        if let place = (0..<codeCount).first(where: { code[$0].opcode == .progress }) {
            return ("'progress'", Int(code[place].line))
        }
        return nil
    }
}

extension ObjectState.Kind {
    fileprivate var hasGraph: Bool {
        switch self {
        case .normalMutex, .atomic, .cell: true
        case .errorCheckingMutex, .recursiveMutex, .condition, .semaphore, .readersFirstLock, .writersFirstLock, .file,
            .counted, .seat, .other:
            false
        }
    }
}

extension OperationForm {
    fileprivate var featureWithoutGraph: String? {
        switch kind {
        case .start, .exit, .inspect, .yield, .lock, .unlock, .load, .store, .exchange, .add, .bitAnd, .bitOr, .bitXor,
            .compareExchange, .read, .write, .choose, .fence:
            nil
        case .join: elements.isEmpty ? nil : "'join' of a thread that is started"
        case .sleepUntil: "'sleep'"
        case .readClock: "the clock"
        case .tryLock, .lockUntil: "an attempt to lock"
        case .weakCompareExchange: "'weakCompareExchange'"
        case .detach: "'detach'"
        case .spawn, .tryJoin, .joinUntil, .wait, .signal, .broadcast, .semaphoreWait, .semaphoreTryWait,
            .semaphoreWaitUntil, .semaphoreSignal, .semaphoreValue, .readLock, .tryReadLock, .readLockUntil, .writeLock,
            .tryWriteLock, .writeLockUntil, .unlockShared, .append, .destroy, .downgrade:
            "this operation"
        }
    }
}
