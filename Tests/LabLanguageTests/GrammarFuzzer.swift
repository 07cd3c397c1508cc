import Support
import Trace

/// Writes programs that follow the grammar and mostly the types, in strange shapes: line ends, spaces and comments
/// anywhere.
struct GrammarFuzzer {
    private var generator: SplitMix64
    private var depth = 0
    private var variables = 0

    init(_ generator: SplitMix64) { self.generator = generator }

    mutating func program() -> String {
        let head = """
            scenario "fuzz"
            parameter n = 2 in 1...4
            shared x = 0, cells[3] = [1, 2, 3], flag = true, list = [1]
            atomic a = 0, bit = false
            mutex m, forks[2]
            recursive mutex again
            rwlock r
            semaphore s = 1
            condition c with m
            barrier b(2)
            latch l(2)
            once o
            func twice(value: Int) -> Int { return value * 2 }

            """
        let threads = (0..<roll(1, 3)).map { "thread t\($0)[n]\(gap())\(block())\n" }.joined()
        let child =
            roll(0, 1) == 0
            ? "" : "thread child[2] \(block())\nthread parent { spawn child; \(pick(["join", "detach"])) child }\n"
        let finally = roll(0, 1) == 0 ? "" : "finally\(gap())\(block(isThread: false))\n"
        let expectations = [
            "expect race,\(space())lock-order", "expect always x < 1000", "expect never list.count > 9",
            "expect outcomes { x == 1; x == 2 }", "expect warning\(space()) starvation,\(space())lock-order, TL406",
            "invariant\(space()) x < 3", "expect eventually x == 1\nexpect starvation",
        ]
        return head + threads + child + finally + pick(expectations) + comment()
    }

    // MARK: - Chance

    private mutating func roll(_ lower: Int, _ upper: Int) -> Int { Int.random(in: lower...upper, using: &generator) }
    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &generator)! }

    private mutating func space() -> String { pick(["", " ", " ", "  ", "\t"]) }
    /// Where a line may end.
    private mutating func gap() -> String { pick([" ", " ", " ", "", "\n", " // gap\n"]) }
    private mutating func comment() -> String { pick(["", "", "", " // comment", " //"]) + "\n" }
    private mutating func end() -> String {
        pick(["\n", "\n", "\n\n\n", ";", "; ", " ;\n", " // end\n", "\n// line\n", "\n;;"])
    }

    // MARK: - Statements

    private mutating func block(isThread: Bool = true) -> String {
        depth += 1
        defer { depth -= 1 }
        let count = depth > 4 ? roll(0, 1) : roll(0, 4)
        let statements = (0..<count).map { _ in statement(isThread) + end() }.joined()
        return pick(["{", "{ ", "{\n", "{ // open\n"]) + statements + pick(["}", " }", "\n}"])
    }

    private mutating func statement(_ isThread: Bool) -> String {
        switch roll(0, depth > 4 ? 11 : 19) {
        case 0: return "x\(space())=\(gap())\(number())"
        case 1: return "x \(pick(["+=", "-=", "*=", "|=", "^="])) \(number())"
        case 2: return "cells[\(subscripted())] = \(number())"
        case 3:
            variables += 1
            let value = pick([
                "choose(3)", "list.removeFirst()", "a.exchange(1)", "a.add(1, relaxed)",
                "a.compareExchange(0, n, acqRel, relaxed)",
                "min(x, 2)", "max(1, x, n)", "abs(-x)",
                "s.wait(for: 2ms)",
            ])
            return "let v\(variables) = \(value)"
        case 4:
            return pick([
                "m.lock()", "m.unlock()", "c.wait()", "c.signal()", "c.broadcast()", "s.wait()", "s.signal()",
                "b.wait()", "r.readLock()", "r.unlock()", "lock m { while x == 0 { c.wait(for: 1ms) } }",
                "lock m { c.wait() }",
            ])
        case 5: return "list.append(\(number()))"
        case 6: return pick(["a.store(\(number()))", "a.store(\(number()), release)", "fence(acqRel)"])
        case 7: return "note \"v \\(x +\(space())(\(pick(["1", "-1", "cells[n]"])))) \\n\""
        case 8: return "assert \(truth()) || \(pick(["flag", "true"]))\(pick(["", ", \"text\""]))"
        case 9: return "await a.load(\(pick(["", "acquire"]))) == \(pick(["0", "1", "x", "n - 1", "cells[1]"]))"
        case 10: return pick(["yield", "sleep 5ms", "sleep 1.5s * n"])
        case 11: return "list[0] -= \(number())"
        case 12: return "if \(truth()) \(block(isThread: isThread))\(gap())else\(gap())\(block(isThread: isThread))"
        case 13:
            return "if \(truth())\(gap())\(block(isThread: isThread)) else if \(truth()) \(block(isThread: isThread))"
        case 14: return "while \(truth()) \(block(isThread: isThread))"
        case 15:
            variables += 1
            return "for i\(variables) in \(number())\(pick(["...", "..<"]))\(number()) \(block(isThread: isThread))"
        case 16: return "repeat \(number()) \(block(isThread: isThread))"
        case 17: return "lock \(pick(["m", "forks[1]", "again"])) \(block(isThread: isThread))"
        case 18: return "\(pick(["reading r", "writing r", "once o"]))\(gap())\(block(isThread: isThread))"
        default: return "if m.lock(for:\(space())1ms) \(block(isThread: isThread))"
        }
    }

    // MARK: - Expressions

    private mutating func number() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 8 else { return pick(["1", "x", "n"]) }
        switch roll(0, 12) {
        case 0, 1, 2: return pick(["0", "1", "x", "n", "-1", "0xFF", "1_000"])
        case 3: return pick(["cells[0]", "list[0]", "list.count", "a.load()", "s.value"])
        case 4: return "twice(\(number()))"
        case 5: return "(\(number()))"
        case 6: return "-\(pick(["x", "(1 + x)", "(-x)"]))"
        case 7: return "~\(number())"
        case 8: return "cells[\(subscripted())]"
        default:
            // A sign on a new line continues the expression only with a space after it.
            let sign = pick(["+", "-", "*", "&", "|", "^"])
            return "\(number())\(pick([" ", "\n", " // sum\n"]))\(sign)\(pick([" ", "\n"]))\(number())"
        }
    }

    /// Most are in bounds, so that runs get somewhere.
    private mutating func subscripted() -> String { roll(0, 9) == 0 ? number() : "(\(number())) & 1" }

    private mutating func truth() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 8 else { return "flag" }
        switch roll(0, 7) {
        case 0: return pick(["true", "false", "flag", "bit.load()", "list.isEmpty", "m.tryLock()"])
        case 1: return "!(\(truth()))"
        case 2, 3: return "\(truth())\(gap())&&\(gap())\(truth())"
        case 4: return "(\(truth()) ||\(gap())\(truth()))"
        case 5: return "list == [\(number()),\(space())2]"
        default: return "(\(number()))\(space())\(pick(["==", "!=", "<", "<=", ">", ">="]))\(space())(\(number()))"
        }
    }
}
