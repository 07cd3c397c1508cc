/// What the program claims of its runs.
extension World {
    /// Memory has changed, or the run begins: what is claimed of every state is looked at.
    mutating func observe() {
        var failures: Set<Failure> = []
        var wish = layout.wishes
        for (number, claim) in program.tree.claims.enumerated() {
            switch claim.kind {
            case .invariant(let claim):
                if value(claim) == 0 { failures.insert(.claim(number)) }
            case .eventually(let claim):
                if value(claim) != 0 { words[wish] = 1 }
                wish += 1
            case .always, .never, .sometimes, .possible, .outcomes, .findings: break
            }
        }
        fail(failures)
    }

    /// What is claimed of the end is looked at.
    mutating func review() {
        var failures: Set<Failure> = []
        var wish = layout.wishes
        for (number, claim) in program.tree.claims.enumerated() {
            var holds = true
            switch claim.kind {
            case .always(let claim), .invariant(let claim): holds = value(claim) != 0
            case .never(let claim): holds = value(claim) == 0
            case .outcomes(let places, let rows):
                holds = rows.contains { row in zip(places, row).allSatisfy { value(.read($0)) == $1 } }
            case .eventually:
                holds = words[wish] == 1
                wish += 1
            case .sometimes, .possible, .findings: break
            }
            if !holds { failures.insert(.claim(number)) }
        }
        fail(failures)
    }

    /// Claims do not hold. If the program calls all of them broken, that is how such a run ends.
    mutating func fail(_ claims: Set<Failure>) {
        if claims.isEmpty { return }
        let areExpected = claims.allSatisfy { claim in
            if case .claim(let number) = claim { program.tree.claims[number].isBroken } else { false }
        }
        finish(areExpected ? .brokenClaim : .claim, claims)
    }

    /// The value of a claim, in which reads are no steps.
    func value(_ claim: Expression) -> Int {
        switch claim {
        case .number(let value): return value
        case .truth(let value): return value ? 1 : 0
        case .read(let place):
            var object = program.names.object(place.object)
            if let index = place.index { object += value(index) }
            return words[layout.value(object)]
        case .binary(let sign, let left, let right): return Self.value(sign, value(left), value(right))
        case .and(let left, let right): return value(left) != 0 && value(right) != 0 ? 1 : 0
        case .or(let left, let right): return value(left) != 0 || value(right) != 0 ? 1 : 0
        case .not(let part): return 1 - value(part)
        default: preconditionFailure("not in a claim")
        }
    }
}
