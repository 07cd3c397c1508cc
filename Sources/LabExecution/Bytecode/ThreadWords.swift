/// The words of a thread, at the beginning of its memory. Its frames follow.
///
/// What is written down of a state is `state`, and nothing else has to be: each other word follows from the thread's
/// place in memory or from its operation, or is a note about the last step. Another word belongs to one of these groups.
enum ThreadWords {
    /// The words that are part of the state.
    static let state = programCounter...watch

    /// The next instruction.
    static let programCounter = 0
    /// The start of the present frame: its slots, then the return address and the caller's frame, then the evaluation
    /// stack.
    static let frame = 1
    /// The end of the evaluation stack.
    static let stack = 2
    /// For an `await`: how the next read watches (`Operation.Watch`). Zero: there was a read.
    static let watch = 3

    /// The number in its array of the declared thread whose memory this is: the same as long as the memory exists.
    static let index = 4

    /// The first argument of the last operation.
    static let argument = 5

    /// Whether the thread has begun another round of an uncounted loop, since this was last reset. A note.
    static let hasLooped = 6
    /// Whether the thread has passed a `progress`, since this was last reset. A note.
    static let hasProgressed = 7
    /// What is in the log of the thread's calls, for a host that puts threads back by their words: see `KeptLogs`.
    static let recorded = 8
    static let count = 9

    /// Resets the words to those of a thread that has not started.
    static func begin(_ words: UnsafeMutablePointer<Int>, _ body: CompiledBody, index: Int) {
        words.initialize(repeating: 0, count: count + body.slots)
        words[programCounter] = body.entry
        words[frame] = count
        words[stack] = count + body.slots
        words[self.index] = index
    }
}

/// The code of a kind of thread, or of a function.
struct CompiledBody {
    /// Its first instruction.
    var entry: Int
    var slots: Int
    /// The words that a thread needs to run it.
    var words = 0
    var parameters = 0
}
