import LabSyntax
import Machine

/// Checks calls of functions, and methods and properties of objects.
extension Checker {
    mutating func call(
        _ name: Syntax.Name, _ arguments: [Syntax.Argument], _ span: Span
    ) throws(Refused) -> Program.Expression {
        if let function = ownFunction(name) { return try call(function, name, arguments, span) }
        if mode == .constant, let instead = ForeignWords.constant(name.text) {
            throw refuse(RuleProblem.notConstant(instead: instead), at: name.span)
        }
        try refuseOutsideOfCode("a call", name.span)
        guard let global = globals[name.text]?.global else {
            throw refuseUnknown(name.text, "function", at: name.span) { checker in
                let own = Keyword.allCases.filter { $0.group == .function || $0 == .choose }.map(\.rawValue)
                let known = checker.names { $0.isFunction } + own
                return checker.method(name.text, of: arguments) ?? ForeignWords.statement(name.text)
                    ?? suggestion(for: name.text, among: known)
            }
        }
        guard case .function(let number) = global else {
            let problem = NameProblem.wrongThing(
                name.text, is: noun(global), wanted: "a function", hint: hidden(name.text))
            throw refuse(problem, at: name.span)
        }
        usage.used.insert(global)
        body?.callees.insert(number)
        let function = program.functions[number]
        guard arguments.count == function.parameters.count else {
            let names = function.parameters.map(\.name).joined(separator: ", ")
            throw refuse(TypeProblem.wrongCount(name.text, usage: ["\(name.text)(\(names))"]), at: span)
        }
        try checkLabels(arguments, function.parameters.map(\.name))
        var values: [Program.Expression] = []
        for (argument, parameter) in zip(arguments, function.parameters) {
            values.append(try value(argument.value, parameter.type))
        }
        return Program.Expression(
            kind: .call(function: number, values), type: function.result, site: site(span))
    }

    /// A hint for a call such as `unlock(m)` or `P(s)`, which means a method. Nil: it does not seem to mean one.
    private func method(_ name: String, of arguments: [Syntax.Argument]) -> String? {
        guard let first = arguments.first?.value, case .name(let object) = first.kind,
            case .object(let number) = globals[object]?.global
        else { return nil }
        let known = Members.of(program.objects[number].kind).filter { !$0.isProperty }.map(\.name)
        let method = known.contains(name) ? name : ForeignWords.member(name, among: known)
        return method.map {
            "write '\(object.printable).\($0)(…)'".replacing("(…)", with: arguments.count > 1 ? "(…)" : "()")
        }
    }

    /// Refuses a label that is not that of the parameter at its position, since the call would not do what it says. A
    /// label may be omitted.
    ///
    /// - Parameter labels: the labels of the parameters, one for each argument. Nil: that parameter has no label.
    mutating func checkLabels(_ arguments: [Syntax.Argument], _ labels: [String?]) throws(Refused) {
        for (argument, expected) in zip(arguments, labels) {
            guard let label = argument.label, label.text != expected else { continue }
            let isElsewhere = labels.contains(label.text)
            throw refuse(
                isElsewhere
                    ? TypeProblem.misplacedLabel(label.text, order: labels.compactMap(\.self))
                    : TypeProblem.wrongLabel(label.text, expected: expected), at: label.span)
        }
    }

    /// Checks the use of a method or property of an object: `m.lock()`, `buffer.count`.
    mutating func member(
        _ base: Syntax.Expression, _ name: Syntax.Name, _ arguments: [Syntax.Argument]?,
        _ expression: Syntax.Expression
    ) throws(Refused) -> Program.Expression {
        if mode == .constant {
            throw refuse(RuleProblem.notConstant(instead: ForeignWords.constant(name.text)), at: expression.span)
        }
        let place = try owner(base, name)
        let object = program.objects[place.object]
        let known = Members.of(object.kind)
        let candidates = known.filter { $0.name == name.text }
        guard !candidates.isEmpty else {
            let example = "\(object.kind.noun) such as \(quoted(object.name))"
            throw refuse(NameProblem.noMember(name.text, of: example, known: known.map(\.name)), at: name.span)
        }
        guard let arguments else {
            guard let property = candidates.first(where: \.isProperty) else {
                throw refuse(TypeProblem.missingParentheses(usage: candidates[0].usage), at: name.span)
            }
            return perform(property, place, [], Operation.Orders(), expression)
        }
        let methods = candidates.filter { !$0.isProperty }
        if methods.isEmpty { throw refuse(TypeProblem.parenthesesAtProperty(name.text), at: name.span) }
        let (plain, words) = try takeOrders(from: arguments, atMost: methods[0].orderings)
        let method = try choose(among: methods, plain, name, expression.span)
        let values = try argumentValues(plain, method, object)
        return perform(method, place, values, try orders(words, of: method), expression)
    }

