extension Recipe {
    /// A barrier lets threads continue when as many have come as it is made for (POSIX `pthread_barrier_t`). One of them, the last to
    /// come, is the leader of its round.
    ///
    /// Rounds are counted. To number them 0, 1, 0, 1 is not enough where more threads come than it is made for: while a thread that
    /// has been woken waits for the lock, others can end two more rounds, and it would take the second for its own.
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
