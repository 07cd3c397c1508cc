import Arbiter
import Testing

/// What the arbiter says of programs that a person can judge.
@Suite struct JudgmentTests {
    struct Program: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var threads: [[Statement]]
        var claims: [Tree.Claim.Kind] = []
        /// How runs end, also those that never do, by the rules.
        let usual: Set<End.Kind>
        var weak: Set<End.Kind>?
        var late: Set<End.Kind>?
        var spurious: Set<End.Kind>?

        var tree: Tree {
            var tree = Tree()
            tree.objects = [
                .init(name: "a", kind: .atomic), .init(name: "b", kind: .atomic), .init(name: "x", kind: .shared),
                .init(name: "m", kind: .mutex), .init(name: "n", kind: .mutex), .init(name: "s", kind: .semaphore),
                .init(name: "c", kind: .condition("m")),
            ]
            tree.threads = threads.enumerated().map { .init(name: "t\($0)", body: $1) }
            tree.claims = claims.map { Tree.Claim($0) }
            return tree
        }
    }

    private static let (a, b, x) = (Place("a"), Place("b"), Place("x"))
    private static let (m, n, c, s) = (Place("m"), Place("n"), Place("c"), Place("s"))

    private static func reads(_ place: Place, _ value: Int) -> Expression {
        .binary(.equal, .read(place), .number(value))
    }

    private static func spin(while condition: Expression) -> Statement { .loop(condition, [.yield]) }
    private static func set(_ place: Place, _ value: Int = 1) -> Statement { .write(place, .number(value)) }
    private static func forever(_ body: Statement...) -> Statement { .loop(.truth(true), body) }

    static let programs = [
        Program(
            testDescription: "a thread that sleeps and then publishes too early, beside one that spins",
            threads: [
                [spin(while: reads(a, 0)), .assert(reads(x, 1))], [.sleep(1), set(a), set(x)],
            ], usual: [.assertion, .race]),
        Program(
            testDescription: "a thread that spins forever beside one that sleeps",
            threads: [[spin(while: reads(a, 0))], [.sleep(1)]], usual: [.livelock]),
        Program(
            testDescription: "a limit that passes beside a thread that spins until it has",
            threads: [
                [spin(while: reads(a, 0))],
                [.block(.lock, m, [.branch(.not(.attempt(.waitFor(1), c)), [set(a)], [])])],
            ], usual: [.completed]),
        Program(
            testDescription: "two threads that spin for each other while a third sleeps, which ends it",
            threads: [[spin(while: reads(a, 0))], [spin(while: reads(a, 0))], [.sleep(2), set(a)]], usual: [.completed]),
        Program(
            testDescription: "a thread that never gets a lock that it waits for again and again for a while",
            threads: [
                [.block(.lock, n, [forever(set(a, 0), .progress)])],
                [forever(.branch(.attempt(.lockFor(1), n), [.act(.unlock, n), .progress], []))],
            ], usual: [.starvation]),
        Program(
            testDescription: "a lock that is free again and again",
            threads: [[forever(.block(.lock, m, [.progress]))], [forever(.block(.lock, m, [.progress]))]], usual: [],
            weak: [.starvation]),
        Program(
            testDescription: "a thread that sleeps beside one that works forever",
            threads: [[forever(set(a), .progress)], [.sleep(1), .assert(reads(a, 0))]], usual: [.assertion]),
        Program(
            testDescription: "a thread that sleeps beside one that ends: it is never late",
            threads: [[set(a)], [.sleep(1), .assert(reads(a, 1))]], usual: [.completed],
            late: [.completed, .assertion]),
        Program(
            testDescription: "sleeping in a loop", threads: [[forever(.sleep(1))]], usual: [.livelock]),
        Program(
            testDescription: "a choice that comes out otherwise at some time",
            threads: [[spin(while: .binary(.equal, .choose(2), .number(0)))]], usual: [.completed]),
        Program(
            testDescription: "two locks in opposite orders",
            threads: [[.block(.lock, m, [.block(.lock, n, [])])], [.block(.lock, n, [.block(.lock, m, [])])]],
            usual: [.completed, .deadlock]),
        Program(
            testDescription: "a wait that nobody ends", threads: [[.block(.lock, m, [.act(.wait, c)])]],
            usual: [.deadlock], spurious: [.deadlock, .completed]),
        Program(
            testDescription: "a race", threads: [[set(x)], [set(x, 2)]], usual: [.race]),
        Program(
            testDescription: "a lock against it",
            threads: [[.block(.lock, m, [set(x)])], [.block(.lock, m, [set(x, 2)])]], usual: [.completed]),
        Program(
            testDescription: "a semaphore that hands over",
            threads: [[set(x), .act(.give, s)], [.act(.take, s), set(x, 2)]], usual: [.completed]),
        Program(
            testDescription: "an attempt that fails tells nothing",
            threads: [
                [.block(.lock, m, [set(x)])],
                [.branch(.attempt(.lock, m), [.act(.unlock, m)], [set(x, 2)])],
            ], usual: [.completed, .race]),
        Program(
            testDescription: "an update that is lost",
            threads: Array(
                repeating: [.declare("v", .read(a)), .write(a, .binary(.add, .local("v"), .number(1)))], count: 2),
            claims: [.always(reads(a, 2)), .sometimes(reads(a, 2))], usual: [.completed, .claim]),
        Program(
            testDescription: "claims about every state, true at the beginning only, and never",
            threads: [[set(a), set(b)]], claims: [.eventually(reads(a, 0)), .invariant(reads(b, 0))], usual: [.claim]),
        Program(
            testDescription: "what must happen, and does not", threads: [[forever(set(a), .progress)]],
            claims: [.eventually(reads(b, 1))], usual: [.livelock]),
        Program(
            testDescription: "a thread that awaits what is written, and one that awaits what is not",
            threads: [[.await(reads(a, 1))], [set(a)], [.await(reads(b, 1))]], usual: [.deadlock]),
    ]

    @Test(arguments: programs)
    func `the arbiter finds how runs can end, also those that never do`(_ program: Program) throws {
        var rules = Rulebook()
        #expect(try ends(program, rules) == program.usual)
        rules.isWeaklyFair = true
        #expect(try ends(program, rules) == program.weak ?? program.usual)
        rules = Rulebook()
        rules.isLateAnytime = true
        if let late = program.late { #expect(try ends(program, rules) == late) }
        rules = Rulebook()
        rules.spurious = 1
        if let spurious = program.spurious { #expect(try ends(program, rules) == spurious) }
    }

    private func ends(_ program: Program, _ rules: Rulebook) throws -> Set<End.Kind> {
        let judgment = try #require(Judgment(program.tree, rules))
        var kinds = Set(judgment.ends.map(\.kind))
        if judgment.hasLivelock { kinds.insert(.livelock) } else if judgment.hasStarvation { kinds.insert(.starvation) }
        return kinds
    }

    @Test func `the first waiter is woken only if the rules say so`() throws {
        var rules = Rulebook()
        var program = Program(
            testDescription: "",
            threads: [1, 2].map { number in
                [.block(.lock, Self.m, [Self.set(Self.a, number), .act(.wait, Self.c)]), Self.set(Self.b, number)]
            }, usual: [])
        program.threads.append([.await(Self.reads(Self.a, 2)), .block(.lock, Self.m, [.act(.signal, Self.c)])])
        // If the second one has waited last, only one of them is woken.
        let any = try #require(Judgment(program.tree, rules)).ends.filter { $0.kind == .deadlock }.map(\.memory)
        #expect(Set(any) == [[2, 1], [2, 2], [1, 0], [2, 0], [1, 2]])
        rules.isFirstWoken = true
        let first = try #require(Judgment(program.tree, rules)).ends.filter { $0.kind == .deadlock }.map(\.memory)
        #expect(Set(first).isStrictSubset(of: Set(any)))
    }
}
