import Support
import Trace

/// A small random program whose threads take read-write locks, in any order, and may keep them.
struct SharedHoldProgram {
    private(set) var text = "rwlock w\natomic a = 0\n"
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        if number(4) == 0 { text = "rwlock w, v\natomic a = 0\n" }
        let hasSecond = text.contains("v")
        for thread in 0..<2 + number(2) { add("thread t\(thread)", steps(1 + number(4), hasSecond)) }
        if number(3) == 0 {
            add("thread child", ["spawn kid"] + steps(1 + number(2), hasSecond))
            add("thread kid", steps(1 + number(2), hasSecond))
        }
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func add(_ head: String, _ steps: [String]) {
        text += "\(head) { \(steps.joined(separator: "; ")) }\n"
    }

    private mutating func steps(_ count: Int, _ hasSecond: Bool) -> [String] {
        (0..<count).map { _ in step(hasSecond && number(2) == 0 ? "v" : "w") }
    }

    private mutating func step(_ lock: String) -> String {
        switch number(11) {
        case 0, 1: "\(lock).readLock()"
        case 2: "\(lock).writeLock()"
        case 3: "\(lock).writeLock(); \(lock).downgrade()"
        case 4: "if \(lock).tryReadLock() { a.add(1) }"
        case 5: "if \(lock).tryWriteLock() { a.add(1); \(lock).unlock() }"
        case 6, 7: "\(lock).unlock()"
        case 8: "a.add(1)"
        case 9: "\(lock).downgrade()"
        default: "assert a.load() != \(number(3))"
        }
    }
}
