extension Recipe {
    /// A once lets one thread run a block, and others wait until it is complete (POSIX `pthread_once`). A block that fails leaves
    /// it as if no thread had come: the next one runs the block.
    ///
    /// The thread that runs the block holds the lock meanwhile. So a thread that waits for it waits for a thread that is
    /// known, and a cycle of them is a deadlock with names.
    package static let once: Recipe = {
        let isDone = Value.word(0)
        let enter: [Statement] = [.lock, .if(isDone == 1, [.unlock, .return(0)]), .return(1)]
        let leave: [Statement] = [.set(isDone, 1), .unlock]
        return Recipe("once", block: Block(enter: enter, leave: leave, abandon: [.unlock]))
    }()
}
