import Foundation
import Support
import Trace

/// A small random program with a few kinds of statements of all that the language has, and a thread that another one
/// spawns.
struct MixedProgram {
    private(set) var text: String
    private var generator: SplitMix64
    private let kinds: [Int]
    private let threads: Int

    init(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        kinds = [0] + (1...13).shuffled(using: &generator).prefix(Int.random(in: 2...3, using: &generator))
        threads = Int.random(in: 2...3, using: &generator)
        text = """
            mutex m, n
            checking mutex k
            condition c with m
            semaphore s = \(seed % 2)
            rwlock w
            atomic a = 0, b = 0

            """
        self.generator = generator
        var bodies = (0..<threads).map { _ in steps(1 + number(threads == 2 ? 4 : 3)) }
        let late = steps(1 + number(2))
        if !bodies.contains(where: { $0.contains("spawn late") }) { bodies[0] = "spawn late; " + bodies[0] }
        for (thread, body) in bodies.enumerated() { text += "thread t\(thread) { \(body) }\n" }
        text += "thread late { \(late) }\n"
        if number(3) == 0 { text += "invariant a < \(1 + number(2)) || b == \(number(2))\n" }
        if number(4) == 0 {
            text += "finally { "
            text += one(of: ["assert a.load() != 1", "assert b.load() == 0", "lock n { }", "w.writeLock()"]) + " }\n"
        }
        if number(4) == 0 { text += "expect always a == \(number(2))\n" }
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    private mutating func one(of lines: [String]) -> String { lines[number(lines.count)] }

    private mutating func steps(_ count: Int) -> String {
        (0..<count).map { _ in
            one(of: Self.statements[kinds[number(kinds.count)]]).replacing("tX", with: "t\(number(threads))")
        }
        .joined(separator: "; ")
    }

    private static let statements = [
        ["a.add(1)", "b.store(a.load())", "b.add(1)", "a.store(0)"],
        ["m.lock()", "n.lock()", "lock m { n.lock() }", "lock n { a.add(1); m.lock() }", "m.unlock()"],
        ["k.lock()", "k.unlock()", "if k.tryLock() { }", "lock k { b.add(1) }", "lock m { k.lock() }"],
        ["join tX", "a.add(1)", "detach tX", "join late"],
        [
            "lock m { c.wait() }", "c.signal()", "c.broadcast()", "lock n { lock m { c.wait() } }",
            "lock m { c.signal(); n.lock() }",
        ],
        ["assert a.load() != 1", "assert b.load() == 0", "assert false"],
        ["if a.load() == 1 { n.lock() }", "lock m { b.add(1) }", "lock n { assert b.load() != 1 }"],
        [
            "w.readLock()", "w.writeLock()", "w.unlock()", "if w.tryReadLock() { a.add(1) }",
            "if w.tryWriteLock() { b.add(1); w.unlock() }",
        ],
        ["s.wait()", "s.signal()", "if s.tryWait() { a.add(1) }", "lock m { s.wait() }"],
        ["spawn late", "spawn late; detach late", "detach late", "join late"],
        ["await a.load() > 0", "await b.load() == 1", "b.store(1)", "await s.value > 0"],
        ["b.store(choose(2))", "if choose(2) == 1 { m.lock() }", "yield"],
        ["a.store(1 / (1 - b.load()))", "lock m { lock n { lock m { } } }", "a.compareExchange(0, 2)"],
        ["lock n { w.readLock() }", "w.writeLock(); w.unlock(); n.lock()", "lock m { w.writeLock() }"],
    ]
}
