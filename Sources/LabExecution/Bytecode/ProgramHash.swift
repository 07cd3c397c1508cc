import Machine

/// A number that is equal for equal values of a program's variables and equal positions of its threads.
struct ProgramHash {
    private var hash = StateHash()

    /// - Parameter words: the shared words.
    init(_ bytecode: Bytecode, shared words: UnsafeMutablePointer<Int>) {
        for word in bytecode.plainWords { hash.add(words[word]) }
        for start in bytecode.listStarts {
            for word in start...start + words[start] { hash.add(words[word]) }
        }
    }

    /// Adds a thread that has not ended, in the order of the threads.
    mutating func add(_ thread: UnsafeMutablePointer<Int>) {
        // The last operation's argument is part of the thread's next operation, if it still matters.
        for word in ThreadWords.state { hash.add(thread[word]) }
        hash.add(thread[ThreadWords.index])
        for word in ThreadWords.count..<thread[ThreadWords.stack] { hash.add(thread[word]) }
    }

    var value: UInt64 { hash.value }
}
