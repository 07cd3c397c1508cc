import LabSyntax

/// Checks parameters and objects: finds their types, and checks their initial values, which are constants.
extension Checker {
    // MARK: - Parameters

    mutating func checkParameter(_ item: Syntax.Item) {
        guard case .parameter(let declaration) = item, let number = parameters.next() else { return }
        let name = declaration.name
        var parameter = program.parameters[number]
        defer { program.parameters[number] = parameter }
        guard let value = attempt({ checker throws(Refused) in try checker.literal(declaration.value) }) else { return }
        parameter.type = value.type
        parameter.defaultValue = value.value
        if let type = declaration.type { require(value.type, is: type, at: declaration.value.span) }
        if let bounds = declaration.range { parameter.range = range(bounds, value.type) }
        if let range = parameter.range, !range.contains(value.value) {
            let problem = ValueProblem.outOfRange(name.text, value.value, range)
            diagnostics.report(problem, at: declaration.value.span)
        }
    }

    /// Checks and evaluates a constant that must not depend on parameters.
    private mutating func literal(
        _ expression: Syntax.Expression
    ) throws(Refused) -> (type: ValueType, value: Int) {
        let constant = try constant(expression)
        guard constant.isLiteral else { throw refuse(RuleProblem.parameterFirst, at: expression.span) }
        do throws(ConstantEvaluator.Failure) {
            return (constant.type ?? .integer, try ConstantEvaluator(arguments: []).value(of: constant))
        } catch {
            throw refuse(ValueProblem.noResult(error.reason), at: expression.span)
        }
    }

    private mutating func range(_ bounds: Syntax.Bounds, _ type: ValueType) -> ClosedRange<Int>? {
        attempt { checker throws(Refused) in
            let lower = try checker.literal(bounds.lower)
            let upper = try checker.literal(bounds.upper)
            for (found, expression) in [(lower.type, bounds.lower), (upper.type, bounds.upper)] {
                if type == .boolean || found != type {
                    let wanted: ValueType = type == .boolean ? .integer : type
                    throw checker.refuse(
                        TypeProblem.mismatch(wanted: wanted, found: found == wanted ? type : found),
                        at: expression.span)
                }
            }
            // `&-` does not trap for the smallest integer.
            let last = bounds.isClosed ? upper.value : upper.value &- 1
            guard lower.value <= upper.value, lower.value <= last, bounds.isClosed || last < upper.value else {
                throw checker.refuse(ValueProblem.emptyRange, at: bounds.lower.span.through(bounds.upper.span))
            }
            return lower.value...last
        }
    }

    /// Checks a constant: an expression of numbers, operators and parameters.
    mutating func constant(_ expression: Syntax.Expression) throws(Refused) -> Program.Expression {
        try with(.constant) { checker throws(Refused) in try checker.value(expression) }
    }

    mutating func constant(_ expression: Syntax.Expression, _ type: ValueType) throws(Refused)
        -> Program.Expression
    {
        try with(.constant) { checker throws(Refused) in try checker.value(expression, type) }
    }

    /// Reports a type annotation that is not the type of the value.
    mutating func require(_ type: ValueType, is name: Syntax.TypeName, at span: Span) {
        if name.isList {
            diagnostics.report(TypeProblem.localList, at: name.span)
        } else if name.type != type {
            diagnostics.report(TypeProblem.mismatch(wanted: name.type, found: type), at: span)
        }
    }

    // MARK: - Objects

    mutating func checkObjects(_ item: Syntax.Item) {
        guard case .objects(let declaration) = item else { return }
        for declarator in declaration.declarators {
            guard let number = objects.next() else { return }
            var object = program.objects[number]
            if let count = declarator.count {
                // Even if the number is wrong, and replaced by a placeholder, its presence makes the object an array.
                object.count =
                    attempt { checker throws(Refused) in try checker.constant(count, .integer) }
                    ?? Program.Expression(kind: .parameter(0), type: .integer, site: object.site)
            }
            _ = attempt { checker throws(Refused) in try checker.complete(&object, declarator, declaration.kind) }
            program.objects[number] = object
        }
    }

    /// Adds the initial values to an object, and to a variable its type.
    private mutating func complete(
        _ object: inout Program.Object, _ declarator: Syntax.Declarator, _ kind: Syntax.ObjectDeclaration.Kind
    ) throws(Refused) {
        switch kind {
        case .shared, .atomic: try completeCell(&object, declarator)
        case .semaphore:
            guard let value = declarator.value else {
                object.initial = [Program.Expression(kind: .constant(0), type: .integer, site: object.site)]
                return
            }
            object.initial = try initialValues(value, .integer)
        case .built:
            if let number = declarator.number { object.initial = [try constant(number, .integer)] }
        case .mutex, .readWriteLock, .condition: break
        }
    }

    private mutating func completeCell(
        _ object: inout Program.Object, _ declarator: Syntax.Declarator
    ) throws(Refused) {
        guard let value = declarator.value else { return }
        // The type in the kind is still a placeholder.
        let isAtomic = object.kind == .atomic(.integer)
        // `shared a[3] = [1, 2, 3]` is an array, and `shared a = [1, 2, 3]` is a list.
        if case .list(let values) = value.kind, declarator.count == nil || values.isEmpty {
            if isAtomic { throw refuse(TypeProblem.listLiteral, at: value.span) }
            if declarator.count != nil { throw refuse(TypeProblem.arrayOfLists, at: value.span) }
            let annotated = declarator.type.map(\.type)
            // Even if the values are wrong, the object is a list.
            object.kind = .list(of: annotated ?? .integer)
            if let type = declarator.type, !type.isList {
                throw refuse(TypeProblem.listLiteral, at: value.span)
            }
            object.initial = try initialValues(value, annotated)
            object.kind = .list(of: object.initial.first?.type ?? annotated ?? .integer)
            return
        }
        if let type = declarator.type, type.isList { throw refuse(TypeProblem.arrayOfLists, at: type.span) }
        object.initial = try initialValues(value, declarator.type?.type)
        let type = object.initial.first?.type ?? .integer
        object.kind = isAtomic ? .atomic(type) : .cell(type)
        if type == .duration {
            let noun = isAtomic ? "an atomic" : "a shared variable"
            throw refuse(TypeProblem.noVariable(noun, type), at: value.span)
        }
    }

    /// Checks an initial value, or several in square brackets, all of one type.
    ///
    /// - Parameter type: the type that the declaration names. Nil: none.
    private mutating func initialValues(
        _ expression: Syntax.Expression, _ type: ValueType?
    ) throws(Refused) -> [Program.Expression] {
        guard case .list(let values) = expression.kind else {
            if let type { return [try constant(expression, type)] }
            return [try constant(expression)]
        }
        if values.count > Limits.elements {
            throw refuse(RuleProblem.tooMany("values in a list", Limits.elements), at: expression.span)
        }
        var typed: [Program.Expression] = []
        for value in values {
            let constant = try constant(value)
            guard let found = constant.type, found == type ?? typed.first?.type ?? found, found != .duration else {
                throw refuse(TypeProblem.mixedList, at: value.span)
            }
            typed.append(constant)
        }
        return typed
    }
}
