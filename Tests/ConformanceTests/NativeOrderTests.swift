import Primitives
import Support
import Testing
import Trace

/// Programs whose threads are ordered only by atomics. None of them has a race, so none may be found, whenever threads
/// lose their processors.
@Suite(.serialized) struct NativeOrderTests {
    /// Each hand-over on a busy machine takes as long as all others compute.
    static let rounds = Extent.isWhole ? 1_000 : 200

    struct Program: Sendable, CustomTestStringConvertible {
        let name: String
        let body: @Sendable () throws -> Void
        var testDescription: String { name }
    }

    @Test(arguments: programs)
    func `no race is found where atomics order the threads`(_ program: Program) {
        let result = Native().run(program.body)
        #expect(result.ending == .completed, "\(result.story.suffix(2_000))")
        #expect(!result.hasRace, "a data race in \(program.name)")
    }

    @Test func `a race on real threads is found, whichever access comes first`() {
        for _ in 0..<5 {
            let result = Native().run {
                let (flag, x) = (Atomic("flag", 0), Shared("x", 0))
                try both { thread in
                    try flag.store(thread)
                    for _ in 0..<50 { try x.update { $0 + 1 } }
                }
            }
            #expect(result.hasRace)
        }
    }

    /// Runs the body on two threads, with 0 and 1, and waits for both.
    private static func both(_ body: @escaping @Sendable (Int) throws -> Void) throws {
        let threads = try [0, 1].map { number in try Thread("t\(number)") { try body(number) } }
        for thread in threads { try thread.join() }
    }

    private func both(_ body: @escaping @Sendable (Int) throws -> Void) throws { try Self.both(body) }

    private static func wait(until condition: () throws -> Bool) throws {
        while try !condition() { try Thread.yield() }
    }

    static let programs: [Program] = [
        Program(name: "ping-pong") {
            let (turn, x) = (Atomic("turn", 0), Shared("x", 0))
            try both { thread in
                for round in 0..<rounds {
                    try wait { try turn.load() == 2 * round + thread }
                    try x.update { $0 + 1 }
                    try turn.add(1)
                }
            }
            guard try x.read() == 2 * rounds else { throw Wrong() }
        },
        Program(name: "exchange lock") {
            let (lock, x) = (Atomic("lock", 0), Shared("x", 0))
            try both { _ in
                for _ in 0..<rounds {
                    try wait { try lock.exchange(1) == 0 }
                    try x.update { $0 + 1 }
                    try lock.store(0)
                }
            }
            guard try x.read() == 2 * rounds else { throw Wrong() }
        },
        Program(name: "ticket lock") {
            let (next, serving, x) = (Atomic("next", 0), Atomic("serving", 0), Shared("x", 0))
            try both { _ in
                for _ in 0..<rounds {
                    let ticket = try next.add(1)
                    try wait { try serving.load() == ticket }
                    try x.update { $0 + 1 }
                    try serving.store(ticket + 1)
                }
            }
            guard try x.read() == 2 * rounds else { throw Wrong() }
        },
        Program(name: "ring of one producer and one consumer") {
            let (head, tail) = (Atomic("head", 0), Atomic("tail", 0))
            let slots = (0..<4).map { Shared("slot \($0)", 0) }
            try both { thread in
                for round in 0..<rounds {
                    if thread == 0 {
                        try wait { try (tail.load() + 1) % 4 != head.load() }
                        let place = try tail.load()
                        try slots[place].write(round)
                        try tail.store((place + 1) % 4)
                    } else {
                        try wait { try tail.load() != head.load() }
                        let place = try head.load()
                        guard try slots[place].read() == round else { throw Wrong() }
                        try head.store((place + 1) % 4)
                    }
                }
            }
        },
        Program(name: "Treiber's stack") {
            // The top is a number of changes and an index: so no two tops are the same.
            let top = Atomic("top", 2)
            let next = [Atomic("next 0", 0), Atomic("next 1", 0), Atomic("next 2", 1)]
            let data = (0...2).map { Shared("data \($0)", 0) }
            try both { _ in
                for _ in 0..<rounds {
                    var node = 0
                    try wait {
                        let old = try top.load()
                        node = old & 0xFF
                        guard node > 0 else { return false }
                        let new = try (old >> 8 + 1) << 8 | next[node].load()
                        return try top.compareExchange(expected: old, desired: new).exchanged
                    }
                    try data[node].update { $0 + 1 }
                    try wait {
                        let old = try top.load()
                        try next[node].store(old & 0xFF)
                        return try top.compareExchange(expected: old, desired: (old >> 8 + 1) << 8 | node).exchanged
                    }
                }
            }
            guard try data[1].read() + data[2].read() == 2 * rounds else { throw Wrong() }
        },
        Program(name: "Peterson's lock") {
            let flags = [Atomic("flag 0", 0), Atomic("flag 1", 0)]
            let (turn, x) = (Atomic("turn", 0), Shared("x", 0))
            try both { thread in
                for _ in 0..<rounds {
                    try flags[thread].store(1)
                    try turn.store(1 - thread)
                    try wait { try flags[1 - thread].load() == 0 || turn.load() == thread }
                    try x.update { $0 + 1 }
                    try flags[thread].store(0)
                }
            }
            guard try x.read() == 2 * rounds else { throw Wrong() }
        },
        Program(name: "sequence lock") {
            let (sequence, a, b) = (Atomic("sequence", 0), Atomic("a", 0), Atomic("b", 0))
            let last = Shared("last", 0)
            try both { thread in
                for round in 1...rounds {
                    if thread == 0 {
                        try sequence.add(1)
                        try a.store(round)
                        try b.store(round)
                        if round == rounds { try last.write(round) }
                        try sequence.add(1)
                    } else {
                        var seen = 0
                        try wait {
                            let before = try sequence.load()
                            let values = try (a.load(), b.load())
                            guard before % 2 == 0, try sequence.load() == before else { return false }
                            guard values.0 == values.1 else { throw Wrong() }
                            seen = values.0
                            return true
                        }
                        if seen == rounds, try last.read() != rounds { throw Wrong() }
                    }
                }
            }
        },
    ]

    private struct Wrong: Error {}
}
