import Machine
import Text
import Trace

/// States and steps in words, for pictures of them.
extension Engine {
    package func nextStepInWords(of thread: Int) -> String {
        let kind = state.operation(of: thread).kind
        let place = kind == .start || kind == .exit ? "" : " :\(lineOfStep(of: thread))"
        return "\(threadNames[programNumber(of: thread)]): \(stepInWords(of: thread))\(place)"
    }

    package var memoryInWords: [String] {
        bytecode.objects.enumerated().compactMap { index, object in
            valueInWords(of: index + 1).map { "\(object.name) = \($0)" }
        }
    }

    package func lineOfNextStep(of thread: Int) -> Int { lineOfStep(of: thread) }

    /// The line of the operation that the thread has announced.
    func lineOfStep(of thread: Int) -> Int {
        Int(bytecode.code[words[regions[thread] + ThreadWords.programCounter] - 1].line)
    }

    private func name(ofObject number: UInt32) -> String {
        number == 0 || number > bytecode.objects.count ? "" : bytecode.objects[Int(number) - 1].name
    }

    package func stepInWords(of thread: Int) -> String {
        let operation = state.operation(of: thread)
        let kind = operation.kind
        let isOnThread = kind.isOnThread && kind != .spawn && operation.object == 0
        let object =
            isOnThread ? threadNames[programNumber(of: operation.a)] : name(ofObject: operation.object)
        if kind == .write && operation.a == Event.noNumber { return "change \(object)" }
        if kind == .write || kind == .store {
            let isBoolean = bytecode.objects[Int(operation.object) - 1].shown.isBoolean
            return "\(object) = \(WordText.text(operation.a, isBoolean: isBoolean))"
        }
        if kind == .fence { return "fence \(operation.orders.order.word)" }
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
