import Support
import Trace

/// A small random program with cycles of threads on mutexes, joins and conditions beside threads that continue, with
/// failing assertions, and sometimes with an invariant.
struct CutOffProgram {
    private(set) var text = "mutex m, n\ncondition c with m\natomic a = 0, b = 0\n"
    private var generator: SplitMix64
    private let kinds: [Int]
    private let threads: Int

    init(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        kinds = Array((1...6).shuffled(using: &generator).prefix(2)) + [0]
        threads = Int.random(in: 2...4, using: &generator)
        self.generator = generator
        for thread in 0..<threads {
            let steps = (0..<1 + number(threads == 2 ? 4 : 3)).map { _ in step(of: thread) }
            text += "thread t\(thread) { \(steps.joined(separator: "; ")) }\n"
        }
        if number(3) == 0 { text += "invariant a < \(1 + number(2)) || b == \(number(2))\n" }
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    private mutating func one(of lines: [String]) -> String { lines[number(lines.count)] }

    private mutating func step(of thread: Int) -> String {
        switch kinds[number(kinds.count)] {
        case 0: one(of: ["a.add(1)", "b.store(a.load())", "b.add(1)", "a.store(0)"])
        case 1, 2:
            one(of: ["m.lock()", "n.lock()", "lock m { n.lock() }", "lock n { a.add(1); m.lock() }", "m.unlock()"])
        case 3: one(of: ["join t\(number(threads))", "a.add(1)"])
        case 4: one(of: ["lock m { c.wait() }", "c.signal()", "c.broadcast()", "lock n { lock m { c.wait() } }"])
        case 5: one(of: ["assert a.load() != 1", "assert b.load() == 0", "assert false"])
        default: one(of: ["if a.load() == 1 { n.lock() }", "lock m { b.add(1) }", "lock n { assert b.load() != 1 }"])
        }
    }
}
