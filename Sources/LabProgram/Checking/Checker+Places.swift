import LabSyntax
import Recipes
import Text

/// Checks names of objects, with and without subscripts.
extension Checker {
    /// The parts of `name` or `name[index]`. Throws for any other expression, without a report: where the parser lets
    /// one pass, the caller reports it.
    func nameAndIndex(
        _ expression: Syntax.Expression
    ) throws(Refused) -> (name: String, index: Syntax.Expression?) {
        switch expression.kind {
        case .name(let name): return (name, nil)
        case .subscripted(let base, let index):
            if case .name(let name) = base.kind { return (name, index) }
        default: break
        }
        throw refusal()
    }

    /// Checks the name of an object of a certain kind, or of an element of an array of them.
    ///
    /// - Parameters:
    ///   - what: the kind's noun, without article.
    ///   - isWanted: whether a kind of object is the wanted one.
    mutating func place(
        _ expression: Syntax.Expression, _ what: String, where isWanted: (Program.Object.Kind) -> Bool
    ) throws(Refused) -> Program.Place {
        let (name, index) = try nameAndIndex(expression)
        if let local = body?.local(name) {
            let problem = NameProblem.wrongThing(name, is: "a variable", wanted: "a \(what)", hint: nil)
            throw refuse(
                problem, at: expression.span, notes: [.init(message: "it is declared here", span: local.name.span)])
        }
        guard let global = globals[name]?.global else {
            let objects = program.objects
            throw unknown(name, what, at: expression.span) { global in
                if case .object(let number) = global { isWanted(objects[number].kind) } else { false }
            }
        }
        guard case .object(let number) = global, isWanted(program.objects[number].kind) else {
            let problem = NameProblem.wrongThing(
                name, is: noun(global), wanted: "a \(what)", hint: hint(name, global, wanted: what))
            throw refuse(problem, at: expression.span)
        }
        return try place(number, name, index, at: expression.span)
    }

    /// What to write for an object of this kind instead of the wanted kind, such as `reading r { … }` for
    /// `lock r { … }`.
    private func hint(_ name: String, _ global: Global, wanted: String) -> String? {
        guard case .object(let number) = global else { return nil }
        switch (program.objects[number].kind, wanted) {
        case (.built(let recipe), _) where recipe.block != nil: return "write '\(recipe.word) \(name.printable) { … }'"
        case (.readWriteLock, "mutex"): return "write 'reading \(name.printable) { … }' or 'writing …'"
        case (.mutex, let wanted) where wanted == "read-write lock" || Recipe.named(wanted) != nil:
            return "write 'lock \(name.printable) { … }'"
        case (.semaphore, "mutex"): return "write '\(name.printable).wait()' and '\(name.printable).signal()'"
        default: return nil
        }
    }

    /// Checks that an array has a subscript, and that any other object has none.
    mutating func place(
        _ number: Int, _ name: String, _ index: Syntax.Expression?, at span: Span
    ) throws(Refused) -> Program.Place {
        usage.used.insert(.object(number))
        let object = program.objects[number]
        var place = Program.Place(object: number, index: nil, slot: nil, site: site(span))
        if let index {
            if object.count == nil {
                throw refuse(TypeProblem.subscriptOfSingle(name, kind: object.kind.noun), at: index.span)
            }
            let subscripted = try value(index, .integer)
            try refuseOutOfBounds(subscripted, object, at: index.span)
            place.index = subscripted
        } else if object.count != nil {
            throw refuse(TypeProblem.arrayWithoutSubscript(name), at: span)
        }
        return place
    }

    /// Refuses a subscript if literals alone show that it is out of bounds. Others depend on parameters or on the run.
    private mutating func refuseOutOfBounds(
        _ index: Program.Expression, _ object: Program.Object, at span: Span
    ) throws(Refused) {
        guard let count = object.count, count.isLiteral, index.isLiteral else { return }
        let evaluator = ConstantEvaluator(arguments: [])
        guard let count = try? evaluator.value(of: count), let index = try? evaluator.value(of: index) else { return }
        if count > 0, !(0..<count).contains(index) {
            throw refuse(ValueProblem.outOfBounds("the subscript", index, 0...count - 1), at: span)
        }
    }

