import LabSyntax

/// Checks statements; those with blocks in `Checker+Control`.
extension Checker {
    mutating func check(_ statement: Syntax.Statement) throws(Refused) -> Program.Statement {
        Program.Statement(kind: try kind(statement), site: site(statement.span))
    }

    private mutating func kind(_ statement: Syntax.Statement) throws(Refused) -> Program.Statement.Kind {
        switch statement.kind {
        case .variable(let declaration): return try variable(declaration)
        case .assign(let target, let sign, let value): return try assignment(target, sign, value)
        case .expression(let expression): return try effect(expression)
        case .if(let branches, let otherwise): return branch(branches, otherwise)
        case .while, .for, .repeat: return try loop(statement.kind)
        case .break:
            try requireLoop("break", statement.span)
            return .leave
        case .continue:
            try requireLoop("continue", statement.span)
            return .next
        case .return(let value): return try returned(value, statement.span)
        case .locked(let mode, let place, let block): return try locked(mode, place, block)
        case .enclosed(let recipe, let place, let block): return try enclosed(recipe, place, block)
        case .spawn(let thread): return .spawn(try threadPlace(thread) { $0.spawned.insert($1) })
        case .join(let thread): return .join(try threadPlace(thread) { $0.joined.insert($1) })
        case .detach(let thread): return .detach(try threadPlace(thread) { $0.detached.insert($1) })
        case .await, .assert, .note, .sleep, .yield: return try wordStatement(statement.kind)
        case .progress: return .progress
        }
    }

    /// Checks a statement that is a keyword and what follows it: an expression, a text, or nothing.
    private mutating func wordStatement(_ kind: Syntax.Statement.Kind) throws(Refused) -> Program.Statement.Kind {
        switch kind {
        case .await(let condition):
            return .await(try with(.await) { checker throws(Refused) in try checker.value(condition, .boolean) })
        case .assert(let condition, let text):
            let value = try value(condition, .boolean)
            return .assert(
                value, try text.map { text throws(Refused) in try interpolated(text) }, source: line(condition.span))
        case .note(let text): return .note(try interpolated(text))
        case .sleep(let time):
            let value = try value(time, .duration)
            try refuseNegativeTime(value, time.span)
            return .sleep(value)
        default: return .yield
        }
    }

    mutating func refuseNegativeTime(_ time: Program.Expression, _ span: Span) throws(Refused) {
        if case .constant(let value) = time.kind, value < 0 { throw refuse(ValueProblem.negativeTime, at: span) }
    }

    /// The text of the source on one line.
    func line(_ span: Span) -> String {
        source.text(span).split { $0.isWhitespace }.joined(separator: " ")
    }

    private mutating func interpolated(_ text: Syntax.Interpolation) throws(Refused) -> Program.Text {
        var parts: [Program.Text.Part] = []
        for part in text.parts {
            switch part {
            case .words(let words): parts.append(.words(words))
            case .value(let expression): parts.append(.value(try value(expression)))
            }
        }
        return Program.Text(parts: parts)
    }

    // MARK: - Variables

    private mutating func variable(_ declaration: Syntax.VariableDeclaration) throws(Refused) -> Program.Statement.Kind
    {
        if case .list = declaration.value.kind {
            declareBroken(declaration)
            throw refuse(TypeProblem.localList, at: declaration.value.span)
        }
        guard let value = attempt({ checker throws(Refused) in try checker.value(declaration.value) }) else {
            declareBroken(declaration)
            throw refusal()
        }
        let type = value.type ?? .integer
        if let annotation = declaration.type { require(type, is: annotation, at: declaration.value.span) }
        // A name for the result of an operation or a call explains the program, even if nothing reads it.
        let slot = declare(
            declaration.name, type, isConstant: declaration.isConstant, mayBeUnread: value.isOperationOrCall)
        return .set(slot: slot, value)
    }

