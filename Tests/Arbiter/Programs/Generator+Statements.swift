/// Statements, each about one of the program's themes.
extension Generator {
    mutating func statements(_ spot: Spot, most: Int) -> [Statement] {
        var spot = spot
        spot.depth += 1
        var list: [Statement] = []
        let count = 1 + number(most)
        while list.count < count && (budget > 0 || list.isEmpty) {
            let made = statement(&spot)
            if made.isEmpty { budget -= 1 }
            list += made
            if list.isEmpty && budget <= 0 { list.append(.yield) }
        }
        return list
    }

    /// One statement, or a few that belong together. None: what was drawn does not fit here.
    private mutating func statement(_ spot: inout Spot) -> [Statement] {
        budget -= 1
        let isDeep = spot.depth > 3
        if isImpatient && !isDeep && chance(60) { return impatient(spot) }
        switch one(of: Array(Theme.allCases.filter { themes.contains($0) || $0 == .atomics })) {
        case .atomics: return [atomic(&spot)]
        case .plain: return [plain(spot)]
        case .mutexes: return isDeep ? [atomic(&spot)] : locked(spot)
        case .semaphores: return semaphore(spot)
        case .conditions: return isDeep ? [atomic(&spot)] : waiting(spot)
        case .sharedLocks: return isDeep ? [atomic(&spot)] : sharing(spot)
        case .time: return timed(spot)
        case .spinning: return isDeep ? [atomic(&spot)] : spinning(spot)
        case .awaiting:
            return [
                .await(
                    chance(70)
                        ? condition(spot, reads: true)
                        : .and(condition(spot, reads: true), condition(spot, reads: true)))
            ]
        case .choosing:
            return chance(50)
                ? [.write(variable(spot), .choose(2))]
                : [.branch(.binary(.equal, .choose(2), .number(0)), statements(spot, most: 1), [])]
        case .children: return [atomic(&spot)]
        case .functions: return spot.isFunction ? [atomic(&spot)] : [call(&spot)]
        case .jumps: return [jump(spot)]
        case .counting: return isDeep ? [atomic(&spot)] : [counted(spot)]
        case .asserting: return [.assert(condition(spot))]
        }
    }

    // MARK: - Places and values

    /// An atomic.
    mutating func variable(_ spot: Spot) -> Place {
        switch number(5) {
        case 0, 1: return Place("a")
        case 2, 3: return Place("b")
        default: return Place("g", element(spot))
        }
    }

    mutating func element(_ spot: Spot) -> Expression {
        if spot.isArray && !spot.isFunction && chance(70) { return .index }
        return .number(number(2))
    }

    /// A number that stays small.
    mutating func value(_ spot: Spot) -> Expression {
        switch number(8) {
        case 0, 1, 2: return .number(number(3))
        case 3: return spot.isArray && !spot.isFunction ? .index : .number(1)
        case 4: return spot.locals.isEmpty ? .number(0) : .local(one(of: spot.locals))
        case 5: return .parameter("p")
        case 6: return .read(variable(spot))
        default: return .binary(.subtract, .number(1), .read(variable(spot)))
        }
    }

    /// - Parameter reads: whether it must read something shared, and may do nothing else.
    mutating func condition(_ spot: Spot, reads: Bool = false) -> Expression {
        let signs: [Expression.Sign] = [.equal, .equal, .notEqual, .less, .greater]
        if !reads && !spot.locals.isEmpty && chance(35) {
            return .binary(one(of: signs), .local(one(of: spot.locals)), .number(number(3)))
        }
        if !reads && spot.isArray && !spot.isFunction && chance(20) {
            return .binary(.equal, .index, .number(number(2)))
        }
        let isPlain = themes.contains(.plain) && chance(20)
        return .binary(one(of: signs), .read(isPlain ? Place("x") : variable(spot)), .number(number(3)))
    }

    // MARK: - Memory

