import Trace

/// A small random program whose threads wait in loops, and do something in each round of them.
struct WeakLoopProgram {
    /// Rounds of its loops have no limit.
    var text: String { template.replacing("¶", with: "").replacing("§", with: "") }

    /// The same program, but a thread that would begin a third round of a loop waits forever instead. It has no state twice in a
    /// loop, so no search leaves out a round; and each way in which it completes is one of the program's.
    var limited: String {
        var (text, number) = ("", 0)
        for part in template.split(separator: "¶", omittingEmptySubsequences: false) {
            if number > 0 { text += "var n\(number) = 0; " }
            text += part.replacing(
                "§", with: "if n\(number) == 2 { await never.load(relaxed) == 1 }; n\(number) += 1; ")
            number += 1
        }
        return text
    }

    /// `¶` comes before a loop, and `§` is at the beginning of each of its rounds.
    private var template = ""
    private var generator: SplitMix64
    private var registers = 0
    private let hasLocks: Bool

    init(seed: UInt64, hasLocks: Bool = false) {
        self.hasLocks = hasLocks
        generator = SplitMix64(seed: seed)
        let lines = (0..<2 + (number(3) == 0 ? 1 : 0)).map { thread in
            "thread t\(thread) { \(statements(thread)) }"
        }
        let names = ["d"] + (0..<registers).map { "r\($0)" }
        let shared = "shared " + names.map { "\($0) = 0" }.joined(separator: ", ")
        template = (["atomic x = 0, y = 0, never = 0", "mutex m", shared] + lines).joined(separator: "\n")
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    private mutating func pick(_ words: [String]) -> String { words[number(words.count)] }
    private mutating func atomic() -> String { pick(["x", "x", "y"]) }
    private mutating func order() -> String { pick(["relaxed", "relaxed", "acquire", "release", "acqRel", "seqcst"]) }
    private mutating func loadOrder() -> String { pick(["relaxed", "relaxed", "acquire", "seqcst"]) }
    private mutating func storeOrder() -> String { pick(["relaxed", "relaxed", "release", "seqcst"]) }

    /// A cell that only this place uses.
    private mutating func register() -> String {
        registers += 1
        return "r\(registers - 1)"
    }

    /// The first threads loop, and the last one rather does what they wait for.
    private mutating func statements(_ thread: Int) -> String {
        let loops = thread == 0 || number(3) == 0
        var parts = (0..<1 + number(2)).map { _ in step() }
        if loops { parts.insert(loop(), at: number(parts.count + 1)) }
        return parts.joined(separator: "; ")
    }

    private mutating func step() -> String {
        switch number(9) {
        case 0...3: "\(atomic()).store(\(1 + number(2)), \(storeOrder()))"
        case 4: "\(register()) = \(atomic()).load(\(loadOrder()))"
        case 5: "\(atomic()).add(1, \(order()))"
        case 6: "fence(\(pick(["acquire", "release", "acqRel", "seqcst"])))"
        case 7: pick(["d = 1", "d = 2", "let v\(number(1_000_000)) = d"])
        default: "lock m { d = \(1 + number(2)) }"
        }
    }

    private mutating func loop() -> String {
        let condition = pick([
            "\(atomic()).load(\(loadOrder())) < \(1 + number(2))", "\(atomic()).load(\(loadOrder())) == 0",
            "!\(atomic()).compareExchange(\(1 + number(2)), 3, \(order()), \(loadOrder()))",
        ])
        let body = (0..<1 + number(2)).map { _ in inLoop() }.joined(separator: "; ")
        return "¶while \(condition) { §\(body) }"
    }

    private func read(_ cell: String, into other: String) -> String { "\(other) = \(cell)" }

    private func change(_ cell: String) -> String { "\(cell) = 1 - \(cell)" }

    private mutating func inLoop() -> String {
        switch number(hasLocks ? 14 : 11) {
        case 0: return "\(register()) = 1"
        case 1: return "\(register()) = \(atomic()).load(\(loadOrder()))"
        case 2: return read(register(), into: register())
        case 3: return pick(["d = 1", "d = 2", "\(register()) = d"])
        case 4: return "await \(atomic()).load(\(loadOrder())) > \(number(2))"
        case 5:
            return
                "if \(atomic()).compareExchange(\(1 + number(2)), 3, \(order()), \(loadOrder())) { \(pick(["d = 1", "\(register()) = 1", "break"])) }"
        case 11: return "if m.tryLock() { m.unlock() }"
        case 12:
            return
                "if m.tryLock() { \(pick(["d = 1", "\(register()) = 1", "\(atomic()).store(1, \(storeOrder()))"])); m.unlock() }"
        case 6: return "yield"
        case 7: return "fence(\(pick(["acquire", "release", "acqRel", "seqcst"])))"
        case 8:
            return
                "if \(atomic()).load(\(loadOrder())) > 0 { \(pick(["d = 1", "\(register()) = 1", "break", "fence(acquire); \(register()) = d"])) }"
        case 9: return change(register())
        case 13: return "lock m { \(register()) = 1 }"
        default: return "if \(atomic()).load(\(loadOrder())) == 1 { \(register()) = 1 } else { \(register()) = 2 }"
        }
    }
}
