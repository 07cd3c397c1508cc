import Support
import Trace

/// A small random program whose threads wait for values of atomics and of semaphores.
struct AwaitProgram {
    let seed: UInt64
    private(set) var text = """
        atomic a = 0, b = 0, pair[2] = 0, flag = false
        shared x = 0
        semaphore s = 1
        mutex m

        """
    private var generator: SplitMix64
    private var kinds: [Int] = []

    init(seed: UInt64, statements: Int = 3) {
        self.seed = seed
        generator = SplitMix64(seed: seed)
        kinds = Array(Array(0..<Self.kindCount).shuffled(using: &generator).prefix(2 + number(3)))
        let threads = 2 + number(3)
        for thread in 0..<threads {
            text += "thread t\(thread) {\n"
            for _ in 0..<(threads == 2 ? statements + 1 : threads == 3 ? statements : max(1, statements - 1)) {
                text += "    \(statement)\n"
            }
            text += "}\n"
        }
        // Its return ends the process, with threads that still wait.
        if number(4) == 0 { text += "thread boss { detach t0; detach t1 }\n" }
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private static let kindCount = 7

    private var statement: String {
        mutating get {
            let value = number(3)
            switch kinds[number(kinds.count)] {
            case 0:
                let sign = ["==", "!=", "<", "<=", ">", ">="][number(6)]
                return number(2) == 0 ? "await a.load() \(sign) \(value)" : "await \(value) \(sign) b.load()"
            case 1:
                return ["a.add(1)", "a.store(\(value))", "b.store(\(value))", "b.add(a.load())"][number(4)]
            case 2:
                return ["await flag.load()", "await !flag.load()", "flag.store(true)", "flag.store(false)"][number(4)]
            case 3:
                return ["await s.value > 0", "await s.value == \(value)", "s.signal()", "s.wait()"][number(4)]
            case 4:
                let other = number(2)
                return [
                    "await pair[\(other)].load() == \(value)", "pair[\(other)].store(\(value))",
                    "let v\(number(1_000_000)) = pair[\(other)].add(1)", "await a.load() == pair[0].load()",
                ][number(4)]
            case 5:
                return [
                    "lock m { await a.load() > 0 }", "lock m { a.add(1) }", "sleep \(1 + value)ms",
                    "await x == \(value)", "x = \(value)",
                ][number(5)]
            default:
                let ticket = "v\(number(1_000_000))"
                return [
                    "assert a.load() < 2", "a.compareExchange(0, 2)", "await b.load() == 0 || a.load() == 1",
                    "let \(ticket) = a.add(1); await b.load() == \(ticket); b.add(1)",
                ][number(4)]
            }
        }
    }
}
