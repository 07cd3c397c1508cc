import LabProgram
import LabSyntax
import Machine

/// The code of claims: each becomes a body of its own that leaves the claim's value in its first slot. The host runs it
/// at the end or in every state, and its reads are not steps.
extension Compiler {
    mutating func compile(_ claim: Program.Claim) {
        line = claim.site.line
        switch claim.kind {
        case .always(let condition): compile(condition, .always, claim)
        case .never(let condition): compile(condition, .never, claim)
        case .sometimes(let condition): compile(condition, .sometimes, claim)
        case .invariant(let condition): compile(condition, .invariant, claim)
        case .possible(let condition):
            compile(condition, .possible(word: sharedWords.count), claim)
            sharedWords.append(0)
        case .eventually(let condition):
            compile(condition, .eventually(word: sharedWords.count), claim)
            sharedWords.append(0)
        case .outcomes(let places, let rows): compile(places, rows, claim)
        case .linearizable: compileLinearizable(claim)
        case .completes, .findings, .warnings: break
        }
    }

    /// The value of this claim is computed by the host from the recorded calls, not by code.
    private mutating func compileLinearizable(_ claim: Program.Claim) {
        begin(slots: 1, isFunction: false)
        let entry = code.count
        push(0)
        end(.linearizable, entry, claim, [])
    }

    private mutating func compile(
        _ condition: Program.Expression, _ kind: CompiledClaim.Kind, _ claim: Program.Claim
    ) {
        begin(slots: 1, isFunction: false)
        let entry = code.count
        expression(condition)
        end(kind, entry, claim, condition.readPlaces)
    }

    private mutating func compile(
        _ places: [Program.Place], _ rows: [Program.Claim.Row], _ claim: Program.Claim
    ) {
        begin(slots: 1, isFunction: false)
        let entry = code.count
        var found: [Int] = []
        for (number, row) in rows.enumerated() {
            var misses: [Int] = []
            for (place, final) in zip(places, row.values) {
                depth = 0
                expression(condition(place, final))
                misses.append(emit(.jumpIfFalse))
            }
            depth = 0
            push(number + 1)
            found.append(emit(.jump))
            for miss in misses { land(miss) }
        }
        push(0)
        for jump in found { land(jump) }
        end(.outcomes(rows.map(\.text)), entry, claim, places)
    }

    /// The condition that the place has the value that a row of `outcomes` gives for it.
    private func condition(_ place: Program.Place, _ final: Program.Claim.Final) -> Program.Expression {
        let site = place.site
        switch final {
        case .list(let values):
            return Program.Expression(kind: .equals(list: place.object, values), type: .boolean, site: site)
        case .value(let value):
            let isAtomic = if case .atomic = program.objects[place.object].kind { true } else { false }
            let read = Program.Expression(
                kind: isAtomic ? .perform(.operation(.load), place, []) : .read(place), type: value.type, site: site)
            return Program.Expression(kind: .binary(.equal, read, value), type: .boolean, site: site)
        }
    }

    /// Ends the body, whose value is on the stack, and adds the claim.
    private mutating func end(
        _ kind: CompiledClaim.Kind, _ entry: Int, _ claim: Program.Claim, _ places: [Program.Place]
    ) {
        emit(.set, 0)
        emit(.end)
        var compiled = CompiledClaim(
            kind: kind, isBroken: claim.isBroken, body: bodies.count, text: claim.assertion, line: claim.site.line)
        compiled.places = places
        compiled.place = ClaimEnd.place(of: compiled.failure)
        if program.brokenClaims.count > 1 && claim.isBroken { brokenStates[claims.count] = claim.text }
        claims.append(compiled)
        finish(entry, 0)
    }
}

extension Program {
    /// The declared objects that claims about every state read.
    var observedObjects: Set<Int> {
        var objects: Set<Int> = []
        for claim in presentClaims {
            switch claim.kind {
            case .invariant(let condition), .eventually(let condition), .possible(let condition):
                ProgramWalk.expressions(condition) { expression in
                    switch expression.kind {
                    case .read(let place), .perform(_, let place, _): objects.insert(place.object)
                    case .equals(let list, _): objects.insert(list)
                    default: break
                    }
                }
            case .completes, .findings, .warnings, .always, .never, .sometimes, .outcomes, .linearizable: break
            }
        }
        return objects
    }
}