    /// Declares the name of a declaration that has an error, so that its uses cause no further errors.
    private mutating func declareBroken(_ declaration: Syntax.VariableDeclaration) {
        _ = declare(
            declaration.name, declaration.type?.type ?? .integer, isConstant: declaration.isConstant, mayBeUnread: true)
    }

    private mutating func assignment(
        _ target: Syntax.Expression, _ sign: Operator?, _ value: Syntax.Expression
    ) throws(Refused) -> Program.Statement.Kind {
        if case .name(let name) = target.kind, let local = body?.local(name) {
            return try localAssignment(local, target, sign, value)
        }
        let place = try assignable(target)
        let type = elementType(of: place)
        guard let sign else { return .write(place, try self.value(value, type)) }
        let operand = try self.value(value)
        _ = try resultType(sign, type, operand.type ?? .integer, at: target.span.through(value.span))
        usage.read.insert(place.object)
        return .update(withSlot(place), sign, operand)
    }

    private mutating func localAssignment(
        _ local: BodyScope.Local, _ target: Syntax.Expression, _ sign: Operator?, _ value: Syntax.Expression
    ) throws(Refused) -> Program.Statement.Kind {
        let type = body?.slots[local.slot].type ?? .integer
        if local.isConstant {
            // A constant that no `let` declares is a parameter of a function, or the variable of a loop.
            let word = "\(Keyword.let.rawValue) "
            let nameStart = local.name.span.start
            let isLet = source.text(Span(max(0, nameStart - word.utf8.count), nameStart)) == word
            throw refuse(
                TypeProblem.constantAssigned(local.name.text, hint: isLet ? "declare it with 'var'" : nil),
                at: target.span,
                notes: [Diagnostic.Note(message: "it is declared here", span: local.name.span)])
        }
        guard let sign else { return .set(slot: local.slot, try self.value(value, type)) }
        let operand = try self.value(value)
        _ = try resultType(sign, type, operand.type ?? .integer, at: target.span.through(value.span))
        let old = Program.Expression(kind: .slot(local.slot), type: type, site: site(target.span))
        return .set(
            slot: local.slot,
            Program.Expression(kind: .binary(sign, old, operand), type: type, site: site(target.span)))
    }

    /// The place, with a slot for its subscript unless that is a constant.
    mutating func withSlot(_ place: Program.Place) -> Program.Place {
        guard let index = place.index, !index.isConstant else { return place }
        var place = place
        place.slot = body?.newSlot(nil, .integer)
        return place
    }

    // MARK: - Effects

    /// Checks an expression that is a statement. Only calls can be one.
    private mutating func effect(_ expression: Syntax.Expression) throws(Refused) -> Program.Statement.Kind {
        switch expression.kind {
        case .member(_, let name, let arguments):
            let value = try evaluate(expression)
            if arguments == nil { throw refuse(TypeProblem.unusedValue(hint: nil), at: expression.span) }
            if case .perform(let action, let place, _) = value.kind,
                Members.of(program.objects[place.object].kind).first(where: { $0.action == action.ordered(.init()) })?
                    .use
                    == .mustBeTested
            {
                diagnostics.warn(Caution.resultIgnored(name.text), at: name.span)
            }
            return .evaluate(value)
        case .call(let name, let arguments) where ownFunction(name) == .fence:
            return .fence(try fence(arguments, expression.span))
        case .call: return .evaluate(try evaluate(expression))
        default:
            _ = try value(expression)
            var hint: String?
            if case .binary(.strict(.equal), _, _) = expression.kind { hint = "to assign, write '='" }
            throw refuse(TypeProblem.unusedValue(hint: hint), at: expression.span)
        }
    }
}

extension Program.Expression {
    /// Whether it is an operation on an object, a call or a `choose`; whether its operands are does not matter.
    fileprivate var isOperationOrCall: Bool {
        switch kind {
        case .perform, .call, .choose: true
        default: false
        }
    }
}
