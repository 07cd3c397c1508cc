import LabSyntax
import Text

/// Checks expressions: finds their types, and the meaning of names in them.
extension Checker {
    /// Checks an expression that must have a value of this type.
    mutating func value(
        _ expression: Syntax.Expression, _ type: ValueType
    ) throws(Refused) -> Program.Expression {
        let value = try value(expression)
        if let found = value.type, found != type {
            throw refuse(TypeProblem.mismatch(wanted: type, found: found), at: expression.span)
        }
        return value
    }

    /// Checks an expression that must have a value.
    mutating func value(_ expression: Syntax.Expression) throws(Refused) -> Program.Expression {
        let value = try evaluate(expression)
        if value.type == nil {
            throw refuse(TypeProblem.noValue(source.text(expression.mark)), at: expression.mark)
        }
        return value
    }

    /// Checks an expression that may have no value, such as `m.lock()`.
    mutating func evaluate(_ expression: Syntax.Expression) throws(Refused) -> Program.Expression {
        let site = site(expression.span)
        switch expression.kind {
        case .integer(let value): return Program.Expression(kind: .constant(value), type: .integer, site: site)
        case .duration(let value): return Program.Expression(kind: .constant(value), type: .duration, site: site)
        case .boolean(let value): return Program.Expression(kind: .constant(value ? 1 : 0), type: .boolean, site: site)
        case .name(let name): return try named(name, at: expression.span)
        case .index: return try index(at: expression.span)
        case .prefix(let sign, let operand): return try prefix(sign, operand, expression)
        case .binary(let sign, let left, let right): return try binary(sign, left, right, expression)
        case .subscripted(let base, let index): return try element(base, index, expression.span)
        case .member(let base, let name, let arguments): return try member(base, name, arguments, expression)
        case .call(let name, let arguments): return try call(name, arguments, expression.span)
        case .choose(let arguments): return try choice(arguments, expression)
        case .list: throw refuse(TypeProblem.listLiteral, at: expression.span)
        }
    }

    /// The names of local variables, parameters and memory, for suggestions in messages.
    var valueNames: [String] {
        let objects = program.objects
        let shared = names { global in
            switch global {
            case .parameter: true
            case .object(let number): objects[number].kind.elementType != nil
            case .thread, .function: false
            }
        }
        return (body?.visibleNames ?? []) + shared
    }

    private mutating func named(_ name: String, at span: Span) throws(Refused) -> Program.Expression {
        let site = site(span)
        if let local = body?.local(name) {
            body?.markRead(name)
            return Program.Expression(kind: .slot(local.slot), type: body?.slots[local.slot].type, site: site)
        }
        guard let global = globals[name]?.global else {
            throw refuseUnknown(name, "variable", at: span) {
                ForeignWords.value(name) ?? namingHint(for: name, among: $0.valueNames)
            }
        }
        switch global {
        case .parameter(let number):
            usage.used.insert(global)
            return Program.Expression(kind: .parameter(number), type: program.parameters[number].type, site: site)
        case .object(let number): return try read(number, name, nil, span)
        case .thread, .function:
            let hint = global.isFunction ? "write '\(name.printable)(…)'" : nil
            throw refuse(NameProblem.wrongThing(name, is: noun(global), wanted: "a value", hint: hint), at: span)
        }
    }

    private mutating func element(
        _ base: Syntax.Expression, _ index: Syntax.Expression, _ span: Span
    ) throws(Refused) -> Program.Expression {
        guard case .name(let name) = base.kind else { throw refuse(TypeProblem.methodOfValue, at: base.span) }
        if body?.local(name) != nil {
            throw refuse(TypeProblem.subscriptOfSingle(name, kind: "a variable"), at: base.span)
        }
        // `named` reports the unknown name.
        guard let global = globals[name]?.global else { return try named(name, at: base.span) }
        guard case .object(let number) = global else {
            throw refuse(
                NameProblem.wrongThing(name, is: noun(global), wanted: "a shared variable", hint: nil), at: base.span)
        }
        return try read(number, name, index, span)
    }

    /// Checks the read of a shared variable or of a list's element, which is one step. In a claim, an atomic may be
    /// read by its bare name.
    private mutating func read(
        _ number: Int, _ name: String, _ index: Syntax.Expression?, _ span: Span
    ) throws(Refused) -> Program.Expression {
        if mode == .constant { throw refuse(RuleProblem.notConstant(instead: nil), at: span) }
        let kind = program.objects[number].kind
        usage.read.insert(number)
        switch kind {
        case .cell(let type):
            let place = try place(number, name, index, at: span)
            return Program.Expression(kind: .read(place), type: type, site: site(span))
        case .list(let type):
            guard let index else { throw refuse(TypeProblem.listAsValue(name), at: span) }
            usage.used.insert(.object(number))
            let place = Program.Place(object: number, index: try value(index, .integer), slot: nil, site: site(span))
            return Program.Expression(kind: .read(place), type: type, site: site(span))
        case .atomic(let type):
            let place = try place(number, name, index, at: span)
            guard mode == .claim else {
                let hint = "write '\(source.text(span).printable).load()'"
                throw refuse(TypeProblem.objectAsValue(name, kind: kind.noun, hint: hint), at: span)
            }
            return Program.Expression(kind: .perform(.operation(.load), place, []), type: type, site: site(span))
        default: throw refuse(TypeProblem.objectAsValue(name, kind: kind.noun, hint: nil), at: span)
        }
    }

    private mutating func index(at span: Span) throws(Refused) -> Program.Expression {
        if mode == .constant { throw refuse(RuleProblem.notConstant(instead: nil), at: span) }
        switch body?.owner {
        case .thread(_, isArray: true): break
        case .thread(let name, _): throw refuse(NameProblem.indexInSingleThread(name), at: span)
        case .function: throw refuse(NameProblem.indexInFunction, at: span)
        case .finally, nil: throw refuse(NameProblem.indexOutside, at: span)
        }
        return Program.Expression(kind: .index, type: .integer, site: site(span))
    }

    /// Checks `choose(n)`.
    private mutating func choice(
        _ arguments: [Syntax.Argument], _ expression: Syntax.Expression
    ) throws(Refused) -> Program.Expression {
        try refuseOutsideOfCode("'choose'", expression.mark)
        guard arguments.count == 1 else {
            throw refuse(TypeProblem.wrongCount("choose", usage: ["choose(n)"]), at: expression.span)
        }
        try checkLabels(arguments, [nil])
        let count = try value(arguments[0].value, .integer)
        if case .constant(let value) = count.kind, value < 1 {
            throw refuse(ValueProblem.noChoice(value), at: arguments[0].value.span)
        }
        return Program.Expression(kind: .choose(count), type: .integer, site: site(expression.span))
    }

    /// Refuses operations with effects in constants, `await` and claims.
    mutating func refuseOutsideOfCode(_ what: String, _ span: Span) throws(Refused) {
        switch mode {
        case .code: break
        case .constant: throw refuse(RuleProblem.notConstant(instead: nil), at: span)
        case .await: throw refuse(RuleProblem.notInAwait(what), at: span)
        case .claim: throw refuse(RuleProblem.notObservable(what), at: span)
        }
    }
}

extension Global {
    var isFunction: Bool { if case .function = self { true } else { false } }
}
