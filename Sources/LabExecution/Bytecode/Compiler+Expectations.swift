import LabProgram
import LabSyntax

/// What is asked at the end: bodies that leave their value in their first slot. Their reads are no steps.
extension Compiler {
    mutating func compile(_ expectation: Program.Expectation) {
        guard expectation.model != .weak else { return }
        line = expectation.site.line
        switch expectation.kind {
        case .always(let condition): compile(condition, .always, expectation)
        case .never(let condition): compile(condition, .never, expectation)
        case .sometimes(let condition): compile(condition, .sometimes, expectation)
        case .outcomes(let places, let rows): compile(places, rows, expectation)
        case .completes, .findings: break
        }
    }

    private mutating func compile(
        _ condition: Program.Expression, _ kind: CompiledExpectation.Kind, _ expectation: Program.Expectation
    ) {
        begin(slots: 1, isFunction: false)
        let entry = code.count
        expression(condition)
        end(kind, entry, expectation)
    }

    private mutating func compile(
        _ places: [Program.Place], _ rows: [Program.Expectation.Row], _ expectation: Program.Expectation
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
        end(.outcomes(rows.map(\.text)), entry, expectation)
    }

    private func condition(_ place: Program.Place, _ final: Program.Expectation.Final) -> Program.Expression {
        let site = place.site
        switch final {
        case .list(let values):
            return Program.Expression(kind: .equals(list: place.object, values), type: .boolean, site: site)
        case .value(let value):
            let isAtomic = if case .atomic = program.objects[place.object].kind { true } else { false }
            let read = Program.Expression(
                kind: isAtomic ? .perform(.load, place, []) : .read(place), type: value.type, site: site)
            return Program.Expression(kind: .binary(.equal, read, value), type: .boolean, site: site)
        }
    }

    private mutating func end(
        _ kind: CompiledExpectation.Kind, _ entry: Int, _ expectation: Program.Expectation
    ) {
        emit(.set, 0)
        emit(.end)
        expectations.append(
            CompiledExpectation(
                kind: kind, body: bodies.count, text: expectation.text, line: expectation.site.line))
        finish(entry, 0)
    }
}
