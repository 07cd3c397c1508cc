import Trace

/// A small random program with weak stores beside what the search of graphs does not take: conditions, time limits, detached
/// threads, lists, and claims about states on the way.
struct BufferedProgram {
    private(set) var text = ""
    let hasClaims: Bool
    private var generator: SplitMix64
    private var registers = 0

    init(seed: UInt64, hasClaims: Bool = false) {
        self.hasClaims = hasClaims
        generator = SplitMix64(seed: seed)
        let threads = 2 + (number(3) == 0 ? 1 : 0)
        var lines = (0..<threads).map { thread in
            "thread t\(thread) { "
                + (0..<(threads == 2 ? 2 + number(2) : 1 + number(2))).map { _ in statement(thread) }
                .joined(separator: "; ") + " }"
        }
        if number(4) == 0 { lines[0] = lines[0].replacing("{ ", with: "{ detach t1; ") }
        if hasClaims {
            lines.append(pick(["invariant x + y < 2", "invariant x <= y", "expect possible x == 1 && y == 0"]))
        }
        let names = ["d"] + (0..<registers).map { "r\($0)" }
        let shared = "shared " + names.map { "\($0) = 0" }.joined(separator: ", ")
        let objects = ["atomic x = 0, y = 0", "mutex m", "condition c with m", "semaphore s = 0"]
        text = (objects + [shared, "shared q = [0]"] + lines).joined(separator: "\n")
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    private mutating func pick(_ words: [String]) -> String { words[number(words.count)] }

    private mutating func register() -> String {
        registers += 1
        return "r\(registers - 1)"
    }

    private mutating func access(_ thread: Int) -> String {
        let (atomic, order) = (pick(["x", "y"]), pick(["relaxed", "relaxed", "relaxed", "seqcst"]))
        switch number(8) {
        case 0, 1, 2: return "\(atomic).store(\(1 + number(2)), \(order))"
        case 3, 4: return "\(register()) = \(atomic).load(\(order))"
        case 5: return "\(register()) = \(atomic).add(1, \(order))"
        case 6: return "fence(\(pick(["seqcst", "acqRel"])))"
        default: return "lock m { d = \(thread + 1) }"
        }
    }

    private mutating func statement(_ thread: Int) -> String {
        if number(2) == 0 { return access(thread) }
        switch number(9) {
        case 0:
            return "lock m { \(access(thread).replacing("lock m { d = \(thread + 1) }", with: "d = 7")); c.signal() }"
        case 1: return "lock m { if !c.wait(for: 1ms) { \(register()) = 1 } }"
        case 2: return "lock m { c.wait() }"
        case 3: return "c.broadcast()"
        case 4: return "if s.wait(for: \(1 + number(2))ms) { \(register()) = 1 }"
        case 5: return "s.signal()"
        case 6: return "sleep \(1 + number(2))ms"
        case 7: return "await \(pick(["x", "y"])).load(relaxed) \(pick(["== 1", "> 0", "!= 2"]))"
        default: return pick(["lock m { q.append(\(thread)) }", "await x.load(relaxed) > 0 && y.load(relaxed) == 0"])
        }
    }
}
