import Trace

/// A small random program whose atomics have memory orders of all kinds, with fences and cells between them.
struct WeakProgram {
    private(set) var text = ""
    private var generator: SplitMix64
    private let hasWeakUpdates: Bool
    private let hasLoops: Bool

    /// - Parameters:
    ///   - hasWeakUpdates: whether compare-exchanges are weak, and more frequent.
    ///   - hasLoops: whether threads wait in loops.
    ///   - isSmall: whether it has so few steps that all its executions can be tried one by one.
    init(seed: UInt64, hasWeakUpdates: Bool = false, hasLoops: Bool = false, isSmall: Bool = false) {
        self.hasLoops = hasLoops
        self.hasWeakUpdates = hasWeakUpdates
        generator = SplitMix64(seed: seed)
        let threads = isSmall ? 2 : 2 + number(2)
        let lines = (0..<threads).map { thread in
            "thread t\(thread) { "
                + (0..<2 + (isSmall ? 0 : number(threads == 2 ? 4 : 2))).map { _ in statement() }.joined(
                    separator: "; ") + " }"
        }
        text = (["atomic x = 0, y = 0", "shared a = 0, b = 0, seen = 0"] + lines).joined(separator: "\n")
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    private mutating func pick(_ words: [String]) -> String { words[number(words.count)] }

    private mutating func statement() -> String {
        if hasWeakUpdates && number(2) == 0 {
            return
                "if \(atomic()).weakCompareExchange(\(number(2)), \(1 + number(2)), \(order()), \(loadOrder())) { \(access()) }"
        }
        if hasLoops && number(4) == 0 {
            let fence = pick(["", "yield", "fence(acquire)", "fence(seqcst)"])
            return "while \(atomic()).load(\(loadOrder())) < \(1 + number(2)) { \(fence) }"
        }
        switch number(9) {
        case 0, 1: return access()
        case 2, 3: return "\(atomic()).store(\(1 + number(2)), \(pick(["relaxed", "relaxed", "release", "seqcst"])))"
        case 4: return "\(atomic()).add(1, \(order()))"
        case 5: return "fence(\(pick(["acquire", "release", "acqRel", "seqcst"])))"
        case 6: return "if \(atomic()).compareExchange(\(number(2)), 2, \(order()), \(loadOrder())) { \(access()) }"
        case 7: return "if \(atomic()).load(\(loadOrder())) > 0 { fence(acquire); \(access()) }"
        default: return "if \(atomic()).load(\(loadOrder())) > 0 { \(access()) }"
        }
    }

    private mutating func atomic() -> String { pick(["x", "x", "y"]) }
    private mutating func order() -> String { pick(["relaxed", "acquire", "release", "acqRel", "seqcst"]) }
    private mutating func loadOrder() -> String { pick(["relaxed", "relaxed", "acquire", "seqcst"]) }
    private mutating func access() -> String { pick(["a = 1", "b = 1", "let v\(number(1_000_000)) = a", "b = 2"]) }
}