    /// Checks the target of an assignment: a shared variable, or an element of an array or a list.
    mutating func assignable(_ target: Syntax.Expression) throws(Refused) -> Program.Place {
        guard let (name, index) = try? nameAndIndex(target) else {
            throw refuse(TypeProblem.notAssignable, at: target.span)
        }
        guard let global = globals[name]?.global else {
            if body?.local(name) != nil, let index {
                throw refuse(TypeProblem.subscriptOfSingle(name, kind: "a variable"), at: index.span)
            }
            throw unknownTarget(name, at: target.span)
        }
        switch global {
        case .object(let number): return try assignable(number, name, index, at: target.span)
        case .parameter: throw refuse(TypeProblem.constantAssigned(name, hint: "it is a parameter"), at: target.span)
        case .thread, .function:
            throw refuse(
                NameProblem.wrongThing(name, is: noun(global), wanted: "a variable", hint: nil), at: target.span)
        }
    }

    private mutating func assignable(
        _ number: Int, _ name: String, _ index: Syntax.Expression?, at span: Span
    ) throws(Refused) -> Program.Place {
        refuseChangeOfGiven(number, at: span)
        switch program.objects[number].kind {
        case .cell: return try place(number, name, index, at: span)
        case .list:
            guard let index else { throw refuse(TypeProblem.listAsValue(name), at: span) }
            usage.used.insert(.object(number))
            return Program.Place(object: number, index: try value(index, .integer), slot: nil, site: site(span))
        case .atomic(let type):
            let written = source.text(span).printable
            let change = type == .boolean ? "exchange" : "add"
            throw refuse(
                TypeProblem.atomicAssigned(name, hint: "write '\(written).store(…)' or '\(written).\(change)(…)'"),
                at: span)
        case .mutex, .readWriteLock, .semaphore, .condition, .built:
            let kind = program.objects[number].kind
            throw refuse(TypeProblem.objectAsValue(name, kind: kind.noun, hint: nil), at: span)
        }
    }

    private mutating func unknownTarget(_ name: String, at span: Span) -> Refused {
        refuseUnknown(name, "variable", at: span) { checker in
            suggestion(for: name, among: checker.valueNames) ?? "to declare it here, write 'var \(name.printable) = …'"
        }
    }

    /// The keyword with which a lock or a semaphore of this noun is declared. Nil: it needs more than a name.
    private func keyword(ofLock what: String) -> Keyword? {
        switch what {
        case "mutex": .mutex
        case "read-write lock": .rwlock
        case "semaphore": .semaphore
        default: nil
        }
    }

    /// The type of the value in a variable or an element.
    func elementType(of place: Program.Place) -> ValueType {
        program.objects[place.object].kind.elementType ?? .integer
    }

    /// Refuses an unknown name.
    ///
    /// - Parameters:
    ///   - what: the noun for what is wanted.
    ///   - isWanted: whether a known name has the wanted meaning and can be suggested.
    mutating func unknown(_ name: String, _ what: String, at span: Span, _ isWanted: (Global) -> Bool) -> Refused {
        let keyword = keyword(ofLock: what)
        return refuseUnknown(name, what, at: span) { checker in
            let known = checker.names(where: isWanted)
            // If the program has no object of that kind, a declaration is missing: another name would not help.
            guard known.isEmpty, let keyword else {
                return namingHint(for: name, among: known)
            }
            return "declare it before the threads: '\(keyword.rawValue) \(name.printable)'"
        }
    }
}

extension Program.Object.Kind {
    /// The type of its value or its elements, if it is a shared variable, an atomic or a list.
    var elementType: ValueType? {
        switch self {
        case .cell(let type), .atomic(let type), .list(let type): type
        case .mutex, .readWriteLock, .semaphore, .condition, .built: nil
        }
    }
}