    private mutating func atomic(_ spot: inout Spot) -> Statement {
        switch number(8) {
        case 0, 1: return .write(variable(spot), value(spot))
        case 2:
            return .evaluate(
                spot.isUncounted
                    ? .update(.exchange, variable(spot), value(spot)) : .update(.add, variable(spot), .number(1)))
        case 3: return .evaluate(.update(one(of: [.bitXor, .bitOr, .bitAnd]), variable(spot), .number(1)))
        case 4: return .evaluate(.compareExchange(variable(spot), .number(number(2)), .number(number(3))))
        case 5 where spot.depth < 3:
            return .branch(condition(spot), statements(spot, most: 1), chance(30) ? statements(spot, most: 1) : [])
        default:
            if !spot.variables.isEmpty && chance(50) {
                return .assign(one(of: spot.variables), .read(variable(spot)))
            }
            let name = "v\(number(1000))"
            if spot.locals.contains(name) { return .yield }
            defer {
                spot.locals.append(name)
                spot.variables.append(name)
            }
            return .declare(name, chance(70) ? .read(variable(spot)) : value(spot))
        }
    }

    private mutating func plain(_ spot: Spot) -> Statement {
        let place = chance(60) ? Place("x") : Place("xs", element(spot))
        switch number(4) {
        case 0, 1: return .write(place, value(spot))
        case 2: return spot.isUncounted ? .write(place, .number(1)) : .increase(place, .number(1))
        default: return .branch(.binary(.equal, .read(place), .number(number(2))), statements(spot, most: 1), [])
        }
    }

    // MARK: - Locks

    private mutating func locked(_ spot: Spot) -> [Statement] {
        let place = one(of: [Place("m"), Place("n"), Place("n"), Place("l", element(spot))])
        var inner = spot
        inner.locks.insert(place.object)
        switch number(10) {
        case 0..<6: return [.block(.lock, place, statements(inner, most: 2))]
        case 6, 7:
            return [.branch(.attempt(.lock, place), statements(inner, most: 1) + [.act(.unlock, place)], [])]
        case 8: return [.act(.lock, place)] + statements(inner, most: 1) + [.act(.unlock, place)]
        default: return chance(30) ? [.act(.unlock, place)] : [.act(.lock, place)]
        }
    }

    private mutating func waiting(_ spot: Spot) -> [Statement] {
        if spot.locks.contains("m") {
            return [.act(one(of: [.wait, .signal, .broadcast]), Place("c"))]
        }
        var inner = spot
        inner.locks.insert("m")
        let wait: Statement = .act(.wait, Place("c"))
        switch number(6) {
        case 0: return [.block(.lock, Place("m"), [wait])]
        case 1: return [.block(.lock, Place("m"), [.loop(condition(spot, reads: true), [wait])])]
        case 2: return [.block(.lock, Place("m"), [.branch(condition(spot, reads: true), [wait], [])])]
        case 3: return [.act(one(of: [.signal, .broadcast]), Place("c"))]
        default:
            return [
                .block(
                    .lock, Place("m"),
                    [.write(variable(spot), value(spot)), .act(one(of: [.signal, .broadcast]), Place("c"))])
            ]
        }
    }

    private mutating func sharing(_ spot: Spot) -> [Statement] {
        if spot.locks.contains("w") && chance(80) { return [.write(variable(spot), value(spot))] }
        var inner = spot
        inner.locks.insert("w")
        switch number(7) {
        case 0, 1, 2: return [.block(.reading, Place("w"), statements(inner, most: 2))]
        case 3, 4: return [.block(.writing, Place("w"), statements(inner, most: 2))]
        case 5:
            let attempt: Expression.Try = chance(50) ? .read : .write
            return [
                .branch(
                    .attempt(attempt, Place("w")), statements(inner, most: 1) + [.act(.unlockShared, Place("w"))], [])
            ]
        default: return [.act(one(of: [.readLock, .writeLock, .unlockShared]), Place("w"))]
        }
    }

    private mutating func semaphore(_ spot: Spot) -> [Statement] {
        switch number(6) {
        case 0, 1: return [.act(.take, Place("s"))]
        // In a loop that nothing counts the permits would grow.
        case 2, 3:
            return spot.isUncounted ? [.act(.take, Place("s")), .act(.give, Place("s"))] : [.act(.give, Place("s"))]
        case 4: return [.branch(.attempt(.take, Place("s")), statements(spot, most: 1), [])]
        default: return [.write(variable(spot), .permits(Place("s")))]
        }
    }

    // MARK: - Time

