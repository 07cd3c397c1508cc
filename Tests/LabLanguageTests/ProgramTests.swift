import LabProgram
import LabSyntax
import Testing

/// The input of a compiler.
@Suite struct ProgramTests {
    private func program(_ text: String) throws -> Program {
        let reading = SourceText(name: "test.lab", "scenario \"x\"\n" + text).read()
        #expect(!reading.hasErrors)
        return try #require(reading.program)
    }

    @Test func `objects, threads and functions are numbered in the order of the text`() throws {
        let program = try program(
            """
            thread t[n] { lock m { use(1) } }
            mutex m, other[2]
            parameter n = 2
            func use(value: Int) { x = value }
            shared x = 0
            """)
        #expect(program.objects.map(\.name) == ["m", "other", "x"])
        #expect(program.objects.map(\.kind) == [.mutex(.normal), .mutex(.normal), .cell(.integer)])
        let statement = try #require(program.threads[0].body.block.statements.first)
        guard case .locked(let place, .mutex, let block) = statement.kind else { throw Unexpected() }
        #expect(place.object == 0 && statement.site == Site(line: 2, column: 15))
        guard case .evaluate(let call)? = block.statements.first?.kind, case .call(function: 0, _) = call.kind else {
            throw Unexpected()
        }
    }

    @Test func `a program gives each variable a slot, parameters first, and says how many a chain of calls needs`()
        throws
    {
        let program = try program(
            """
            shared x = 0, cells[3] = 0
            func inner(a: Int) -> Int { let b = a + 1; return b }
            func outer(c: Bool) { if c { let d = inner(2); x = d } }
            thread t[3] {
                for i in 0..<3 { cells[(i + index) % 3] += 1 }
                repeat 2 { outer(true) }
            }
            """)
        #expect(program.functions[0].body.slots.map(\.name) == ["a", "b"])
        #expect(program.functions[1].body.slots.map(\.type) == [.boolean, .integer])
        #expect(program.functions[1].body.stackedSlots == 4)
        // The variable, its bound, the subscript, the number of rounds.
        #expect(program.threads[0].body.slots.map(\.name) == ["i", nil, nil, nil])
        #expect(program.threads[0].body.stackedSlots == 8)
        guard
            case .count(slot: 0, _, _, isClosed: false, bound: 1, let block)? = program.threads[0].body.block.statements
                .first?.kind, case .update(let place, .add, _)? = block.statements.first?.kind
        else { throw Unexpected() }
        #expect(place.slot == 2 && block.slots == 2..<3)
    }

    @Test func `a program knows which threads start by themselves, and which the main thread joins`() throws {
        let program = try program(
            """
            thread parent { spawn child; join child; join free; detach loose }
            thread child { yield }
            thread free { yield }
            thread loose { yield }
            """)
        #expect(program.threads.map(\.startsByItself) == [true, false, true, true])
        #expect(program.threads.map(\.isJoinedByMain) == [true, false, false, false])
    }

    @Test func `a program keeps the words of the scenario`() throws {
        let source = SourceText(
            name: "x.lab",
            """
            /// What it is about.
            ///
            ///   More.
            scenario "the name"
            /// how many
            /// there are
            parameter n = 1 in 0..<4
            thread t { assert n   == 1, "n is \\(n)!" }
            expect   sometimes n == 1   // always
            """)
        let program = try #require(source.read().program)
        #expect(program.title == "the name")
        #expect(program.description == ["What it is about.", "", "  More."])
        #expect(program.parameters.first?.help == "how many there are")
        #expect(program.parameters.first?.range == 0...3)
        #expect(program.claims.first?.text == "sometimes n == 1")
        guard case .assert(_, let text?, source: "n == 1")? = program.threads[0].body.block.statements.first?.kind,
            case .words("n is ")? = text.parts.first, text.parts.count == 3
        else { throw Unexpected() }
    }

    @Test func `a program evaluates what parameters decide`() throws {
        let program = try program(
            """
            parameter n = 2 in 1...5
            shared cells[n + 1] = n * 10, pair[2] = [n, 7], log = [1, n]
            semaphore s[2] = 3
            mutex m[n]
            condition c with m[n - 1]
            barrier b(n)
            thread t[n - 1] { lock m[0] { cells[0] = pair[0] + log[0] + s[0].value; c.signal() }; b.wait() }
            """)
        let standard = try program.configured()
        #expect(standard.elementCounts == [3, 2, 1, 2, 2, 1, 1])
        #expect(standard.firstElements == [0, 3, 5, 6, 8, 10, 11])
        #expect(standard.initialValues == [[20, 20, 20], [2, 7], [1, 2], [3, 3], [], [], [2]])
        #expect(standard.mutexElements[5] == 1)
        #expect(try program.configured(with: [5]).threadCounts == [4])
        #expect(throws: Diagnostic.self) { try program.configured(with: [6]) }
    }

    @Test func `a program reports what an argument makes impossible`() throws {
        let program = try program("parameter n = 2\nshared cells[n] = 0\nthread t { cells[0] += 1 }")
        do throws(Diagnostic) {
            _ = try program.configured(with: [5000])
            Issue.record("configured")
        } catch {
            #expect(error.message == "the number of elements is 5000, but must be from 1 to 1024")
            #expect(program.source.site(of: error.span.start) == Site(line: 3, column: 14))
        }
    }

    @Test(
        arguments: [
            (Operator.divide, -7, 2, -3), (.remainder, -7, 2, -1), (.shiftRight, -8, 1, -4),
            (.shiftLeft, 3, 2, 12),
            (.lessOrEqual, 2, 2, 1), (.bitXor, 6, 3, 5),
        ])
    func `a program computes as the manual says`(sign: Operator, a: Int, b: Int, expected: Int) throws {
        #expect(try sign.result(a, b) == expected)
    }

    @Test(
        arguments: [
            (Operator.add, Int.max, 1), (.subtract, .min, 1), (.multiply, .max, 2), (.divide, .min, -1),
            (.divide, 1, 0), (.remainder, 1, 0), (.shiftLeft, 1, 63), (.shiftLeft, 1, 64), (.shiftRight, 1, -1),
        ])
    func `a program has no result where the manual says so`(sign: Operator, a: Int, b: Int) {
        #expect(throws: Operator.NoResult.self) { try sign.result(a, b) }
    }

    private struct Unexpected: Error {}
}
