/// Changes that turn a read and a write of the same memory into one atomic step.
extension ChangeFinder {
    mutating func findUpdates() {
        for place in map.places {
            if let edits = addition(place) { add(.oneUpdate, "one update instead of a read and a write", edits) }
            for edits in exchanges(place) { add(.oneUpdate, "one update instead of a test and a write", edits) }
        }
        for name in map.names where map.objects[name]!.isShared { addAtomic(name) }
    }

    /// `let t = a.load()` … `a.store(t + 1)` → `let t = a.add(1)`
    private func addition(_ place: StatementMap.Place) -> [TextEdit]? {
        guard case .variable(let variable) = place.statement.kind, let load = map.call(variable.value),
            load.method == .load, map.objects[load.object]?.isAtomic == true
        else { return nil }
        for (index, statement) in place.block.statements.enumerated().dropFirst(place.index + 1) {
            if let store = map.call(statement), store.method == .store, store.receiver == load.receiver {
                guard let value = store.arguments.first?.value, let change = difference(value, from: variable.name.text)
                else { return nil }
                let previous = place.block.statements[index - 1].span
                return [
                    TextEdit(load.span, "\(load.receiver).add(\(change))"),
                    TextEdit(Span(previous.end, statement.span.end), ""),
                ]
            }
            if map.accesses(statement).contains(where: { $0.object == load.object }) { return nil }
        }
        return nil
    }

    /// The text of what the expression adds to the variable: `2` for `t + 2`, `-2` for `t - 2`. Nil: it is something
    /// else.
    private func difference(_ value: Syntax.Expression, from name: String) -> String? {
        guard case .binary(.strict(let sign), let left, let right) = value.kind else { return nil }
        switch (sign, left.kind, right.kind) {
        case (.add, .name(name), _): return map.text(right.span)
        case (.add, _, .name(name)): return map.text(left.span)
        case (.subtract, .name(name), .integer): return "-\(map.text(right.span))"
        case (.subtract, .name(name), _): return "-(\(map.text(right.span)))"
        default: return nil
        }
    }

    /// - `while a.load() { … }; a.store(true)` → `while a.exchange(true) { … }`
    /// - `if !a.load() { a.store(true) … }` → `if !a.exchange(true) { … }`
    /// - `await !a.load(); a.store(true)` → `while a.exchange(true) { yield }`
    private func exchanges(_ place: StatementMap.Place) -> [[TextEdit]] {
        switch place.statement.kind {
        case .while(let condition, _):
            guard place.index + 1 < place.block.statements.count else { return [] }
            let next = place.block.statements[place.index + 1]
            return exchange(condition, next, gap: Span(place.statement.span.end, next.span.end)).map { [$0] } ?? []
        case .await(let condition):
            guard case .prefix(.not, let tested) = condition.kind, let load = map.call(tested), load.method == .load,
                place.index + 1 < place.block.statements.count,
                let store = map.call(place.block.statements[place.index + 1]), store.method == .store,
                store.receiver == load.receiver, case .boolean(true)? = store.arguments.first?.value.kind
            else { return [] }
            let next = place.block.statements[place.index + 1]
            let loop = "while \(load.receiver).exchange(true) { yield }"
            return [
                [TextEdit(place.statement.span, loop), TextEdit(Span(place.statement.span.end, next.span.end), "")]
            ]
        case .if(let branches, _):
            guard let branch = branches.first, let first = branch.block.statements.first else { return [] }
            let end = branch.block.statements.count > 1 ? branch.block.statements[1].span.start : first.span.end
            return exchange(branch.condition, first, gap: Span(first.span.start, end)).map { [$0] } ?? []
        default: return []
        }
    }

    /// Replaces the only load in the condition by an exchange with the value that the statement stores. Nil: the
    /// statement does not store, or the condition does not have exactly one load of the same atomic.
    ///
    /// - Parameter gap: the span to remove, which contains the statement.
    private func exchange(_ condition: Syntax.Expression, _ statement: Syntax.Statement, gap: Span) -> [TextEdit]? {
        guard let store = map.call(statement), store.method == .store, let value = store.arguments.first?.value else {
            return nil
        }
        var loads: [StatementMap.Call] = []
        condition.visit { part in
            if let call = map.call(part), call.method == .load, call.receiver == store.receiver { loads.append(call) }
        }
        guard loads.count == 1 else { return nil }
        return [TextEdit(loads[0].span, "\(store.receiver).exchange(\(map.text(value.span)))"), TextEdit(gap, "")]
    }

    // MARK: - Plain memory that becomes atomic

    /// Proposes to declare the shared variable as an atomic, with its accesses changed accordingly.
    private mutating func addAtomic(_ name: String) {
        // An atomic cannot be a list.
        guard let declared = map.objects[name], !isList(declared.declarator),
            let declaration = atomicDeclaration(declared)
        else { return }
        var edits: [TextEdit] = []
        // The stores that the edits so far have merged into the read before them.
        var mergedStores: Set<Span> = []
        for place in map.places where !mergedStores.contains(place.statement.span) {
            if let merged = plainAddition(place, name) {
                mergedStores.insert(merged.store)
                edits += merged.edits
            } else {
                edits += self.edits(place.statement, name)
            }
        }
        for statement in map.finally?.statements ?? [] { edits += nested(statement, name) }
        add(.atomic, "'\(name)' atomic, and changed in one step", declaration + edits, size: 2)
    }

