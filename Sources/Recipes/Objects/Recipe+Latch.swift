extension Recipe {
    /// A latch is closed until it has been counted down the given number of times, and open forever after (C++
    /// `std::latch`, Java `CountDownLatch`). Counting down an open latch does nothing, as in Java.
    package static let latch: Recipe = {
        let counted = Value.word(0)
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
}
