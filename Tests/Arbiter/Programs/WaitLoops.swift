import Trace

/// Programs in which each wait on a condition is in a loop that tests what is waited for again: queues, turns, gates and meeting
/// points, some with a time limit. And the same with an `if` in place of one of the loops.
package struct WaitLoops {
    private var random: SplitMix64
    private var tree = Tree()

    package static func program(seed: UInt64) -> Tree {
        var loops = WaitLoops(random: SplitMix64(seed: seed))
        loops.make()
        return loops.tree
    }

    /// The programs with one loop less: a wait is tested for once.
    package static func withoutOneLoop(_ tree: Tree) -> [Tree] {
        tree.threads.indices.flatMap { thread in
            withoutOneLoop(tree.threads[thread].body).map { body in
                var changed = tree
                changed.threads[thread].body = body
                return changed
            }
        }
    }

    private static func withoutOneLoop(_ body: [Statement]) -> [[Statement]] {
        body.indices.flatMap { place in
            replacements(body[place]).map { body[..<place] + [$0] + body[(place + 1)...] }
        }
    }

    private static func replacements(_ statement: Statement) -> [Statement] {
        switch statement {
        // A loop about a wait: other loops may be left in the middle.
        case .loop(let condition, let body): body.count == 1 && isWait(body[0]) ? [.branch(condition, body, [])] : []
        case .block(let mode, let place, let body): withoutOneLoop(body).map { .block(mode, place, $0) }
        case .times(let count, let body): withoutOneLoop(body).map { .times(count, $0) }
        default: []
        }
    }

    private static func isWait(_ statement: Statement) -> Bool {
        switch statement {
        case .act(.wait, _), .evaluate: true
        default: false
        }
    }

    private init(random: SplitMix64) { self.random = random }

    private mutating func number(_ bound: Int) -> Int { random.next(below: bound) }
    private mutating func chance(_ percent: Int) -> Bool { number(100) < percent }

    // MARK: - The whole

    private mutating func make() {
        tree.objects = [
            .init(name: "m", kind: .mutex), .init(name: "c", kind: .condition("m")),
            .init(name: "d", kind: .condition("m")), .init(name: "x", kind: .shared), .init(name: "xs", kind: .shared),
            .init(name: "a", kind: .atomic),
        ]
        switch number(5) {
        case 0: makeQueue()
        case 1: makeTurns()
        case 2: makeGate()
        case 3: makeMeeting()
        default: makeSpaces()
        }
        tree.claims = [.init(.findings([]))]
    }

    private let x = Expression.read(Place("x"))

    private func add(_ amount: Int) -> Statement {
        .write(Place("x"), .binary(amount < 0 ? .subtract : .add, x, .number(abs(amount))))
    }

    private mutating func tell(_ condition: String, all: Bool = false) -> Statement {
        .act(all || chance(30) ? .broadcast : .signal, Place(condition))
    }

    /// A wait in a loop; sometimes with a limit, after which the loop goes on.
    private mutating func wait(while condition: Expression, on name: String) -> Statement {
        let place = Place(name)
        return .loop(
            condition, [chance(20) ? .evaluate(.attempt(.waitFor(1 + number(2)), place)) : .act(.wait, place)])
    }

    private func locked(_ body: [Statement]) -> Statement { .block(.lock, Place("m"), body) }

    private mutating func thread(_ name: String, _ count: Int, _ body: [Statement]) {
        tree.threads.append(.init(name: name, count: count > 1 ? count : nil, body: body))
    }

    // MARK: - Their kinds

    /// Takers wait until there is something.
    private mutating func makeQueue() {
        let takers = 1 + number(2)
        thread(
            "taker", takers,
            [
                locked([
                    wait(while: .binary(.equal, x, .number(0)), on: "c"),
                    .assert(.binary(.greater, x, .number(0))), add(-1),
                ])
            ])
        thread("maker", 1, [.times(.number(takers), [locked([add(1), tell("c")])])])
        if chance(40) { thread("watcher", 1, [locked([tell("c", all: true)])]) }
    }

    /// Threads take turns.
    private mutating func makeTurns() {
        let count = chance(70) ? 2 : 3
        thread(
            "player", count,
            [
                locked([
                    wait(while: .binary(.notEqual, x, .index), on: "c"), .assert(.binary(.equal, x, .index)), add(1),
                    .act(.broadcast, Place("c")),
                ])
            ])
    }

    /// Threads wait until a gate is open.
    private mutating func makeGate() {
        thread(
            "guest", 1 + number(2),
            [
                locked([
                    wait(while: .binary(.equal, x, .number(0)), on: "c"),
                    chance(60) ? .assert(.binary(.equal, x, .number(1))) : .write(Place("xs"), x),
                ])
            ])
        thread("porter", 1, [locked([.write(Place("x"), .number(1)), .act(.broadcast, Place("c"))])])
        if chance(40) { thread("noise", 1, [.act(.broadcast, Place("c"))]) }
        if chance(40) { tree.finally = [.assert(.binary(.less, .read(Place("xs")), .number(2)))] }
    }

    /// Threads wait until all have come.
    private mutating func makeMeeting() {
        let count = chance(70) ? 2 : 3
        thread(
            "member", count,
            [
                locked([
                    add(1), .branch(.binary(.equal, x, .number(count)), [.act(.broadcast, Place("c"))], []),
                    wait(while: .binary(.less, x, .number(count)), on: "c"),
                    .assert(.binary(.equal, x, .number(count))),
                ])
            ])
    }

    /// Makers wait for a free place, takers for something to take.
    private mutating func makeSpaces() {
        let rounds = 1 + number(2)
        thread(
            "maker", 1,
            [
                .times(
                    .number(rounds),
                    [
                        locked([
                            wait(while: .binary(.equal, x, .number(1)), on: "d"),
                            .assert(.binary(.equal, x, .number(0))), add(1), tell("c"),
                        ])
                    ])
            ])
        thread(
            "taker", 1,
            [
                .times(
                    .number(rounds),
                    [
                        locked([
                            wait(while: .binary(.equal, x, .number(0)), on: "c"),
                            .assert(.binary(.equal, x, .number(1))), add(-1), tell("d"),
                        ])
                    ])
            ])
        // Memory that only a compare-exchange changes, which may fail.
        if rounds == 1 && chance(50) {
            thread(
                "counter", 1,
                [
                    .loop(
                        .not(.weakCompareExchange(Place("a"), .number(0), .number(1))),
                        [.branch(.binary(.notEqual, .read(Place("a")), .number(0)), [.leave], [])])
                ])
        }
    }
}