    private func isList(_ declarator: Syntax.Declarator) -> Bool {
        if declarator.count != nil { return false }
        if case .list = declarator.value?.kind { return true }
        return declarator.type?.isList ?? false
    }

    /// `shared a = 0` → `atomic a = 0`. If several objects are declared together, `a` gets a declaration of its own.
    private func atomicDeclaration(_ object: StatementMap.Object) -> [TextEdit]? {
        let all = object.declaration.declarators
        guard let first = all.first, let end = endOfDeclaration(first),
            let token = map.tokens.firstIndex(where: { $0.span.start == first.name.span.start }), token > 0,
            let number = all.firstIndex(where: { $0.name.span == object.declarator.name.span })
        else { return nil }
        let keyword = map.tokens[token - 1].span
        if all.count == 1 { return [TextEdit(keyword, Keyword.atomic.rawValue)] }
        guard let value = object.declarator.value else { return nil }
        let span = object.declarator.name.span.through(value.span)
        let gap =
            number > 0
            ? Span(all[number - 1].value?.span.end ?? span.start, span.end)
            : Span(span.start, all[1].name.span.start)
        return [TextEdit(gap, ""), TextEdit(at: end, "\n\(Keyword.atomic.rawValue) \(map.text(span))")]
    }

    /// `let t = x` … `x = t + 1` → `let t = x.add(1)`
    private func plainAddition(
        _ place: StatementMap.Place, _ name: String
    ) -> (edits: [TextEdit], store: Span)? {
        guard case .variable(let variable) = place.statement.kind, variable.value.object == name,
            place.index + 1 < place.block.statements.count
        else { return nil }
        let next = place.block.statements[place.index + 1]
        guard case .assign(let target, nil, let value) = next.kind,
            map.text(target.span) == map.text(variable.value.span),
            let change = difference(value, from: variable.name.text)
        else { return nil }
        return (
            [
                TextEdit(at: variable.value.span.end, ".add(\(change))"),
                TextEdit(Span(place.statement.span.end, next.span.end), ""),
            ], next.span
        )
    }

    /// The same as `edits`, including the statement's blocks.
    private func nested(_ statement: Syntax.Statement, _ name: String) -> [TextEdit] {
        edits(statement, name) + statement.blocks.flatMap { $0.statements.flatMap { nested($0, name) } }
    }

    /// Turns the statement's accesses to the variable, without those in its blocks, into operations of an atomic.
    private func edits(_ statement: Syntax.Statement, _ name: String) -> [TextEdit] {
        guard case .assign(let target, let sign, let value) = statement.kind, target.object == name else {
            return statement.expressions.flatMap { loads($0, name) }
        }
        let gap = Span(target.span.end, value.span.start)
        if sign == nil, let change = difference(value, fromText: map.text(target.span)) {
            return [TextEdit(Span(target.span.end, value.span.end), ".add(\(change))")]
        }
        let inner = loads(value, name)
        switch sign {
        case nil: return [TextEdit(gap, ".store(")] + inner + [TextEdit(at: value.span.end, ")")]
        case .add: return [TextEdit(gap, ".add(")] + inner + [TextEdit(at: value.span.end, ")")]
        case .subtract:
            if case .integer = value.kind { return [TextEdit(gap, ".add(-"), TextEdit(at: value.span.end, ")")] }
            return [TextEdit(gap, ".add(-(")] + inner + [TextEdit(at: value.span.end, "))")]
        default:
            return [TextEdit(gap, ".store(\(map.text(target.span)).load() \(sign!.rawValue) (")]
                + inner + [TextEdit(at: value.span.end, "))")]
        }
    }

    /// The text of what the expression adds to its left operand, which must have the given text. Nil: the expression is
    /// something else, or its right operand accesses the same variable.
    private func difference(_ value: Syntax.Expression, fromText text: String) -> String? {
        guard case .binary(.strict(let sign), let left, let right) = value.kind, map.text(left.span) == text,
            !map.accesses(in: right).contains(where: { $0.object == left.object })
        else { return nil }
        switch sign {
        case .add: return map.text(right.span)
        case .subtract: return "-(\(map.text(right.span)))"
        default: return nil
        }
    }

    /// Puts `.load()` after each read of the variable.
    private func loads(_ expression: Syntax.Expression, _ name: String) -> [TextEdit] {
        let here = [TextEdit(at: expression.span.end, ".load()")]
        switch expression.kind {
        case .name(name): return here
        case .subscripted(let array, let index) where array.object == name: return loads(index, name) + here
        case .integer, .boolean, .duration, .name, .index: return []
        case .list(let values): return values.flatMap { loads($0, name) }
        case .prefix(_, let value): return loads(value, name)
        case .binary(_, let left, let right), .subscripted(let left, let right):
            return loads(left, name) + loads(right, name)
        case .member(let receiver, _, let arguments):
            return loads(receiver, name) + (arguments ?? []).flatMap { loads($0.value, name) }
        case .call(_, let arguments), .choose(let arguments): return arguments.flatMap { loads($0.value, name) }
        }
    }
}
