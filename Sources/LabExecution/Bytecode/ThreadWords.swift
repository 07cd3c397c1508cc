/// The first words of a thread's memory, by their positions. The thread's frames follow them.
///
/// A saved state of the engine contains the words `state`, and needs no others: each other word follows from the
/// thread's place in memory or from its operation, is a note about the last step, or is used by another host
/// (`recorded`). A new word must belong to one of these groups.
enum ThreadWords {
    /// The words that are part of the state.
    static let state = programCounter...watch

    /// The position of the next instruction in the code.
    static let programCounter = 0
    /// The start of the current frame: its slots; in a function, the return address and the start of the caller's
    /// frame; then the evaluation stack.
    static let frame = 1
    /// The end of the evaluation stack, as a number of words from the start of the thread's memory.
    static let stack = 2
    /// In an `await`, how the next read watches (`Operation.Watch`): `further` if the attempt has already read.
    static let watch = 3

    /// The thread's number in the array that its declaration makes. It is constant while the memory exists.
    static let index = 4

    /// The first argument of the last operation.
    static let argument = 5

    /// A note: whether the thread has begun another round of a loop without a counter since this was last reset.
    static let hasLooped = 6
    /// A note: whether the thread has passed a `progress` since this was last reset.
    static let hasProgressed = 7
    /// The number of the contents of the thread's log, for a host that restores threads by their words (`KeptLogs`).
    static let recorded = 8
    /// How many of these words there are.
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
    /// The position of its first instruction.
    var entry: Int
    /// The number of its slots: local variables, and temporary ones of the compiler.
    var slots: Int
    /// The number of words between the slots of a function's frame and its stack: the return address, and the start of
    /// the caller's frame.
    @inline(__always) static var linkWords: Int { 2 }
    /// The number of words that a thread needs to run it.
    var words = 0
    /// The number of its parameters, which are its first slots.
    var parameters = 0
}
