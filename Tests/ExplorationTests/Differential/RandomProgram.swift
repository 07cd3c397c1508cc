import Support
import Trace

/// A small random program, in two languages: threadlab's, and that of the counter in `Tests/Oracle`.
struct RandomProgram {
    indirect enum Statement {
        case read(Int)
        case write(Int, Int)
        case increment(Int)
        case load(Int)
        case store(Int, Int)
        case add(Int)
        case compareExchange(Int, Int, Int)
        case locked(Int, [Statement])
        case tryLocked(Int, [Statement])
        case waitFor(Int)
        case tryWait(Int, [Statement])
        case post(Int)
        case reading([Statement])
        case writing([Statement])
        case wait
        case signal
        case broadcast
        case ifEqual(Int, Int, [Statement])
        case startAndJoin
    }

    let seed: UInt64
    private(set) var threads: [[Statement]] = []
    private(set) var permits: [Int] = []
    /// Whether the last thread is started and joined by the first.
    private(set) var hasChild = false
    /// Each program uses only some kinds of objects, or threads would hardly interact.
    private var kinds: [Int] = []
    /// Whether a read-write lock is among them.
    var hasReaders: Bool { kinds.contains(4) }
    private var generator: SplitMix64
    private var isReading = false

    init(seed: UInt64) {
        self.seed = seed
        generator = SplitMix64(seed: seed)
        permits = [number(2), number(3)]
        kinds = Array([0, 1, 2, 3, 4, 5].shuffled(using: &generator).prefix(1 + number(3)))
        let count = 2 + number(2)
        hasChild = count == 3 && number(4) == 0
        for thread in 0..<count {
            var budget = count == 2 ? 6 : 4
            threads.append(statements(&budget, isLocked: false))
            if hasChild && thread == 0 { threads[0].insert(.startAndJoin, at: number(threads[0].count + 1)) }
        }
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func statements(_ budget: inout Int, isLocked: Bool) -> [Statement] {
        var list: [Statement] = []
        let count = 1 + number(3)
        while list.count < count && budget > 0 { list.append(statement(&budget, isLocked: isLocked)) }
        return list
    }

    private mutating func statement(_ budget: inout Int, isLocked: Bool) -> Statement {
        budget -= 1
        switch kinds[number(kinds.count)] {
        case 0:
            switch number(4) {
            case 0: return .read(number(2))
            case 1: return .write(number(2), number(3))
            case 2: return .increment(number(2))
            default: return .ifEqual(number(2), number(2), statements(&budget, isLocked: isLocked))
            }
        case 1:
            switch number(4) {
            case 0: return .load(number(2))
            case 1: return .store(number(2), number(3))
            case 2: return .add(number(2))
            default: return .compareExchange(number(2), number(2), number(3))
            }
        case 2:
            let body = statements(&budget, isLocked: isLocked)
            return number(3) == 0 ? .tryLocked(number(2), body) : .locked(number(2), body)
        case 3:
            switch number(4) {
            case 0: return .waitFor(number(2))
            case 1: return .tryWait(number(2), statements(&budget, isLocked: isLocked))
            default: return .post(number(2))
            }
        case 4:
            // Taking it again is a misuse here, and blocks there.
            if isReading { return .increment(number(2)) }
            isReading = true
            defer { isReading = false }
            let body = statements(&budget, isLocked: isLocked)
            return number(2) == 0 ? .reading(body) : .writing(body)
        default:
            if number(4) == 0 { return number(2) == 0 ? .signal : .broadcast }
            budget -= 1
            return .locked(2, [[.wait], [.signal], [.broadcast]][number(3)] + statements(&budget, isLocked: true))
        }
    }

    // MARK: - In threadlab's language

    var lab: String {
        var text = """
            shared x[2] = 0
            atomic a[2] = 0
            mutex m[3]
            semaphore s0 = \(permits[0]), s1 = \(permits[1])
            rwlock rw
            condition c with m[2]

            """
        for (number, body) in threads.enumerated() {
            var local = 0
            text += "thread t\(number) {\n\(lab(body, "    ", &local))}\n"
        }
        return text
    }

    private func lab(_ body: [Statement], _ indent: String, _ local: inout Int) -> String {
        body.map { lab($0, indent, &local) }.joined()
    }

    private func lab(_ statement: Statement, _ indent: String, _ local: inout Int) -> String {
        func block(_ head: String, _ body: [Statement], _ tail: String = "") -> String {
            "\(indent)\(head) {\n\(lab(body, indent + "    ", &local))\(tail)\(indent)}\n"
        }
        func line(_ text: String) -> String { "\(indent)\(text)\n" }
        local += 1
        let name = "r\(local)"
        switch statement {
        case .read(let cell): return line("let \(name) = x[\(cell)]")
        case .write(let cell, let value): return line("x[\(cell)] = \(value)")
        case .increment(let cell): return line("x[\(cell)] += 1")
        case .load(let cell): return line("let \(name) = a[\(cell)].load()")
        case .store(let cell, let value): return line("a[\(cell)].store(\(value))")
        case .add(let cell): return line("a[\(cell)].add(1)")
        case .compareExchange(let cell, let old, let new):
            return line("let \(name) = a[\(cell)].compareExchange(\(old), \(new))")
        case .locked(let mutex, let body): return block("lock m[\(mutex)]", body)
        case .tryLocked(let mutex, let body):
            return block("if m[\(mutex)].tryLock()", body, "\(indent)    m[\(mutex)].unlock()\n")
        case .waitFor(let semaphore): return line("s\(semaphore).wait()")
        case .tryWait(let semaphore, let body): return block("if s\(semaphore).tryWait()", body)
        case .post(let semaphore): return line("s\(semaphore).signal()")
        case .reading(let body): return block("reading rw", body)
        case .writing(let body): return block("writing rw", body)
        case .wait: return line("c.wait()")
        case .signal: return line("c.signal()")
        case .broadcast: return line("c.broadcast()")
        case .ifEqual(let cell, let value, let body): return block("if x[\(cell)] == \(value)", body)
        case .startAndJoin: return line("spawn t2") + line("join t2")
        }
    }

    // MARK: - In the counter's language

    var counted: String {
        var text = """
            x = array(2, 0); a = array(2, 0); m = mutexes(3)
            s0 = sem(\(permits[0])); s1 = sem(\(permits[1])); rw = rwlock(); c = cond()

            """
        for (number, body) in threads.enumerated() {
            var local = 0
            text += "def t\(number)():\n    pass\n\(counted(body, "    ", &local))"
        }
        for number in threads.indices {
            text += "thread(t\(number)\(hasChild && number == 2 ? ", start=False" : ""))\n"
        }
        return text
    }

    private func counted(_ body: [Statement], _ indent: String, _ local: inout Int) -> String {
        body.map { counted($0, indent, &local) }.joined()
    }

    private func counted(_ statement: Statement, _ indent: String, _ local: inout Int) -> String {
        func line(_ text: String) -> String { "\(indent)\(text)\n" }
        func inside(_ head: String, _ body: [Statement], _ tail: String) -> String {
            line(head) + counted(body, indent, &local) + line(tail)
        }
        func block(_ head: String, _ body: [Statement], _ tail: String = "pass") -> String {
            line(head) + counted(body, indent + "    ", &local) + line("    \(tail)")
        }
        local += 1
        let name = "r\(local)"
        switch statement {
        case .read(let cell): return line("\(name) = x[\(cell)]")
        case .write(let cell, let value): return line("x[\(cell)] = \(value)")
        case .increment(let cell): return line("x[\(cell)] = x[\(cell)] + 1")
        case .load(let cell): return line("\(name) = a[\(cell)]")
        case .store(let cell, let value): return line("a[\(cell)] = \(value)")
        case .add(let cell): return line("fetch_add(a[\(cell)], 1)")
        case .compareExchange(let cell, let old, let new): return line("\(name) = cas(a[\(cell)], \(old), \(new))")
        case .locked(let mutex, let body): return inside("lock(m[\(mutex)])", body, "unlock(m[\(mutex)])")
        case .tryLocked(let mutex, let body):
            return block("if trylock(m[\(mutex)]):", body, "unlock(m[\(mutex)])")
        case .waitFor(let semaphore): return line("sem_wait(s\(semaphore))")
        case .tryWait(let semaphore, let body): return block("if sem_trywait(s\(semaphore)):", body)
        case .post(let semaphore): return line("sem_post(s\(semaphore))")
        case .reading(let body): return inside("rdlock(rw)", body, "rwunlock(rw)")
        case .writing(let body): return inside("wrlock(rw)", body, "rwunlock(rw)")
        case .wait: return line("wait(c, m[2])")
        case .signal: return line("signal(c)")
        case .broadcast: return line("broadcast(c)")
        case .ifEqual(let cell, let value, let body): return block("if x[\(cell)] == \(value):", body)
        case .startAndJoin: return line("spawn(2)") + line("join(2)")
        }
    }
}
