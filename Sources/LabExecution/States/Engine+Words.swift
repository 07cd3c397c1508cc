import Machine
import Text
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
            guard object.shown == .semaphore || object.shown.isMemory else { return nil }
            let value = state.object(UInt32(index + 1)).value
            if value == Event.noNumber {
                guard let start = bytecode.listStart[index + 1] else { return nil }
                let values = (0..<words[start]).map { "\(words[start + 1 + $0])" }
                return "\(object.name) = [\(values.joined(separator: ", "))]"
            }
            return "\(object.name) = \(WordText.text(value, isBoolean: object.shown.isBoolean))"
        }
    }

    package func name(of thread: Int) -> String {
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
        let kind = operation.kind
        let isOnThread = kind.isOnThread && kind != .spawn && operation.object == 0
        let object = isOnThread ? name(of: operation.a) : name(ofObject: operation.object)
        if kind == .write && operation.a == Event.noNumber { return "change \(object)" }
        if kind == .write || kind == .store {
            let isBoolean = bytecode.objects[Int(operation.object) - 1].shown.isBoolean
            return "\(object) = \(WordText.text(operation.a, isBoolean: isBoolean))"
        }
        if kind == .lockUntil { return "lock \(object) for a time" }
        if kind == .wait {
            switch state.thread(thread).status {
            case .waking: return "wake up"
            case .waiting: return "stop waiting for \(object)"
            case .running, .announced, .queued, .ended: return "wait for \(object)"
            }
        }
        return object.isEmpty ? kind.verb : "\(kind.verb) \(object)"
    }
}

extension ObjectKind {
    /// Whether it is a word that threads read and write.
    fileprivate var isMemory: Bool { isBoolean || self == .cell || self == .atomic }
}
