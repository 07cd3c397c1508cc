import Authoring
import Testing
import ThreadLabTesting

@Suite struct ConcurrentlyTests {
    @Test func `the closures run in every order, and their values come back`() throws {
        var seen: Set<[Int]> = []
        let result = try explore(.exhaustive) {
            let turn = Atomic("turn", 0)
            let (a, b) = try concurrently {
                try turn.add(1)
            } and: {
                try turn.add(1)
            }
            seen.insert([a, b])
        }
        #expect(result.triedEveryOrder)
        #expect(seen.count == 2)
    }

    @Test func `three closures, and values of different types`() throws {
        try explore(.exhaustive) {
            let (number, word, _) = try concurrently {
                1
            } and: {
                "one"
            } and: {
            }
            try check(number == 1 && word == "one")
        }
    }

    @Test func `any number of closures, with their numbers`() throws {
        try explore(.exhaustive) { try check(concurrently(3) { $0 * 2 } == [0, 2, 4]) }
        try explore(.exhaustive) { try check(concurrently(0) { $0 }.isEmpty) }
    }

    @Test func `the threads have names`() {
        let text = issueText {
            try explore {
                let (a, b) = (Mutex("a"), Mutex("b"))
                try concurrently {
                    try a.withLock { try b.withLock {} }
                } and: {
                    try b.withLock { try a.withLock {} }
                }
            }
        }
        #expect(text.hasPrefix("deadlock: "))
        #expect(text.contains("first  waits for") || text.contains("second  waits for"))
    }

    @Test func `an error that leaves a closure is the finding`() {
        struct Refused: Error {}
        let text = issueText {
            try explore {
                try concurrently {
                    throw Refused()
                } and: {
                }
            }
        }
        #expect(text.hasPrefix("error: "))
        #expect(text.contains("Refused"))
    }

    @Test func `on real threads they work as well`() throws {
        try run {
            try check(
                concurrently {
                    1
                } and: {
                    2
                } == (1, 2))
        }
    }
}
