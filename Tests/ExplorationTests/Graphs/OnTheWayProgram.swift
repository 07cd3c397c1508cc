import Trace

/// A random program whose claim is about what memory holds on the way, and a machine that knows nothing of threadlab's: x86 as
/// Sewell, Sarkar, Owens, Zappa Nardelli and Myreen describe it (CACM 2010), all of whose executions are tried.
struct OnTheWayProgram {
    private enum Step {
        case store(cell: Int, word: Int, isSeqCst: Bool)
        case load(cell: Int)
        case add(cell: Int)
        case fence
        /// Stores 1 into the last cell, if the thread's last two loads have read these words.
        case report(Int, Int)
    }

    /// The words of cells that must be in memory at the same time. Nil: any word.
    private typealias Pattern = [Int?]

    private static let names = ["x", "y", "z"]
    private var threads: [[Step]] = []
    private var patterns: [Pattern] = []
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        for _ in 0..<2 + number(2) {
            var steps = (0..<1 + number(3)).map { _ in step() }
            if number(2) == 0 {
                steps += [.load(cell: number(2)), .load(cell: number(2)), .report(number(2), number(2))]
            }
            threads.append(steps)
        }
        for _ in 0..<1 + number(2) {
            patterns.append(
                (0..<3).map { $0 < 2 ? (number(4) > 0 ? number(3) : nil) : (number(3) == 0 ? number(2) : nil) })
        }
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func step() -> Step {
        let cell = number(2)
        switch number(8) {
        case 0, 1, 2, 3: return .store(cell: cell, word: 1 + number(2), isSeqCst: number(4) == 0)
        case 4, 5: return .load(cell: cell)
        case 6: return .add(cell: cell)
        default: return .fence
        }
    }

    // MARK: - As text

    var text: String {
        let threads = threads.enumerated().map { number, steps in
            var loads = 0
            let statements = steps.map { text($0, &loads) }
            return "thread t\(number) { " + statements.joined(separator: "; ") + " }"
        }
        let claim = patterns.map { pattern in
            let parts = pattern.enumerated().compactMap { cell, word in word.map { "\(Self.names[cell]) == \($0)" } }
            return parts.isEmpty ? "x == x" : parts.joined(separator: " && ")
        }
        // A relaxed load, so that the program is not one whose models do not differ.
        return
            (["atomic x = 0, y = 0, z = 0"] + threads + ["thread weak { x.load(relaxed) }"]
            + ["expect eventually " + claim.joined(separator: " || ")]).joined(separator: "\n")
    }

    private func text(_ step: Step, _ loads: inout Int) -> String {
        switch step {
        case .store(let cell, let word, let isSeqCst):
            return "\(Self.names[cell]).store(\(word), \(isSeqCst ? "seqcst" : "relaxed"))"
        case .load(let cell):
            loads += 1
            return "let l\(loads) = \(Self.names[cell]).load(relaxed)"
        case .add(let cell): return "\(Self.names[cell]).add(1, relaxed)"
        case .fence: return "fence(seqcst)"
        case .report(let first, let second):
            return "if l\(loads - 1) == \(first) && l\(loads) == \(second) { z.store(1, relaxed) }"
        }
    }

    // MARK: - Its executions

    private struct State: Hashable {
        var memory = [0, 0, 0]
        var next: [Int]
        var loads: [[Int]]
        var buffers: [[[Int]]]
        var isFulfilled = false
    }

    /// Whether the claim is false in all of memory's states of some execution.
    var isBroken: Bool {
        var start = State(
            next: threads.map { _ in 0 }, loads: threads.map { _ in [] }, buffers: threads.map { _ in [] })
        judge(&start)
        var known: Set = [start]
        var open = [start]
        while let state = open.popLast() {
            let successors = successors(state)
            if successors.isEmpty && !state.isFulfilled { return true }
            for next in successors where known.insert(next).inserted { open.append(next) }
        }
        return false
    }

    private func judge(_ state: inout State) {
        let memory = state.memory
        if patterns.contains(where: { zip($0, memory).allSatisfy { $0 == nil || $0 == $1 } }) {
            state.isFulfilled = true
        }
    }

    private func successors(_ state: State) -> [State] {
        threads.indices.flatMap { thread in
            var after: [State] = []
            if !state.buffers[thread].isEmpty {
                var next = state
                let store = next.buffers[thread].removeFirst()
                next.memory[store[0]] = store[1]
                judge(&next)
                after.append(next)
            }
            if let next = stepped(state, thread) { after.append(next) }
            return after
        }
    }

    /// Nil: the thread has ended, or waits until its buffer is empty.
    private func stepped(_ state: State, _ thread: Int) -> State? {
        guard state.next[thread] < threads[thread].count else { return nil }
        var next = state
        next.next[thread] += 1
        switch threads[thread][state.next[thread]] {
        case .store(let cell, let word, isSeqCst: false): next.buffers[thread].append([cell, word])
        case .store(let cell, let word, isSeqCst: true):
            guard state.buffers[thread].isEmpty else { return nil }
            next.memory[cell] = word
        case .add(let cell):
            guard state.buffers[thread].isEmpty else { return nil }
            next.memory[cell] += 1
        case .fence: guard state.buffers[thread].isEmpty else { return nil }
        case .load(let cell):
            next.loads[thread].append(
                state.buffers[thread].last { $0[0] == cell }?[1] ?? state.memory[cell])
        case .report(let first, let second):
            if next.loads[thread].suffix(2) == [first, second] { next.buffers[thread].append([2, 1]) }
        }
        judge(&next)
        return next
    }
}
