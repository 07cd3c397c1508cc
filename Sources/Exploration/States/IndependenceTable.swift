import Machine

/// Answers that depend on a thread and two components, each computed once.
struct IndependenceTable: ~Copyable {
    private var index = NumberIndex()
    /// The thread, the components, and the answer.
    private var answers = OwnedBuffer<Answer>(capacity: 256)
    private var count = 0

    struct Answer: BitwiseCopyable {
        var thread: UInt32
        var first: UInt32
        var second: UInt32
        var isIndependent: Bool
    }

    /// The answer. Nil: it has to be computed, and set.
    @inline(__always)
    mutating func answer(
        _ thread: Int, _ first: UInt32, _ second: UInt32
    ) -> (number: Int, isIndependent: Bool?) {
        let hash = Self.hash(thread, first, second)
        let thread = UInt32(truncatingIfNeeded: thread)
        let answers = self.answers.base
        let number = index.number(hash, orAdd: count) {
            answers[$0].first == first && answers[$0].second == second && answers[$0].thread == thread
        }
        if number < count { return (number, answers[number].isIndependent) }
        self.answers.reserve(count + 1, keeping: count)
        self.answers[count] = Answer(thread: thread, first: first, second: second, isIndependent: false)
        count += 1
        return (number, nil)
    }

    @inline(__always) private static func hash(_ thread: Int, _ first: UInt32, _ second: UInt32) -> UInt64 {
        var hash = Hash64()
        hash.add(UInt64(first) << 32 | UInt64(second))
        hash.add(UInt64(UInt32(truncatingIfNeeded: thread)))
        return hash.value
    }

    mutating func set(_ number: Int, _ isIndependent: Bool) { answers[number].isIndependent = isIndependent }

    /// In bytes.
    var memory: Int { index.memory + answers.capacity * MemoryLayout<Answer>.stride }
}
