import LabProgram
import Machine

/// Runs the code of a compiled program's threads for a search of execution graphs (`GraphSubject`). The search decides
/// what operations return, such as the values that threads read.
package final class GraphProgram {
    let bytecode: Bytecode
    let interpreter: Interpreter
    /// The shared words; then the words of the main thread and of the program's threads.
    private let memory: OwnedBuffer<Int>
    /// By thread: the start of its words.
    private let starts: OwnedBuffer<Int>
    /// By thread: its next operation.
    private let operations: OwnedBuffer<Operation>
    private let stop = Owned(Stop(.ended, line: 0))
    private let ownBrokenClaims: Owned<BrokenClaims>
    @exclusivity(unchecked) private unowned(unsafe) var graph: ExecutionGraph!
    /// The numbers of the program's threads in the order of the search: first those that start by themselves.
    private let order: [Int]
    /// By thread: where the log of its calls begins among the shared words. Nil: the thread has none.
    private let logs: [Int?]
    @exclusivity(unchecked) private var kept = KeptLogs()
    /// By thread: the reason for its failure. Nil: it has not failed.
    @exclusivity(unchecked) private(set) var failures: [Stop?]

    package init(_ bytecode: Bytecode) {
        self.bytecode = bytecode
        let count = bytecode.threads.count + 1
        starts = OwnedBuffer(capacity: count)
        order =
            bytecode.threads.indices.filter { bytecode.threads[$0].seat == 0 }
            + bytecode.threads.indices.filter { bytecode.threads[$0].seat != 0 }
        var next = bytecode.initialWords.count
        for thread in 0..<count {
            starts[thread] = next
            next += bytecode.bodies[Self.body(thread, order, bytecode)].words
        }
        logs = Self.logs(of: bytecode, order)
        memory = OwnedBuffer(repeating: 0, count: next)
        operations = OwnedBuffer(repeating: Operation(.start), count: count)
        failures = Array(repeating: nil, count: count)
        ownBrokenClaims = Owned(BrokenClaims(capacity: bytecode.claims.count))
        interpreter = Interpreter(bytecode, shared: memory.base)
    }

    private static func body(_ thread: Int, _ order: [Int], _ bytecode: Bytecode) -> Int {
        thread == 0 ? bytecode.mainBody : bytecode.threads[order[thread - 1]].body
    }

    private static func logs(of bytecode: Bytecode, _ order: [Int]) -> [Int?] {
        let logs = bytecode.callLogs?.logs ?? []
        return ([bytecode.threads.count] + order).map { number in logs.first { $0.thread == number }?.start }
    }

    /// Restores the log to its contents at the time when the thread's words were kept.
    private func restoreLog(of thread: Int) {
        if let log = logs[thread] { kept.restore(words(of: thread)[ThreadWords.recorded], to: memory.base + log) }
    }

    /// Stores the number of the log's contents in the thread's words.
    private func keepLog(of thread: Int) {
        guard let log = logs[thread] else { return }
        let words = words(of: thread)
        words[ThreadWords.recorded] = kept.number(of: memory.base + log, extending: words[ThreadWords.recorded])
    }

    private func reset(_ thread: Int) {
        let index = thread == 0 ? 0 : bytecode.threads[order[thread - 1]].index
        let body = bytecode.bodies[Self.body(thread, order, bytecode)]
        ThreadWords.begin(memory.base + starts[thread], body, index: index)
        operations[thread] = Operation(.start)
    }
}

extension GraphProgram: GraphSubject {
    package var threadCount: Int { bytecode.threads.count + 1 }
    package var initialWords: [Int] { bytecode.objects.map(\.value) }
    package var haveMessages: [Bool] { bytecode.objects.map { $0.kind != .cell } }
    package var kinds: [ObjectState.Kind] { bytecode.objects.map(\.kind) }

    package var areOrdered: [Bool] {
        let hasAttempts = bytecode.hasAttempts
        return bytecode.objects.map { object in
            switch object.kind {
            case .semaphore, .readersFirstLock, .writersFirstLock, .errorCheckingMutex, .recursiveMutex: true
            // If no thread makes an attempt to lock, a step on a mutex is one event (`lock`, `unlock`) instead of two.
            // A search then takes three quarters of the time.
            case .normalMutex: hasAttempts
            case .condition, .atomic, .cell, .file, .counted, .seat, .other: false
            }
        }
    }

    package var seats: [UInt32] { [0] + order.map { bytecode.threads[$0].seat } }

    package func begin(_ graph: ExecutionGraph) {
        self.graph = graph
        bytecode.reset(memory.base)
        for thread in 0..<threadCount { reset(thread) }
    }

    @inline(always) package func place(ofOperationOf thread: Int) -> UnsafeMutablePointer<Operation> {
        operations.base + thread
    }

    package func complete(_ thread: Int, _ result: Int) -> GraphPause {
        let words = words(of: thread)
        if bytecode.callLogs != nil {
            // The main thread may judge all logs.
            for other in 0..<threadCount where thread == 0 || other == thread { restoreLog(of: other) }
        }
        defer { keepLog(of: thread) }
        if !accept(result, of: operations[thread], words, stop.pointer) {
            if stop.pointee.reason == .ended { return .ended }
            failures[thread] = stop.pointee
            return .failed
        }
        switch proceed(thread, words, operations.base + thread, stop.pointer) {
        case .step: return .operation
        case .end:
            if thread > 0 { return .ended }
            operations[0] = Operation(.exit)
            return .operation
        case .failure:
            failures[thread] = stop.pointee
            return .failed
        }
    }

    @inline(always) package func words(of thread: Int) -> UnsafeMutablePointer<Int> { memory.base + starts[thread] }

    @inline(always) package func wordCount(of thread: Int) -> Int { words(of: thread)[ThreadWords.stack] }

    package func isSame(_ words: UnsafePointer<Int>, _ others: UnsafePointer<Int>, _ count: Int) -> Bool {
        ThreadWords.state.allSatisfy { words[$0] == others[$0] }
            && (ThreadWords.count..<count).allSatisfy { words[$0] == others[$0] }
    }

    package func hasLooped(_ thread: Int) -> Bool {
        let words = words(of: thread)
        defer { words[ThreadWords.hasLooped] = 0 }
        return words[ThreadWords.hasLooped] != 0
    }
}

/// As a host it records nothing, and judges only the claims about the last state.
extension GraphProgram: ProgramHost {
    var time: Int { 0 }

    func word(of object: UInt32) -> Int {
        bytecode.objects[Int(object) - 1].kind != .cell || graph.model == .sc
            ? graph.newestWord(of: object) : graph.word(ofCell: object, seenBy: 0)
    }

    func addThread(_ number: Int, at line: Int) {}
    var seesEachState: Bool { false }
    var brokenClaims: UnsafeMutablePointer<BrokenClaims> { ownBrokenClaims.pointer }
    func note(_ text: CompiledText, _ values: UnsafePointer<Int>, at line: Int) {}
    func noteProgress(of thread: Int, at line: Int) {}
    func noteState(_ claim: CompiledClaim, value: Int) {}
}

extension Engine: GraphSearchable {
    package func makeGraphSubject() -> any GraphSubject { GraphProgram(bytecode) }
}
