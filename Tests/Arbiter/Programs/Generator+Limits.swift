/// Statements about what may take too long, or end for no reason.
extension Generator {
    mutating func impatient(_ spot: Spot) -> [Statement] {
        switch number(9) {
        case 0, 1, 2: return sharing(spot, for: 1 + number(2))
        case 3, 4: return waiting(spot, for: 1 + number(2))
        case 5:
            let tell: Statement = .act(chance(70) ? .signal : .broadcast, Place("c"))
            if spot.locks.contains("m") { return [tell] }
            return [.block(.lock, Place("m"), [.write(variable(spot), value(spot)), tell])]
        case 6: return limited(spot, for: 1 + number(2))
        case 7:
            let attempt: Expression = .weakCompareExchange(variable(spot), .number(number(2)), .number(number(3)))
            return [chance(50) ? .evaluate(attempt) : .branch(attempt, statements(spot, most: 1), [giveUp(spot)])]
        default: return [.sleep(1 + number(2))]
        }
    }

    private mutating func giveUp(_ spot: Spot) -> Statement { .write(variable(spot), value(spot)) }

    /// Readers behind writers that stand in line and may leave it.
    private mutating func sharing(_ spot: Spot, for time: Int) -> [Statement] {
        let place = Place("w")
        var inner = spot
        inner.locks.insert("w")
        inner.depth += 1
        let attempt: Expression.Try = chance(50) ? .readFor(time) : .writeFor(time)
        let timed: Statement = .branch(
            .attempt(attempt, place), statements(inner, most: 1) + [.act(.unlockShared, place)], [giveUp(spot)])
        if spot.locks.contains("w") { return chance(70) ? [timed] : [giveUp(spot)] }
        switch number(4) {
        case 0: return [.block(.reading, place, [timed])]
        case 1: return [.block(chance(50) ? .reading : .writing, place, statements(inner, most: 2))]
        default: return [timed]
        }
    }

    /// Waits that end by a signal, by their limit or by themselves.
    private mutating func waiting(_ spot: Spot, for time: Int) -> [Statement] {
        let late: Expression = .not(.attempt(.waitFor(time), Place("c")))
        let wait: Statement =
            chance(70) ? .branch(late, [giveUp(spot)], chance(40) ? [giveUp(spot)] : []) : .act(.wait, Place("c"))
        let test = condition(spot, reads: true)
        let waits: Statement = chance(60) ? .branch(test, [wait], []) : chance(50) ? .times(.number(2), [wait]) : wait
        let body = chance(50) ? [waits, .assert(condition(spot, reads: true))] : [waits]
        return spot.locks.contains("m") ? body : [.block(.lock, Place("m"), body)]
    }

    private mutating func limited(_ spot: Spot, for time: Int) -> [Statement] {
        if chance(40) {
            return [.branch(.attempt(.takeFor(time), Place("s")), [.act(.give, Place("s"))], [giveUp(spot)])]
        }
        let place = chance(50) ? Place("m") : Place("l", element(spot))
        if spot.locks.contains(place.object) { return [giveUp(spot)] }
        var inner = spot
        inner.locks.insert(place.object)
        return [
            .branch(
                .attempt(.lockFor(time), place), statements(inner, most: 1) + [.act(.unlock, place)], [giveUp(spot)])
        ]
    }
}
