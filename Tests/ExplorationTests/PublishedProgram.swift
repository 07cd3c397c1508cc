import Testing

/// Programs whose number of executions is given in papers and in the tests of other tools.
///
/// Sources: GenMC's tests (synthetic and litmus), Concuerror's, DSCheck's, and the tables of POPL 2014; those of the
/// locks, philosophers and buffers were counted by the counter in `Tests/Oracle`.
struct PublishedProgram: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String
    var traces: Int
    var testDescription: String { name }

    private static func series(
        _ name: String, _ counts: KeyValuePairs<Int, Int>, _ text: (Int) -> String
    ) -> [PublishedProgram] {
        counts.map { PublishedProgram(name: "\(name)(\($0.key))", text: text($0.key), traces: $0.value) }
    }

    static let all: [PublishedProgram] = memory + updates + locks

    private static let memory: [PublishedProgram] = [
        series("inc", [2: 4, 3: 36, 4: 576]) { "shared x = 0\nthread t[\($0)] { let r = x; x = r + 1 }" },
        series("rw", [2: 4, 3: 36, 4: 576]) { "shared x = 0\nthread t[\($0)] { let r = x; x = index }" },
        series("wrw", [2: 22, 3: 300, 4: 6576]) {
            "shared x = 0\nthread w { x = 1 }\nthread t[\($0)] { let r = x; x = index }"
        },
        series("N-writers", [4: 720]) { "shared x = 0\nthread r { let v = x }\nthread w[\($0 + 1)] { x = index }" },
        series("readers", [2: 4, 6: 64, 8: 256], readers),
        series("lastzero", [3: 12, 4: 28, 5: 64, 6: 144, 7: 320], lastZero),
        series("fib_bench", [1: 11, 2: 140], fibonacci),
        series("conditional_nested", [1: 8]) { _ in conditionalNested },
        series("conditional_ssb", [1: 7]) { _ in conditionalSSB },
    ].flatMap { $0 }

    private static let updates: [PublishedProgram] = [
        series("ainc", [2: 2, 3: 6, 4: 24, 5: 120, 6: 720, 7: 5040]) { "atomic x = 0\nthread t[\($0)] { x.add(1) }" },
        series("binc", [2: 4, 3: 36, 4: 576]) { "atomic x = 0, y = 0\nthread t[\($0)] { x.add(1); y.add(1) }" },
        series("cinc", [2: 8, 3: 216]) {
            "atomic x = 0, y = 0, z = 0\nthread t[\($0)] { x.add(1); y.add(1); z.add(1) }"
        },
        series("cas", [2: 2, 3: 3, 4: 4, 5: 5]) {
            "atomic x = 0\nthread t[\($0)] { let r = x.compareExchange(0, index + 1) }"
        },
        series("casw", [2: 6, 3: 66, 4: 1200]) {
            "atomic x = 0\nthread t[\($0)] { let r = x.compareExchange(0, 1); x.store(index + 3) }"
        },
        series("wcas", [2: 5, 3: 13, 4: 33, 5: 81, 6: 193, 7: 449, 8: 1025, 9: 2305]) {
            "atomic x = 0\nthread w { x.store(2) }\nthread t[\($0)] { let r = x.compareExchange(2, 3) }"
        },
        series("indexer", [11: 1, 12: 8, 13: 64], indexer),
    ].flatMap { $0 }

    private static let locks: [PublishedProgram] = [
        series("filesystem", [13: 1, 14: 2, 16: 8, 18: 32, 19: 64], fileSystem),
        series("lockinc", [2: 2, 3: 6, 4: 24, 5: 120, 6: 720]) { counter($0, 1) },
        series("counter, 3 ×", [3: 1680]) { counter(3, $0) },
        series("two locks in opposite orders", [2: 3]) { _ in
            "mutex a, b\nthread p { lock a { lock b { } } }\nthread q { lock b { lock a { } } }"
        },
        series("two locks in one order", [2: 2]) { "mutex a, b\nthread p[\($0)] { lock a { lock b { } } }" },
        series("philosophers", [2: 3, 3: 7, 4: 15, 5: 31]) { philosophers($0, isOrdered: false) },
        series("philosophers, in order", [2: 2, 3: 6, 4: 14, 5: 30]) { philosophers($0, isOrdered: true) },
        series("bounded buffer", [1: 56]) { buffer(items: $0, conditions: 2) },
        series("bounded buffer with one condition", [1: 60]) { buffer(items: $0, conditions: 1) },
    ].flatMap { $0 }

    static func indexer(_ n: Int) -> String {
        """
        atomic table[128] = 0
        thread t[\(n)] {
            for m in 0..<4 {
                let w = m * 11 + index
                var h = w * 7 % 128
                while !table[h].compareExchange(0, w) { h = (h + 1) % 128 }
            }
        }
        """
    }

    static func fileSystem(_ n: Int) -> String {
        """
        mutex li[32], lb[26]
        shared inode[32] = 0, busy[26] = false
        thread t[\(n)] {
            let i = index % 32
            lock li[i] {
                if inode[i] == 0 {
                    var b = i * 2 % 26
                    var isDone = false
                    while !isDone {
                        lock lb[b] {
                            if !busy[b] {
                                busy[b] = true
                                inode[i] = b + 1
                                isDone = true
                            }
                        }
                        b = (b + 1) % 26
                    }
                }
            }
        }
        """
    }

    static func fibonacci(_ n: Int) -> String {
        """
        shared x = 1, y = 1
        thread t1 { repeat \(n) { let a = x; let b = y; x = a + b } }
        thread t2 { repeat \(n) { let a = x; let b = y; y = a + b } }
        thread t3 { if x > 144 || y > 144 { note "large" } }
        """
    }

    static let conditionalNested = """
        shared b = 0, c = 0, ok = 0
        thread p { b = 1 }
        thread q { c = 1; b = 2 }
        thread r { if c == 0 { let s = b; if s == 0 { ok = 1 } } }
        """

    static let conditionalSSB = """
        shared x = 0, y = 0, z = 0
        thread p { let a = x }
        thread q { y = 1 }
        thread r { let b = y; if b == 0 { z = 1 } }
        thread s { let c = z; let d = y; if c == 1 { if d == 0 { x = 1 } } }
        """

    static func counter(_ threads: Int, _ times: Int) -> String {
        "shared x = 0\nmutex m\nthread t[\(threads)] { repeat \(times) { lock m { x += 1 } } }"
    }

    static func readers(_ n: Int) -> String {
        "shared x = 0, y[\(n)] = 0\nthread writer { x = 1 }\nthread reader[\(n)] { let local = y[index]; let seen = x; note \"\\(seen) \\(local)\" }"
    }

    static func lastZero(_ n: Int) -> String {
        """
        shared cells[\(n + 1)] = 0
        thread reader { var i = \(n); while cells[i] != 0 { i -= 1 } }
        thread writer[\(n)] { let seen = cells[index]; cells[index + 1] = seen + 1 }
        """
    }

    static func philosophers(_ n: Int, isOrdered: Bool) -> String {
        isOrdered
            ? """
            mutex fork[\(n)]
            thread philosopher[\(n)] {
                if index == \(n - 1) { lock fork[0] { lock fork[index] { } } } else { lock fork[index] { lock fork[index + 1] { } } }
            }
            """
            : "mutex fork[\(n)]\nthread philosopher[\(n)] { lock fork[index] { lock fork[(index + 1) % \(n)] { } } }"
    }

    static func buffer(items: Int, conditions: Int) -> String {
        let empty = conditions == 2 ? "notEmpty" : "changed"
        let full = conditions == 2 ? "notFull" : "changed"
        return """
            mutex m
            condition \(conditions == 2 ? "notEmpty, notFull" : "changed") with m
            shared count = 0
            thread producer[2] { repeat \(items) { lock m { while count == 1 { \(full).wait() }; count += 1; \(empty).signal() } } }
            thread consumer[2] { repeat \(items) { lock m { while count == 0 { \(empty).wait() }; count -= 1; \(full).signal() } } }
            """
    }
}
