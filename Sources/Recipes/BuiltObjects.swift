extension Recipe {
    /// Every recipe. A recipe in this list makes its word, members and block part of the `.lab` language.
    package static let all: [Recipe] = [barrier, latch, once]

    /// A barrier lets threads continue when the given number of them have arrived (POSIX `pthread_barrier_t`). One of
    /// them, the last to arrive, is the leader of its round.
    ///
    /// Rounds are counted. Numbering them 0, 1, 0, 1, … would not be enough if more threads use the barrier than its
    /// number: while a woken thread waits for the lock, others can complete another round. The round after that would
    /// have the same number as the thread's own, so the thread would wait again.
    package static let barrier: Recipe = {
        let arrived = Value.word(0)
        let round = Value.word(1)
        let mine = Value.local(0)
        // A condition's number.
        let roundEnds = 0
        let endRound: [Statement] = [
            .set(arrived, 0),
            .set(round, round + 1),
            .broadcast(roundEnds),
            .unlock,
            .return(1),
        ]
        let wait: [Statement] = [
            .lock,
            .set(arrived, arrived + 1),
            .if(arrived == .number, endRound),
            .set(mine, round),
            .while(round == mine, [.wait(roundEnds)]),
            .unlock,
            .return(0),
        ]
        return Recipe(
            "barrier", number: Number("number of threads", least: 1, isOfThreads: true),
            methods: [Method("wait", yieldsTruth: true, wait)])
    }()

    /// A latch is closed until it has been counted down the given number of times, and open forever after (C++
    /// `std::latch`, Java `CountDownLatch`). Counting down an open latch does nothing, as in Java.
    package static let latch: Recipe = {
        let counted = Value.word(0)
        // A condition's number.
        let opens = 0
        let count: [Statement] = [
            .set(counted, counted + 1),
            .if(counted == .number, [.broadcast(opens)]),
        ]
        let countDown: [Statement] = [.lock, .if(counted < .number, count), .unlock]
        let wait: [Statement] = [.lock, .while(counted < .number, [.wait(opens)]), .unlock]
        return Recipe(
            "latch", number: Number("count", least: 0),
            methods: [Method("countDown", countDown), Method("wait", wait)])
    }()

    /// A once lets one thread run a block, and lets others wait until the block is complete (POSIX `pthread_once`). If
    /// the block fails, the next thread runs its own.
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
