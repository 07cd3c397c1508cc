import Trace

/// Makes programs of everything that rules say something about: time limits, waits, writers in line, permits, barriers, onces,
/// weak compare-exchanges and weak orders. As text, because only threadlab's engines read them.
struct RuleProgram {
    private var random: SplitMix64
    private let hasOrders: Bool
    private let themes: Set<Theme>
    private var thread = 0

    private enum Theme: CaseIterable { case memory, mutexes, conditions, sharedLocks, semaphores, built, time }

    /// - Parameter hasOrders: whether operations on atomics have weak orders: then there is little else.
    static func text(seed: UInt64, hasOrders: Bool) -> String {
        var program = RuleProgram(seed, hasOrders)
        return program.make()
    }

    private init(_ seed: UInt64, _ hasOrders: Bool) {
        random = SplitMix64(seed: seed)
        self.hasOrders = hasOrders
        var themes = Set(Theme.allCases.shuffled(using: &random).prefix(2))
        if hasOrders { themes.insert(.memory) }
        self.themes = themes
    }

    private mutating func number(_ bound: Int) -> Int { random.next(below: bound) }
    private mutating func chance(_ percent: Int) -> Bool { number(100) < percent }
    private mutating func one(of values: [String]) -> String { values[number(values.count)] }

    private mutating func make() -> String {
        let count = hasOrders ? 2 : 2 + number(2)
        var lines = [
            "scenario \"rules\"", "atomic a = 0", "atomic b = 0", "atomic seen[3] = 0", "shared x = 0", "mutex m",
            "condition c with m", "\(chance(70) ? "writersFirst " : "")rwlock w", "semaphore s = \(number(2))",
            "once o", "barrier all(\(2 + number(2)))", "latch gate(\(1 + number(2)))",
        ]
        for thread in 0..<count {
            self.thread = thread
            let most = hasOrders || count == 3 ? 2 : 3
            let body = (0..<1 + number(most)).map { _ in statement(deep: false) }
            lines += ["thread t\(thread) {"] + body.map { "    " + $0 } + ["}"]
        }
        let text = lines.joined(separator: "\n") + "\n"
        return Self.declaringOnlyUsed(text)
    }

    /// Without the objects that nothing uses: some have no search by graphs.
    private static func declaringOnlyUsed(_ text: String) -> String {
        let (head, body) = (text.prefix { $0 != "{" }, text.drop { $0 != "{" })
        let uses: [(declared: String, isUsed: Bool)] = [
            ("condition c", body.contains("c.")), ("rwlock w", body.contains("w.") || body.contains("ing w ")),
            ("semaphore s", body.contains("s.")), ("once o", body.contains("once o ")),
            ("barrier all", body.contains("all.")), ("latch gate", body.contains("gate.")),
            ("shared x", body.contains("x ")), ("mutex m", body.contains("lock m") || body.contains("m.")),
        ]
        let kept = head.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            !uses.contains { !$0.isUsed && line.contains($0.declared) }
        }
        return kept.joined(separator: "\n") + body
    }

    // MARK: - Statements

    private mutating func statement(deep isDeep: Bool) -> String {
        if isDeep || hasOrders && chance(70) { return memory() }
        switch themes.sorted(by: { "\($0)" < "\($1)" })[number(themes.count)] {
        case .memory: return memory()
        case .mutexes: return mutex()
        case .conditions: return condition()
        case .sharedLocks: return sharedLock()
        case .semaphores: return semaphore()
        case .built: return built()
        case .time: return "sleep \(1 + number(2))ms"
        }
    }

    private mutating func inner() -> String { statement(deep: true) }
    private mutating func note() -> String { "seen[\(thread)].store(\(1 + number(2)))" }
    private mutating func limit() -> String { "for: \(1 + number(2))ms" }

    /// What happens when a time limit passes, and what otherwise.
    private mutating func attempt(_ call: String, then end: String) -> String {
        "if \(call)(\(limit())) { \(inner()); \(end) } else { \(note()) }"
    }

    private mutating func order(_ orders: [String]) -> String {
        hasOrders && chance(80) ? ", " + one(of: orders) : ""
    }

    private mutating func load() -> String {
        let order = order(["relaxed", "acquire", "acquire", "seqcst"])
        return "\(one(of: ["a", "b"])).load(\(order.dropFirst(2)))"
    }

    private mutating func memory() -> String {
        let place = one(of: ["a", "a", "b"])
        switch number(9) {
        case 0, 1: return "\(place).store(\(1 + number(2))\(order(["relaxed", "release", "release", "seqcst"])))"
        case 2, 3: return "seen[\(thread)].store(\(load())\(order(["relaxed"])))"
        case 4: return "if \(load()) == \(number(2)) { \(note()) }"
        case 5: return "\(place).add(1\(order(["relaxed", "acqRel"])))"
        case 6:
            let kind = chance(60) ? "weakCompareExchange" : "compareExchange"
            let order = order(["relaxed", "acqRel"])
            return "if \(place).\(kind)(expected: \(number(2)), desired: \(1 + number(2))\(order)) { \(note()) }"
        case 7 where !hasOrders: return chance(50) ? "x = x + 1" : "await \(load()) != 0"
        case 8 where !hasOrders: return "while \(load()) == \(number(2)) { yield }"
        default: return "\(place).store(\(1 + number(2)))"
        }
    }

    private mutating func mutex() -> String {
        chance(50) ? "lock m { \(inner()) }" : attempt("m.lock", then: "m.unlock()")
    }

    private mutating func condition() -> String {
        let test = "\(one(of: ["a", "b"])).load() == \(number(2))"
        let wait =
            chance(50)
            ? "c.wait()"
            : chance(60)
                ? "if !c.wait(\(limit())) { \(note()) } else { \(inner()) }" : "c.wait(\(limit()))"
        switch number(5) {
        case 0: return "lock m { while \(test) { \(wait) }; \(inner()) }"
        case 1, 2: return "lock m { if \(test) { \(wait) }; \(inner()) }"
        case 3: return "lock m { \(inner()); c.\(one(of: ["signal", "signal", "broadcast"]))() }"
        default: return "lock m { \(wait) }"
        }
    }

    private mutating func sharedLock() -> String {
        let timed = attempt("w.\(one(of: ["readLock", "writeLock"]))", then: "w.unlock()")
        switch number(5) {
        case 0: return "reading w { \(inner()) }"
        case 1: return "writing w { \(inner()) }"
        case 2: return "reading w { \(timed) }"
        default: return timed
        }
    }

    private mutating func semaphore() -> String {
        switch number(4) {
        case 0: return "s.wait()"
        case 1: return "s.signal()"
        case 2: return "if s.tryWait() { \(inner()) }"
        default: return attempt("s.wait", then: "s.signal()")
        }
    }

    private mutating func built() -> String {
        switch number(5) {
        case 0: return "once o { \(inner()) }"
        case 1: return "if all.wait() { \(note()) }"
        case 2: return "gate.countDown()"
        case 3: return "gate.wait()"
        default: return "once o { \(note()) }"
        }
    }
}
