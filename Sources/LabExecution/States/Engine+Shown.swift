import LabProgram
import Machine
import Text
import Trace

/// The parts of a program's states that are shown to users.
extension Engine: ShownSubject {
    package var threadNames: [String] { ["main"] + bytecode.threads.map(\.name) }

    package var shownObjects: [TraceDocument.Object?] {
        [nil]
            + bytecode.objects.map { object in
                TraceDocument.Object(
                    kind: object.shown, name: object.name, owner: object.owner.map { ObjectID($0) } ?? .none)
            }
    }

    package func programNumber(of thread: Int) -> Int {
        guard thread > 0 else { return 0 }
        return bytecode.threads.indices.first { starts[$0] == regions[thread] }.map { $0 + 1 } ?? thread
    }

    /// The line of the thread's next step. A thread that has not begun is at its declaration. 0: the main thread
    /// begins, exits or checks claims.
    package func line(of thread: Int) -> Int {
        let operation = state.operation(of: thread)
        if operation.kind == .exit || operation.kind == .inspect { return 0 }
        if operation.kind == .start {
            let number = programNumber(of: thread)
            return number == 0 ? 0 : bytecode.threads[number - 1].line
        }
        return lineOfStep(of: thread)
    }

    package func variables(of thread: Int) -> [ShownVariable] {
        if state.hasEnded(thread) || state.isNew(thread) { return [] }
        let own = self.thread(thread)
        let next = own[ThreadWords.programCounter]
        let frame = own + own[ThreadWords.frame]
        return (bytecode.body(at: next)?.slots ?? []).enumerated().compactMap { slot, variable in
            guard let name = variable.name, facts.liveness.isLive(slot, at: next) else { return nil }
            return ShownVariable(name: name, value: variable.type.text(of: frame[slot]))
        }
    }

    package func valueInWords(of object: Int) -> String? {
        let shown = bytecode.objects[object - 1].shown
        guard shown == .semaphore || shown.isMemory else { return nil }
        if let start = bytecode.listStart[object] {
            return "[\((0..<words[start]).map { "\(words[start + 1 + $0])" }.joined(separator: ", "))]"
        }
        return WordText.text(state.object(UInt32(object)).value, isBoolean: shown.isBoolean)
    }
}

extension Bytecode {
    /// The body that contains the instruction; for the main thread, `finally`. Nil: there is none.
    fileprivate func body(at instruction: Int) -> Program.Body? {
        let functions = program.functions.count
        for number in 0..<functions + 1 + program.threads.count where codeRange(of: number).contains(instruction) {
            if number < functions { return program.functions[number].body }
            return number == functions ? program.finally : program.threads[number - functions - 1].body
        }
        return nil
    }
}

extension ObjectKind {
    /// Whether it is a word that threads read and write.
    fileprivate var isMemory: Bool { isBoolean || self == .cell || self == .atomic || self == .list }
}
