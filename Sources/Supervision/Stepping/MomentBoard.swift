import Machine
import Synchronization

/// Memory in which the process of a run notes each decision, so that they are known even of a run that crashes.
///
/// A decision is a row of words: its length, `Moment`'s numbers, a word for each thread, and the waiters of signals.
final class MomentBoard: Sendable {
    private struct Header: ~Copyable {
        let used = Atomic(0)
    }

    private let memory: SharedMemory
    /// In words. Pages that are not touched use no memory.
    private static let capacity = 1 << 25
    private static let headerSize = 64

    init() throws(SupervisionFailed) {
        memory = try SharedMemory(
            size: Self.headerSize + Self.capacity * MemoryLayout<Int>.stride, for: "the decisions of a run")
        memory.bytes.bindMemory(to: Header.self).baseAddress!.initialize(to: Header())
    }

    private var header: UnsafeMutablePointer<Header> {
        memory.bytes.baseAddress!.assumingMemoryBound(to: Header.self)
    }

    private var words: UnsafeMutablePointer<Int> {
        (memory.bytes.baseAddress! + Self.headerSize).assumingMemoryBound(to: Int.self)
    }

    // MARK: - In the run's process

    /// - Returns: false if there is no room left.
    func append(choices: Int, events: Int, isQuiet: Bool, _ state: MachineState) -> Bool {
        let start = header.pointee.used.load(ordering: .relaxed)
        // Each thread has a word, and may be in the lists of all signals that are about to be sent.
        let longest = MomentList.headLength + state.threadCount * (state.threadCount + 3)
        guard start + longest <= Self.capacity else { return false }
        let row = words + start
        row[1] = choices
        row[2] = events
        row[3] = isQuiet ? 1 : 0
        row[4] = state.threadCount
        var end = MomentList.headLength + state.threadCount
        for thread in 0..<state.threadCount {
            let ways = state.alternatives(of: thread)
            row[MomentList.headLength + thread] = MomentList.pack(thread, ways, state)
            let operation = state.operation(of: thread)
            guard ways > 1, operation.kind == .signal else { continue }
            for waiter in state.waiters(on: operation.object).prefix(ways) {
                row[end] = waiter
                end += 1
            }
        }
        row[0] = end
        header.pointee.used.store(start + end, ordering: .releasing)
        return true
    }

    // MARK: - In the other one

    /// A copy of what was noted. The run's process may have overwritten it with anything.
    var list: MomentList {
        let used = min(max(0, header.pointee.used.load(ordering: .acquiring)), Self.capacity)
        return MomentList(Array(UnsafeBufferPointer(start: words, count: used)))
    }
}