    /// The object before the `.` of a method or property.
    private mutating func owner(_ base: Syntax.Expression, _ member: Syntax.Name) throws(Refused) -> Program.Place {
        guard let (name, index) = try? nameAndIndex(base) else {
            throw refuse(TypeProblem.methodOfValue, at: member.span)
        }
        if body?.local(name) != nil { throw refuse(TypeProblem.methodOfValue, at: member.span) }
        guard let global = globals[name]?.global else {
            throw refuseUnknown(name, "object", at: base.span) { checker in
                let objects = checker.names { if case .object = $0 { true } else { false } }
                return suggestion(for: name, among: objects) ?? ForeignWords.value(name)
                    ?? ForeignWords.statement(member.text) ?? namingHint(for: name, among: objects)
            }
        }
        switch global {
        case .object(let number): return try place(number, name, index, at: base.span)
        case .thread:
            let word = ["start", "run", "create"].contains(member.text) ? "spawn" : member.text
            guard ["spawn", "join", "detach"].contains(word) else { fallthrough }
            let thread = source.text(base.span)
            throw refuse(TypeProblem.threadMethod(member.text, instead: "\(word) \(thread)"), at: member.span)
        default: throw refuse(TypeProblem.methodOfValue, at: member.span)
        }
    }

    /// The method, of those with the same name, that fits the arguments.
    private mutating func choose(
        among methods: [Member], _ arguments: [Syntax.Argument], _ name: Syntax.Name, _ span: Span
    ) throws(Refused) -> Member {
        let fitting = methods.filter { $0.parameters.count == arguments.count }
        guard let method = fitting.first else {
            throw refuse(TypeProblem.wrongCount(name.text, usage: methods.map(\.usage)), at: span)
        }
        try checkLabels(arguments, method.parameters.map(\.label))
        for (argument, parameter) in zip(arguments, method.parameters)
        where argument.label == nil && parameter.isLabelRequired {
            throw refuse(TypeProblem.wrongCount(name.text, usage: methods.map(\.usage)), at: span)
        }
        return method
    }

    /// Checks the arguments of a method.
    private mutating func argumentValues(
        _ arguments: [Syntax.Argument], _ method: Member, _ object: Program.Object
    ) throws(Refused) -> [Program.Expression] {
        var values: [Program.Expression] = []
        for (argument, parameter) in zip(arguments, method.parameters) {
            switch parameter.type {
            case .element: values.append(try value(argument.value, object.kind.elementType ?? .integer))
            case .fixed(let type):
                let value = try value(argument.value, type)
                if type == .duration { try refuseNegativeTime(value, argument.value.span) }
                values.append(value)
            }
        }
        return values
    }

    /// The use of a method or property, as an expression. Reports one that does more than read where only reads are
    /// allowed.
    private mutating func perform(
        _ member: Member, _ place: Program.Place, _ values: [Program.Expression], _ orders: Operation.Orders,
        _ expression: Syntax.Expression
    ) -> Program.Expression {
        if !member.action.onlyLooks {
            _ = attempt { checker throws(Refused) in
                try checker.refuseOutsideOfCode(quoted(checker.source.text(expression.mark)), expression.mark)
            }
            refuseChangeOfGiven(place.object, at: expression.span)
        }
        let type: ValueType? =
            switch member.result {
            case .nothing: nil
            case .fixed(let type): type
            case .element: program.objects[place.object].kind.elementType
            }
        if type != nil { usage.read.insert(place.object) }
        let site = site(expression.span)
        let result = Program.Expression(
            kind: .perform(member.action.ordered(orders), place, values), type: type, site: site)
        // `isEmpty` is a comparison of `count` with 0.
        guard member.name == MemberName.isEmpty.rawValue else { return result }
        let count = Program.Expression(kind: result.kind, type: .integer, site: site)
        let zero = Program.Expression(kind: .constant(0), type: .integer, site: site)
        return Program.Expression(kind: .binary(.equal, count, zero), type: .boolean, site: site)
    }
}
