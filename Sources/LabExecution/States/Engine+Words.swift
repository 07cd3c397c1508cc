import Machine
import Trace

/// What a picture of states says.
extension Engine {
    package func nextStepInWords(of thread: Int) -> String {
        let operation = state.operation(of: thread)
        let place = operation.kind == .start || operation.kind == .exit ? "" : " :\(line(of: thread))"
        return "\(name(of: thread)): \(words(for: operation, thread))\(place)"
    }

    package var memoryInWords: [String] {
        bytecode.objects.enumerated().compactMap { index, object in
            guard object.shown == .cell || object.shown == .atomic || object.shown == .semaphore else { return nil }
            let value = state.object(UInt32(index + 1)).value
            if value == Event.noNumber {
                guard let start = bytecode.listStart[index + 1] else { return nil }
                let values = (0..<words[start]).map { "\(words[start + 1 + $0])" }
                return "\(object.name) = [\(values.joined(separator: ", "))]"
            }
            return "\(object.name) = \(value)"
        }
    }

    private func name(of thread: Int) -> String {
        if thread == 0 { return "main" }
        let number = bytecode.threads.indices.first { starts[$0] == regions[thread] }
        return number.map { bytecode.threads[$0].name } ?? "thread \(thread)"
    }

    private func line(of thread: Int) -> Int {
        Int(bytecode.code[words[regions[thread] + ThreadWords.programCounter] - 1].line)
    }

    private func name(ofObject number: UInt32) -> String {
        number == 0 || number > bytecode.objects.count ? "" : bytecode.objects[Int(number) - 1].name
    }

    private func words(for operation: Operation, _ thread: Int) -> String {
        let object = name(ofObject: operation.object)
        switch operation.kind {
        case .start: return "start"
        case .exit: return "exit"
        case .inspect: return "look at the end"
        case .join, .tryJoin, .joinUntil:
            return "join \(operation.object == 0 ? name(of: operation.a) : object)"
        case .detach: return "detach \(operation.object == 0 ? name(of: operation.a) : object)"
        case .spawn: return "spawn \(object)"
        case .write where operation.a == Event.noNumber: return "change \(object)"
        case .write, .store: return "\(object) = \(operation.a)"
        case .wait:
            switch state.thread(thread).status {
            case .waking: return "wake up"
            case .waiting: return "stop waiting for \(object)"
            default: return "wait for \(object)"
            }
        case .lockUntil: return "lock \(object) for a time"
        case .semaphoreWait, .semaphoreTryWait, .semaphoreWaitUntil: return "take \(object)"
        case .semaphoreSignal: return "signal \(object)"
        case .semaphoreValue, .read, .load: return "read \(object)"
        case .tryLock, .tryReadLock, .tryWriteLock: return "try \(object)"
        case .sleepUntil: return "sleep"
        case .unlock, .unlockShared: return "unlock \(object)"
        default: return object.isEmpty ? "\(operation.kind)" : "\(operation.kind) \(object)"
        }
    }
}
