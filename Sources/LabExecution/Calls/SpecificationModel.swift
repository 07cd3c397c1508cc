import Histories
import LabProgram
import Machine

/// A program's specification as a sequential model, with which a history of calls is compared: given a state, it says
/// what a call answers. It runs the specification's functions in the interpreter, one call at a time.
struct SpecificationModel: SequentialModel {
    /// The values of the specification's variables.
    struct State: Hashable {
        /// The values by object.
        var cells: [Int]
        /// The shared words, without the unused ones of lists.
        var words: [Int]
    }

    /// Memory for a call. Each judgement has its own, because judgements can run at the same time.
    private final class Memory {
        let shared: OwnedBuffer<Int>
        let thread: OwnedBuffer<Int>

        init(_ bytecode: Bytecode) {
            shared = OwnedBuffer(bytecode.initialWords)
            thread = OwnedBuffer(capacity: bytecode.threads.map { bytecode.bodies[$0.body].words }.max() ?? 1)
        }
    }

    let initial: State
    private let bytecode: Bytecode
    private let threads: [Int: Int]
    private let memory: Memory

    /// - Parameter threads: see `Specification.threads`.
    init(_ bytecode: Bytecode, _ threads: [Int: Int]) {
        self.bytecode = bytecode
        self.threads = threads
        memory = Memory(bytecode)
        initial = State(cells: [0] + bytecode.objects.map(\.value), words: Self.packed(memory.shared.base, bytecode))
    }

    /// The answer to a call, which may change the state. Nil: the call would have to wait in this state.
    func answer(_ call: FunctionCall, in state: inout State) -> FunctionAnswer? {
        guard let thread = threads[call.function] else { return .failed("it is not specified") }
        let compiled = bytecode.bodies[bytecode.threads[thread].body]
        let words = memory.thread.base
        defer { extendLifetime(memory) }
        unpack(state.words)
        ThreadWords.begin(words, compiled, index: 0)
        for (slot, argument) in call.arguments.enumerated() { words[ThreadWords.count + slot] = argument }
        var cells = state.cells
        let interpreter = Interpreter(bytecode, shared: memory.shared.base)
        var patience = Bytecode.patience
        var stop = Stop(.ended, line: 0)
        var operation = Machine.Operation(.yield)
        while true {
            switch interpreter.advance(words, patience: &patience, &operation, &stop) {
            case .operation:
                // The condition of an `await` is false.
                if operation.isRenewedLook { return nil }
                let object = Int(operation.object)
                let old = cells[object]
                if operation.kind == .write { cells[object] = operation.a }
                interpreter.complete(words, old)
            case .ended:
                state = State(cells: cells, words: Self.packed(memory.shared.base, bytecode))
                return .value(words[ThreadWords.count + call.arguments.count])
            case .spawn, .note, .review, .observe, .progress, .failed:
                return .failed(bytecode.message(of: stop, words))
            }
        }
    }

    // MARK: - The shared words

    /// The shared words that are in use: those of lists only up to their ends.
    private static func packed(_ shared: UnsafePointer<Int>, _ bytecode: Bytecode) -> [Int] {
        bytecode.plainWords.map { shared[$0] }
            + bytecode.listStarts.flatMap { start in (start...start + shared[start]).map { shared[$0] } }
    }

    private func unpack(_ words: [Int]) {
        let shared = memory.shared.base
        var next = 0
        for word in bytecode.plainWords {
            shared[word] = words[next]
            next += 1
        }
        for start in bytecode.listStarts {
            for offset in 0...words[next] { shared[start + offset] = words[next + offset] }
            next += words[next] + 1
        }
    }
}
