import Trace

/// Makes programs of a few threads with a few steps each.
package struct Generator {
    var random: SplitMix64
    var themes: Set<Theme> = []
    var tree = Tree()
    /// How many more statements the thread may have.
    var budget = 0
    /// Whether the program is meant to go on forever. Then its values stay within bounds.
    var isEndless = false
    /// Whether most statements are about what may take too long, or end for no reason.
    var isImpatient = false

    /// Where a statement stands.
    struct Spot {
        var loops = 0
        /// Whether nothing counts the rounds: then values must not grow.
        var isUncounted = false
        var locks: Set<String> = []
        var locals: [String] = []
        /// Those that can be changed.
        var variables: [String] = []
        var isFunction = false
        var returnsNumber = false
        var isArray = false
        var isMain = false
        var depth = 0
    }

    package static func program(seed: UInt64) -> Tree {
        var generator = Generator(random: SplitMix64(seed: seed))
        generator.make()
        return generator.tree
    }

    /// A program with time limits, waits that may end by themselves, writers that stand in line and weak compare-exchanges.
    package static func impatient(seed: UInt64) -> Tree {
        var generator = Generator(random: SplitMix64(seed: seed))
        generator.isImpatient = true
        generator.make()
        return generator.tree
    }

    /// A program with infinitely many states: one of its threads counts forever.
    package static func unbounded(seed: UInt64) -> Tree {
        var tree = program(seed: seed)
        let first = tree.threads[0].name
        let spawned = tree.lives.map(\.name)
        tree.threads.removeAll { $0.name != first && !spawned.contains($0.name) }
        let count: Statement = .evaluate(.update(.add, Place("b"), .number(1)))
        let body: [Statement] = seed % 2 == 0 ? [count] : [.yield, count, .progress]
        tree.threads.append(.init(name: "counter", body: [.loop(.truth(true), body)]))
        return tree
    }

    init(random: SplitMix64) { self.random = random }

    // MARK: - Chance

    mutating func number(_ bound: Int) -> Int { random.next(below: bound) }
    mutating func chance(_ percent: Int) -> Bool { number(100) < percent }
    mutating func one<Value>(of values: [Value]) -> Value { values[number(values.count)] }

    // MARK: - The whole

    private mutating func make() {
        themes = Set(Theme.allCases.shuffled(using: &random).prefix(2 + number(3)))
        if chance(35) { themes.formUnion([.time, .spinning]) }
        if chance(25) { themes.insert(.plain) }
        if chance(10) { themes.insert(.children) }
        isEndless = chance(20)
        declareObjects()
        if themes.contains(.functions) { makeFunctions() }
        makeThreads()
        if chance(30) {
            budget = 1 + number(2)
            tree.finally = statements(Spot(isMain: true), most: 2)
        }
        makeClaims()
    }

    private mutating func declareObjects() {
        tree.parameters = ["p": number(3)]
        tree.objects = [
            .init(name: "a", kind: .atomic, initial: number(2)), .init(name: "b", kind: .atomic),
            .init(name: "g", kind: .atomic, count: 2), .init(name: "x", kind: .shared, initial: number(2)),
            .init(name: "xs", kind: .shared, count: 2), .init(name: "m", kind: .mutex),
            .init(name: "n", kind: one(of: [.mutex, .mutex, .recursiveMutex, .checkingMutex])),
            .init(name: "l", kind: .mutex, count: 2), .init(name: "s", kind: .semaphore, initial: number(2)),
            .init(name: "w", kind: isImpatient && chance(70) ? .writersFirstLock : .readWriteLock),
            .init(name: "c", kind: .condition("m")),
        ]
    }

    private mutating func makeFunctions() {
        let spot = Spot(locals: ["from", "to"], isFunction: true, returnsNumber: true)
        budget = 2
        var body = statements(spot, most: 2)
        if chance(40) {
            let early = Statement.branch(condition(spot), [.giveBack(value(spot))], [])
            body.append(chance(50) ? .block(.lock, Place("n"), [early]) : early)
        }
        body.append(.giveBack(value(spot)))
        tree.functions = [.init(name: "f", parameters: ["from", "to"], returnsNumber: true, body: body)]
    }

    private mutating func makeThreads() {
        let count = 2 + (chance(45) ? 1 : 0)
        let hasChildren = themes.contains(.children)
        for number in 0..<count {
            let isChild = hasChildren && number == count - 1
            let isArray = isChild ? chance(75) : count == 2 && chance(35)
            budget = isArray ? 1 + self.number(3) : 2 + self.number(count == 2 ? 3 : 2)
            var spot = Spot(isArray: isArray)
            var body: [Statement]
            if isEndless && !isChild && chance(80) {
                (spot.isUncounted, spot.loops, spot.depth) = (true, 1, 1)
                body = statements(spot, most: 3)
                if chance(85) { body.insert(.progress, at: self.number(body.count + 1)) }
                if body.allSatisfy({ $0 == .progress }) { body.append(.yield) }
                body = [.loop(.truth(true), body)]
            } else {
                body = statements(spot, most: 4)
            }
            let name = isChild ? "kid" : "t\(number)"
            if hasChildren && number == 0 { addChildren(to: &body) }
            tree.threads.append(.init(name: name, count: isArray ? 2 : nil, body: body))
        }
    }

    /// The first thread starts the last one, and mostly joins it.
    private mutating func addChildren(to body: inout [Statement]) {
        body.insert(.life(.spawn, "kid", nil), at: number(min(2, body.count + 1)))
        let place = body.firstIndex(of: .life(.spawn, "kid", nil))!
        switch number(10) {
        case 0..<6: body.insert(.life(.join, "kid", nil), at: place + 1 + number(body.count - place))
        case 6, 7: body.insert(.life(.detach, "kid", nil), at: place + 1 + number(body.count - place))
        case 8: tree.finally.append(.life(.join, "kid", nil))
        default: break
        }
    }

    // MARK: - Claims

    private mutating func makeClaims() {
        let findings: [[String]] = [
            [], [], ["assertion"], ["deadlock"], ["assertion", "deadlock"], ["livelock"], ["race"],
        ]
        let kinds = one(of: findings)
        tree.claims = [Tree.Claim(.findings(kinds))]
        guard chance(70) else { return }
        for _ in 0..<1 + number(3) {
            var claim = Tree.Claim(claimKind())
            // A program whose runs all complete breaks no claim, and what must only be seen is not broken.
            let canBreak =
                switch claim.kind {
                case .sometimes, .possible: false
                case .always, .never, .invariant, .eventually, .outcomes, .findings: !kinds.isEmpty
                }
            if canBreak && chance(30) { claim.isBroken = true }
            let isOutcomes = if case .outcomes = claim.kind { true } else { false }
            let isSecond = tree.claims.contains { other in
                if isOutcomes, case .outcomes = other.kind { return true }
                return other.kind == claim.kind
            }
            if !isSecond { tree.claims.append(claim) }
        }
    }

    private mutating func claimKind() -> Tree.Claim.Kind {
        if chance(15) { return outcomes() }
        let claim = claimedCondition()
        return one(of: [
            .always(claim), .never(claim), .sometimes(claim), .possible(claim), .invariant(claim), .eventually(claim),
        ])
    }

    private mutating func claimedCondition() -> Expression {
        let places = [Place("a"), Place("b"), Place("x"), Place("g", .number(number(2)))]
        let signs: [Expression.Sign] = [.equal, .notEqual, .less, .greaterOrEqual]
        let first = Expression.binary(one(of: signs), .read(one(of: places)), .number(number(3)))
        if chance(60) { return first }
        let second = Expression.binary(one(of: signs), .read(one(of: places)), .number(number(3)))
        return chance(50) ? .and(first, second) : .or(first, second)
    }

    private mutating func outcomes() -> Tree.Claim.Kind {
        let places = chance(50) ? [Place("a")] : [Place("a"), Place("b")]
        var rows: Set<[Int]> = []
        for _ in 0..<1 + number(4) { rows.insert(places.map { _ in number(3) }) }
        return .outcomes(places, rows.sorted { $0.description < $1.description })
    }
}

/// What the statements of a program are about. Each program has a few of these, or its threads would hardly interact.
enum Theme: CaseIterable {
    case atomics, plain, mutexes, semaphores, conditions, sharedLocks
    /// Sleeps and limits; loops that nothing counts; both together are what time is about.
    case time, spinning
    case awaiting, choosing, children, functions, jumps, counting, asserting
}
