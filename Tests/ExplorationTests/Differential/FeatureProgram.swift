import Support
import Trace

/// A small random program of what the counter in `Tests/Oracle` does not support: time limits, `await`, choices,
/// read-write locks that prefer writers, threads that are detached, and assertions that fail.
struct FeatureProgram {
    let seed: UInt64
    private(set) var text = """
        shared x = 0
        atomic a = 0, b = 0
        mutex m, n
        semaphore s = 1
        writersFirst rwlock w
        condition c with m

        """
    private var generator: SplitMix64
    private var kinds: [Int] = []
    private var budget = 0
    private var isInLock = false
    private var isInCondition = false

    /// - Parameter size: how many statements each of two threads has; of three, half as many.
    init(seed: UInt64, size: Int = 4) {
        self.seed = seed
        generator = SplitMix64(seed: seed)
        kinds = Array(Array(0..<8).shuffled(using: &generator).prefix(2 + number(2)))
        let threads = 2 + number(2)
        for thread in 0..<threads {
            budget = threads == 2 ? size : max(1, size / 2)
            text += "thread t\(thread) {\n"
            while budget > 0 { text += statement("    ") }
            text += "}\n"
        }
        if number(5) == 0 { text += "thread boss { detach t0; a.store(5) }\n" }
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func block(_ head: String, _ indent: String) -> String {
        "\(indent)\(head) {\n\(statement(indent + "    "))\(indent)}\n"
    }

    private mutating func statement(_ indent: String) -> String {
        budget -= 1
        switch kinds[number(kinds.count)] {
        case 0:
            return indent
                + ["x = x + 1", "a.add(1)", "b.store(a.load())", "x = \(number(3))", "a.compareExchange(0, 2)"][
                    number(5)] + "\n"
        case 1:
            return number(2) == 0
                ? "\(indent)if m.lock(for: \(1 + number(2))ms) { b.add(1); m.unlock() }\n" : locked("lock n", indent)
        case 2:
            return indent
                + ["s.wait()", "s.signal()", "if s.wait(for: 1ms) { a.add(1) }", "sleep \(1 + number(2))ms"][number(4)]
                + "\n"
        case 3: return locked(["reading w", "writing w", "writing w"][number(3)], indent)
        case 4:
            return indent
                + ["await a.load() > 0", "a.add(1)", "await b.load() == 0 || a.load() == 1", "b.store(1)"][number(4)]
                + "\n"
        case 5: return indent + ["x = choose(2)", "b.add(choose(3))", "a.store(choose(2))"][number(3)] + "\n"
        case 6:
            if isInCondition { return "\(indent)c.signal()\n" }
            isInCondition = true
            defer { isInCondition = false }
            let act = ["c.wait()", "c.signal()", "c.broadcast()", "if !c.wait(for: 1ms) { b.add(1) }"][number(4)]
            return "\(indent)lock m {\n\(indent)    \(act)\n\(indent)}\n"
        default: return "\(indent)assert a.load() < 2 || b.load() != 1\n"
        }
    }

    private mutating func locked(_ head: String, _ indent: String) -> String {
        if isInLock { return "\(indent)a.add(1)\n" }
        isInLock = true
        defer { isInLock = false }
        return block(head, indent)
    }
}
