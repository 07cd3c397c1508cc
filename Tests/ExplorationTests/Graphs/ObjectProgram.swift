import Trace

/// A small random program with a lock or a semaphore beside atomics with memory orders.
struct ObjectProgram {
    enum Object: String, CaseIterable {
        case semaphore = "semaphore s = 1"
        case mutex = "mutex m"
        case recursive = "recursive mutex m"
        case checking = "checking mutex m"
        case readersFirst = "rwlock l"
        case writersFirst = "writersFirst rwlock l"
    }

    private(set) var text = ""
    private var generator: SplitMix64
    private let object: Object
    private var registers = 0

    init(seed: UInt64, _ object: Object) {
        self.object = object
        generator = SplitMix64(seed: seed)
        let threads = 2 + number(2)
        let lines = (0..<threads).map { thread in
            "thread t\(thread) { "
                + (0..<(threads == 2 ? 2 + number(2) : 1 + number(2))).map { _ in statement(thread) }
                .joined(separator: "; ") + " }"
        }
        let names = ["d"] + (0..<registers).map { "r\($0)" }
        let shared = "shared " + names.map { "\($0) = 0" }.joined(separator: ", ")
        text = (["atomic x = 0, y = 0", object.rawValue, shared] + lines).joined(separator: "\n")
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    private mutating func pick(_ words: [String]) -> String { words[number(words.count)] }

    private mutating func register() -> String {
        registers += 1
        return "r\(registers - 1)"
    }

    /// An access of memory.
    private mutating func access(_ thread: Int) -> String {
        let (atomic, order) = (pick(["x", "y"]), pick(["relaxed", "relaxed", "relaxed", "seqcst"]))
        switch number(8) {
        case 0, 1, 2: return "\(atomic).store(\(1 + number(2)), \(order))"
        case 3, 4: return "\(register()) = \(atomic).load(\(order))"
        case 5: return "\(register()) = \(atomic).add(1, \(order))"
        case 6: return "if \(atomic).weakCompareExchange(\(number(2)), 2, \(order)) { \(register()) = 1 }"
        default: return "d = \(thread + 1)"
        }
    }

    private mutating func statement(_ thread: Int) -> String {
        if number(3) == 0 { return access(thread) }
        let body = access(thread)
        let other = access(thread)
        switch object {
        case .semaphore:
            return pick(["s.wait()", "s.signal()", "if s.tryWait() { \(body) } else { \(other) }"])
        case .mutex:
            return pick([
                "lock m { \(body) }", "if m.tryLock() { \(body); m.unlock() } else { \(other) }", "m.unlock()",
            ])
        case .recursive, .checking:
            return pick([
                "lock m { \(body) }", "lock m { lock m { \(body) } }",
                "if m.tryLock() { \(body); m.unlock() } else { \(other) }",
            ])
        case .readersFirst, .writersFirst:
            return pick([
                "reading l { \(body) }", "writing l { \(body) }", "writing l { \(body); \(other) }",
                "if l.tryReadLock() { \(body); l.unlock() } else { \(other) }",
                "if l.tryWriteLock() { \(body); l.unlock() } else { \(other) }",
            ])
        }
    }
}
