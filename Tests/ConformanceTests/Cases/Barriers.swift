import Primitives

extension Case {
    static let barriers: [Case] = [
        Case("B1", "a barrier for no thread is refused") { _ in
            try expectMisuse("invalid-value") { _ = try Barrier(parties: 0) }
            try expectMisuse("invalid-value") { _ = try Barrier(parties: -1) }
        },
        Case("B2", "a barrier for one never blocks, and its thread is the leader each time") { _ in
            let barrier = try Barrier(parties: 1)
            for _ in 0..<10 { try expect(barrier.wait()) }
        },
        Case("B3", "no thread passes before the last has arrived, and it sees what the others did before") { _ in
            try meet()
        },
        Case("B3-fewer", "with one thread too few none passes", endings: [.deadlock]) { _ in
            let barrier = try Barrier(parties: 3)
            let threads = try (0..<2).map { _ in
                try Thread {
                    try barrier.wait()
                    try expect(false, "it is kept")
                }
            }
            for thread in threads { try thread.join() }
        },
        Case("B3-early", "a wait that ends without a signal lets no thread pass", spuriousWakeups: 1) { _ in
            try meet()
        },
        Case("B4", "exactly one thread is the leader, and it can be either", sightings: ["leader 0", "leader 1"]) {
            sightings in
            let barrier = try Barrier(parties: 2)
            let leaders = Atomic(nil, 0)
            let other = try Thread {
                if try barrier.wait() {
                    sightings.saw("leader 1")
                    try leaders.add(1)
                }
            }
            if try barrier.wait() {
                sightings.saw("leader 0")
                try leaders.add(1)
            }
            try other.join()
            try expect(leaders.load() == 1)
        },
        Case(
            "B6", "the leader may replace a barrier at once: threads that leave it do not use it any more",
            search: .some
        ) { _ in
            let current = Plain(try Barrier(parties: 2))
            let between = try Barrier(parties: 2)
            @Sendable func goThroughRounds() throws {
                for _ in 0..<3 {
                    if try current.value.wait() { current.value = try Barrier(parties: 2) }
                    try between.wait()
                }
            }
            let other = try Thread { try goThroughRounds() }
            try goThroughRounds()
            try other.join()
        },
        Case("B5", "a fast thread cannot enter the next round early", search: .some) { _ in
            try goThroughRounds(threads: 3, rounds: 5)
        },
        Case("B5-two", "two threads go through two rounds, and each has one leader") { _ in
            let barrier = try Barrier(parties: 2)
            @Sendable func leads() throws -> Int { try (0..<2).count { _ in try barrier.wait() } }
            let other = try Thread.returning { try leads() }
            let own = try leads()
            try expect(other.join() + own == 2)
        },
        Case("B5-more", "more threads than its number pass in groups", search: .some) { _ in
            let barrier = try Barrier(parties: 2)
            let leaders = Atomic(nil, 0)
            let threads = try (0..<6).map { _ in try Thread { if try barrier.wait() { try leaders.add(1) } } }
            for thread in threads { try thread.join() }
            try expect(leaders.load() == 3)
        },
    ]

    /// Two threads write plain memory, and read each other's after a barrier, which alone orders them.
    private static func meet() throws {
        let barrier = try Barrier(parties: 2)
        let hasCome = (0..<2).map { _ in Shared(nil, false) }
        @Sendable func arrive(_ number: Int) throws {
            try hasCome[number].write(true)
            try barrier.wait()
            try expect(hasCome[1 - number].read())
        }
        let other = try Thread { try arrive(1) }
        try arrive(0)
        try other.join()
    }

    /// All threads go through each round, and a thread finds the others in its own.
    private static func goThroughRounds(threads count: Int, rounds: Int) throws {
        let barrier = try Barrier(parties: count)
        let round = (0..<count).map { _ in Atomic(nil, 0) }
        let leaders = Atomic(nil, 0)
        let threads = try (0..<count).map { number in
            try Thread {
                for present in 1...rounds {
                    try round[number].store(present)
                    if try barrier.wait() { try leaders.add(1) }
                    for other in round { try expect(other.load() >= present, "all have come") }
                    for other in round { try expect(other.load() <= present + 1, "none is a round ahead") }
                }
            }
        }
        for thread in threads { try thread.join() }
        try expect(leaders.load() == rounds)
    }
}
