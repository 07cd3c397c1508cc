import Support
import Trace

/// A small random program in which threads end the run early in every possible way: failed assertions, errors, misuse,
/// cycles of threads, and a process that ends while threads are left.
struct EarlyEndProgram {
    let seed: UInt64
    private(set) var text = """
        atomic a = 0, b = 0
        mutex m, n
        checking mutex k
        semaphore s = 1

        """
    private var generator: SplitMix64
    private var kinds: [Int] = []
    private var held: Set<String> = []
    private let spawns: Bool

    init(seed: UInt64) {
        self.seed = seed
        var generator = SplitMix64(seed: seed)
        spawns = Int.random(in: 0..<3, using: &generator) == 0
        self.generator = generator
        kinds = Array((1...(spawns ? 6 : 5)).shuffled(using: &self.generator).prefix(1 + number(2))) + [0]
        if spawns { kinds.append(6) }
        let threads = 2 + number(2)
        for thread in 0..<threads {
            text += "thread t\(thread) {\n"
            for _ in 0..<(threads == 2 ? 2 + number(3) : 1 + number(3)) { text += statement("    ") }
            text += "}\n"
        }
        if spawns { text += "thread late {\n\(statement("    "))\(statement("    "))}\n" }
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    private mutating func one(of lines: [String]) -> String { lines[number(lines.count)] }

    private mutating func statement(_ indent: String) -> String {
        switch kinds[number(kinds.count)] {
        case 0:
            return indent + one(of: ["a.add(1)", "b.store(a.load())", "a.compareExchange(0, 2)", "b.add(1)", "yield"])
                + "\n"
        case 1:
            return indent
                + one(of: ["assert a.load() != 1", "assert b.load() == 0", "if a.load() == 1 { assert b.load() > 0 }"])
                + "\n"
        case 2: return indent + one(of: ["b.store(1 / (1 - a.load()))", "a.store(1 % b.load())"]) + "\n"
        case 3:
            return indent
                + one(of: [
                    "k.unlock()", "m.unlock()", "k.lock()", "s.wait()", "if k.tryLock() { }",
                ]) + "\n"
        case 4:
            let lock = one(of: ["m", "n", "k"])
            if held.contains(lock) && number(3) > 0 { return "\(indent)a.add(1)\n" }
            let isNew = held.insert(lock).inserted
            defer { if isNew { held.remove(lock) } }
            return "\(indent)lock \(lock) {\n\(statement(indent + "    "))\(indent)}\n"
        case 5:
            return indent
                + one(of: [
                    "await a.load() > 0", "b.store(choose(2))", "sleep 1ms", "if s.wait(for: 1ms) { a.add(1) }",
                    "if m.lock(for: 1ms) { b.add(1); m.unlock() }", "s.signal()",
                ]) + "\n"
        default: return indent + one(of: ["spawn late", "join late", "detach late", "spawn late; detach late"]) + "\n"
        }
    }
}