    private mutating func timed(_ spot: Spot) -> [Statement] {
        let time = 1 + number(3)
        switch number(8) {
        case 0, 1, 2: return [.sleep(number(10) == 0 ? 0 : time)]
        case 3:
            let place = Place(one(of: ["n", "m"]))
            return [
                .branch(
                    .attempt(.lockFor(time), place), statements(spot, most: 1) + [.act(.unlock, place)],
                    chance(40) ? statements(spot, most: 1) : [])
            ]
        case 4: return [.branch(.attempt(.takeFor(time), Place("s")), statements(spot, most: 1), [])]
        case 5, 6:
            if spot.locks.contains("m") {
                return [.branch(.not(.attempt(.waitFor(time), Place("c"))), statements(spot, most: 1), [])]
            }
            var inner = spot
            inner.locks.insert("m")
            let body: Statement = .branch(.not(.attempt(.waitFor(time), Place("c"))), statements(inner, most: 1), [])
            return [.block(.lock, Place("m"), [body])]
        default:
            let attempt: Expression.Try = chance(50) ? .readFor(time) : .writeFor(time)
            return [
                .branch(
                    .attempt(attempt, Place("w")), statements(spot, most: 1) + [.act(.unlockShared, Place("w"))], [])
            ]
        }
    }

    // MARK: - Loops and jumps

    private mutating func spinning(_ spot: Spot) -> [Statement] {
        var inner = spot
        (inner.isUncounted, inner.loops) = (true, spot.loops + 1)
        switch number(8) {
        case 0, 1, 2: return [.loop(condition(spot, reads: true), [.yield])]
        case 3:
            return [.loop(.not(.attempt(.take, Place("s"))), chance(50) ? [.yield] : [])]
        case 4:
            let place = Place("n")
            return [.loop(.not(.attempt(.lock, place)), [.yield]), .act(.unlock, place)]
        case 5:
            let flag = variable(spot)
            return [
                .loop(.binary(.equal, .update(.exchange, flag, .number(1)), .number(1)), []), .write(flag, .number(0)),
            ]
        case 6:
            let time = 1 + number(2)
            return [.loop(.not(.attempt(.takeFor(time), Place("s"))), chance(40) ? [.yield] : [])]
        default: return [.loop(condition(spot, reads: true), statements(inner, most: 2))]
        }
    }

    private mutating func counted(_ spot: Spot) -> Statement {
        var inner = spot
        inner.loops += 1
        if chance(50) { return .times(chance(30) ? .parameter("p") : .number(2), statements(inner, most: 2)) }
        let name = "i\(number(1000))"
        inner.locals.append(name)
        return .count(name, number(2), chance(30) ? .parameter("p") : .number(2), statements(inner, most: 2))
    }

    /// Leaves blocks in the middle: loops, locks, and the thread or function.
    private mutating func jump(_ spot: Spot) -> Statement {
        var leave: Statement =
            spot.loops > 0 && chance(75)
            ? (chance(50) ? .leave : .next) : .giveBack(spot.returnsNumber ? value(spot) : nil)
        // An endless loop without a step would end the run.
        if leave == .next && spot.isUncounted { leave = .leave }
        var body: Statement = .branch(condition(spot), [leave], [])
        let place = one(of: [Place("m"), Place("n"), Place("l", element(spot))])
        if chance(60) && !spot.locks.contains(place.object) { body = .block(.lock, place, [body]) }
        if spot.loops > 0 || spot.depth > 3 || chance(40) { return body }
        var inner = spot
        inner.loops += 1
        let rest = statements(inner, most: 1)
        let exit: Statement = .branch(condition(spot), [chance(50) ? .leave : .next], [])
        let locked: Statement = chance(60) ? .block(.lock, place, [exit] + rest) : exit
        return .times(.number(2), [locked] + (chance(50) ? rest : []))
    }

    private mutating func call(_ spot: inout Spot) -> Statement {
        let labels: [String?] = chance(50) ? ["from", "to"] : [nil, nil]
        let call = Expression.call("f", [value(spot), value(spot)], labels: labels)
        if chance(60) { return .write(variable(spot), call) }
        let name = "r\(number(1000))"
        if spot.locals.contains(name) { return .yield }
        defer { spot.locals.append(name) }
        return .declare(name, call)
    }
}
