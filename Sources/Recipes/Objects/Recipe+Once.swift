extension Recipe {
    /// A once lets one thread run a block, and others wait until it is complete (POSIX `pthread_once`). If the block
    /// fails, the once is unused again: the next thread runs its block.
    ///
    /// The thread that runs the block holds the lock meanwhile. A waiting thread thus waits for a known thread, and a
    /// cycle is reported as a deadlock with names.
    package static let once: Recipe = {
        let isDone = Value.word(0)
        let enter: [Statement] = [.lock, .if(isDone == 1, [.unlock, .return(0)]), .return(1)]
        let leave: [Statement] = [.set(isDone, 1), .unlock]
        return Recipe("once", block: Block(enter: enter, leave: leave, abandon: [.unlock]))
    }()
}
