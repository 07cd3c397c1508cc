import CLitmus
import LabSyntax
import Testing

@testable import Litmus

@Suite struct `The code of a litmus test` {
    @Test func `A store and the next load are neighbors`() throws {
        let program = try litmus(
            """
            atomic x = 0, y = 0
            shared r0 = 0, r1 = 0
            thread left { x.store(1); r0 = y.load() }
            thread right { y.store(1); r1 = x.load() }
            """)
        let opcodes = [CLITMUS_STORE_SEQCST, CLITMUS_LOAD_SEQCST, CLITMUS_STORE_RELAXED, CLITMUS_END]
        #expect(program.bodies.map { $0.instructions.map(\.opcode) } == [opcodes, opcodes])
    }

    @Test func `Orders decide about instructions`() throws {
        let program = try litmus(
            """
            atomic x = 0
            thread t {
                x.store(1, relaxed); x.store(2, release); x.store(3, seqcst)
                x.add(x.load(relaxed), relaxed); x.add(x.load(acquire), acqRel)
                x.compareExchange(1, x.load(seqcst), release, acquire)
                fence(acquire)
                fence(seqcst)
            }
            """)
        let instructions = try #require(program.bodies.first).instructions
        #expect(
            instructions.map(\.opcode) == [
                CLITMUS_STORE_RELAXED, CLITMUS_STORE_RELEASE, CLITMUS_STORE_SEQCST, CLITMUS_LOAD_RELAXED,
                CLITMUS_FETCH_ADD, CLITMUS_LOAD_ACQUIRE, CLITMUS_FETCH_ADD, CLITMUS_LOAD_SEQCST,
                CLITMUS_COMPARE_EXCHANGE, CLITMUS_FENCE, CLITMUS_FENCE, CLITMUS_END,
            ])
        #expect(
            [4, 6, 8, 9, 10].map { instructions[$0].order } == [
                CLITMUS_RELAXED, CLITMUS_ACQ_REL, CLITMUS_RELEASE, CLITMUS_ACQUIRE, CLITMUS_SEQCST,
            ])
        #expect(instructions[8].failureOrder == CLITMUS_ACQUIRE)
    }

    @Test func `A value that two threads use has a cache line of its own`() throws {
        let program = try litmus(
            """
            atomic x = 1, y = 2
            shared r0 = 3, r1 = 4, r2 = 5
            thread left { x.store(1); r0 = y.load(); r2 = 1 }
            thread right { y.store(1); r1 = x.load() }
            """)
        #expect(program.cells.map(\.offset) == [0, 64, 128, 192, 136])
        #expect(program.cells.map(\.value) == [1, 2, 3, 4, 5])
        #expect(program.bytes == 256)
    }

    @Test func `An outcome consists of the values that claims name`() throws {
        let cells = "shared a = 0, b[3] = 0, isDone = false\natomic c = 0\n"
        let thread = "thread t { a = b[0]; b[1] = 2; isDone = true; c.add(a) }\n"
        let names = { (claims: String) in try litmus(cells + thread + claims).observed.map(\.name) }
        #expect(try names("") == ["a", "b[0]", "b[1]", "b[2]", "isDone", "c"])
        #expect(try names("expect never c == 1 && b[2] == 1") == ["b[2]", "c"])
        #expect(try names("expect outcomes { a == 0 && isDone == true }") == ["a", "isDone"])
        #expect(try names("expect completes").count == 6)
    }

    @Test(arguments: [
        ("x = 7 / 2 - 7 % 4 * 2 + (1 << 4 >> 2)", 1),
        ("x = (6 & 3 | 8) ^ ~5 & 15", 0),
        ("x = min(3, 2, 9) + max(4, 5) - abs(-3)", 4),
        ("let isSmall = 1 < 2 && 3 >= 3 && !(2 > 3) && 2 <= 2 && 1 != 2\nif isSmall || x == 9 { x = 1 }", 1),
        ("for i in 1...4 { if i == 3 { continue }; x += i }", 7),
        ("for i in 0..<10 { if i == 4 { break }; x += i }", 6),
        ("for i in 9223372036854775806...9223372036854775807 { x += i % 10 }", 13),
        ("repeat 3 { x += 2 }", 6),
        ("repeat 0 - 2 { x += 2 }", 0),
        ("var k = 5\nwhile k > 0 { k -= 1; x += k }", 10),
        ("if x == 1 { x = 5 } else if x == 0 { x = 6 } else { x = 7 }", 6),
        ("for i in 0..<3 { a[i] = i * i }\nx = a[0] + a[1] + a[2] + a[x + 1]", 6),
        ("a[1] += 4; a[x + 1] *= 2; x = a[1]", 8),
        ("x = twice(twice(3)) + first(9)", 21),
        ("var v = 3\nv = twice(v) + v\nx = v", 9),
        ("x = c.add(5) + c.exchange(1) * 10 + c.load() * 100", 150),
        ("c.store(12); x = c.bitAnd(10) + c.bitOr(1) + c.bitXor(3) + c.load()", 12 + 8 + 9 + 10),
        ("if c.compareExchange(0, 4) && !c.compareExchange(0, 5) { x = c.load() }", 4),
        ("lock m { lock n { x = 1 } }\nif m.tryLock() { x += 1; if m.tryLock() { x = 9 }; m.unlock() }", 2),
        ("repeat 2 { lock m { if x == 1 { break }; x += 1; continue } }\nlock m { x += 10 }", 11),
        ("lock m { x = guarded() }\nlock n { x += guarded() }", 84),
        ("await c.load() == 0 || x == 1\nx = 3", 3),
        ("x = choose(1) + 4", 4),
        ("x = 2; if x == 2 { return }; x = 9", 2),
    ])
    func `Code computes what the language says`(code: String, x: Int) throws {
        let text = """
            shared x = 0, a[3] = 0
            atomic c = 0
            mutex m, n, o
            func twice(v: Int) -> Int { return v * 2 }
            func first(v: Int) -> Int { for i in 0...5 { if i == 2 { return v }; let unused = i; note "\\(unused)" }; return 0 }
            func guarded() -> Int { lock o { return 42 } }
            thread t { \(code) }
            expect sometimes x == 0
            """
        #expect(try outcome(text) == LitmusOutcome(.completed, [x]))
    }

    @Test(arguments: [
        ("x = 1 / x", Ending.error),
        ("x = 1 % x", .error),
        ("x = 9223372036854775807 + (x + 1)", .error),
        ("x -= 2; x *= 9223372036854775807", .error),
        ("x = 1 << (x + 64)", .error),
        ("x = 5 >> (x - 1)", .error),
        ("a[x + 3] = 1", .error),
        ("a[x - 1] = 1", .error),
        ("c.store(9223372036854775807); c.add(1)", .error),
        ("x = choose(x)", .error),
        ("assert x == 1", .assertion),
        ("await x == 1", .deadlock),
        ("m.lock(); m.lock()", .deadlock),
        ("m.unlock()", .misuse),
    ])
    func `A round can end otherwise`(code: String, ending: Ending) throws {
        let text = "shared x = 0, a[3] = 0\natomic c = 0\nmutex m\nthread t { \(code) }"
        #expect(try outcome(text) == LitmusOutcome(ending))
    }

    @Test func `A loop without end is given up`() throws {
        #expect(
            try outcome("atomic c = 0\nthread t { while c.load() == 0 {} }", loopTime: 1) == LitmusOutcome(.unfinished))
    }

    @Test func `What follows the threads decides about the outcome, too`() throws {
        let threads = "shared x = 1\nmutex m\nthread t { x += 1 }\n"
        #expect(try outcome(threads + "finally { x *= 10 }") == LitmusOutcome(.completed, [20]))
        #expect(try outcome(threads + "finally { assert x == 1 }") == LitmusOutcome(.assertion))
        #expect(try outcome(threads + "finally { await x == 1 }") == LitmusOutcome(.deadlock))
        // It runs on the thread t, and is not t: m remains locked.
        let keeper = "mutex m\nshared x = 0\nthread t { m.lock() }\n"
        #expect(try outcome(keeper + "finally { m.unlock() }") == LitmusOutcome(.misuse))
        #expect(try outcome(keeper + "finally { if m.tryLock() { x = 1 } }") == LitmusOutcome(.completed, [0]))
    }

    @Test func `Threads of an array know their numbers`() throws {
        let program = try litmus("shared x[2] = 0\nthread t[2] { x[index] = index + 5 }")
        #expect(program.threads == ["t[0]", "t[1]"])
        #expect(
            try outcome("shared x[2] = 0\nthread t[2] { x[index] = index + 5 }") == LitmusOutcome(.completed, [5, 6]))
    }
}
