extension Recipe {
    /// A barrier lets threads continue when the given number of them have arrived (POSIX `pthread_barrier_t`). One of
    /// them, the last to arrive, is the leader of its round.
    ///
    /// Rounds are counted. Numbering them 0, 1, 0, 1 is not enough if more threads use the barrier than its number:
    /// while a woken thread waits for the lock, others can complete two more rounds, and it would mistake the second
    /// for its own.
    package static let barrier: Recipe = {
        let arrived = Value.word(0)
        let round = Value.word(1)
        let mine = Value.local(0)
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
}
