/// Changes of waits for conditions and of signals: which threads a signal wakes, and which predicate a wait tests.
extension ChangeFinder {
    /// `if` → `while` around a wait, and `signal` → `broadcast`: each place by itself, and all places of a condition.
    mutating func findWaits() {
        var loops: [String: [[TextEdit]]] = [:]
        var broadcasts: [String: [[TextEdit]]] = [:]
        for place in map.places {
            guard let call = map.call(place.statement), map.objects[call.object]?.isCondition == true else { continue }
            if call.method == .signal {
                let edit = [TextEdit(call.name.span, MemberName.broadcast.rawValue)]
                broadcasts[call.object, default: []].append(edit)
                add(.broadcast, "'broadcast' instead of 'signal' for '\(call.object)'", edit)
            }
            if call.method == .wait, let edit = loop(around: place) {
                loops[call.object, default: []].append(edit)
                add(.loopAroundWait, "'while' instead of 'if' around the wait for '\(call.object)'", edit)
            }
        }
        for object in map.names {
            addAll(.loopAroundWait, "'while' instead of 'if' around each wait for '\(object)'", loops[object] ?? [])
            addAll(
                .broadcast, "'broadcast' instead of each 'signal' for '\(object)'", broadcasts[object] ?? [])
        }
    }

    /// Turns the `if` around the wait into a `while`. Nil: no `if` is directly around it, or that `if` has an `else`.
    private func loop(around place: StatementMap.Place) -> [TextEdit]? {
        guard let parent = place.around.last.map({ map.places[$0].statement }),
            case .if(let branches, nil) = parent.kind, branches.count == 1
        else { return nil }
        let word = Span(parent.span.start, parent.span.start + Keyword.if.rawValue.utf8.count)
        return [TextEdit(word, Keyword.while.rawValue)]
    }

    /// Puts a loop around a wait that tests no predicate: the signal that it waits for may already have been sent. The
    /// predicate is about what a signaling thread changes, or about a new variable that is set before each signal.
    mutating func findPredicates() {
        for place in map.places {
            guard let call = map.call(place.statement), call.method == .wait, isBare(place),
                let condition = map.objects[call.object], condition.isCondition
            else { continue }
            for predicate in predicates(of: call.object) {
                add(
                    .waitForPredicate, "a wait for '\(call.object)' only while '\(predicate)'",
                    wrapped(call.span, in: "while \(predicate)"))
            }
            addFlag(for: call, condition)
        }
    }

    /// Whether no `if` or `while` is around the statement.
    private func isBare(_ place: StatementMap.Place) -> Bool {
        !place.around.contains { number in
            switch map.places[number].statement.kind {
            case .if, .while: true
            default: false
            }
        }
    }

    /// Possible predicates of a loop around a wait. Each holds until some change before a signal of the condition.
    private func predicates(of condition: String) -> [String] {
        var found: [String] = []
        for place in map.places {
            guard let call = map.call(place.statement), call.object == condition,
                call.method == .signal || call.method == .broadcast
            else { continue }
            for statement in place.block.statements[..<place.index].reversed() {
                if let predicate = predicate(before: statement), !found.contains(predicate) { found.append(predicate) }
            }
        }
        return found
    }

    /// A predicate that holds until the statement is executed: `!isReady` for `isReady = true`. Nil: none is found.
    private func predicate(before statement: Syntax.Statement) -> String? {
        if case .assign(let target, nil, let value) = statement.kind, let object = target.object,
            map.objects[object]?.isMemory == true
        {
            let name = map.text(target.span)
            switch value.kind {
            case .boolean(let isTrue): return isTrue ? "!\(name)" : name
            case .integer(let number): return "\(name) != \(number)"
            default: return nil
            }
        }
        guard let call = map.call(statement) else { return nil }
        switch (call.method, call.arguments.first?.value.kind) {
        case (.append, _): return "\(call.receiver).isEmpty"
        case (.store, .boolean(let isTrue)?): return isTrue ? "!\(call.receiver).load()" : "\(call.receiver).load()"
        default: return nil
        }
    }

    /// Proposes a new variable that each signaling thread sets, and a loop that waits until it is set.
    private mutating func addFlag(for wait: StatementMap.Call, _ condition: StatementMap.Object) {
        let signals = map.places.compactMap { map.call($0.statement) }.filter {
            $0.object == wait.object && ($0.method == .signal || $0.method == .broadcast)
        }
        guard let declaration = endOfDeclaration(condition.declarator), !signals.isEmpty,
            let flag = unusedName("is\(wait.object.prefix(1).uppercased())\(wait.object.dropFirst())")
        else { return }
        let edits =
            [TextEdit(at: declaration, "\nshared \(flag) = false")] + wrapped(wait.span, in: "while !\(flag)")
            + signals.map { inserted("\(flag) = true", before: $0.span) }
        add(
            .waitForPredicate, "a variable that says that '\(wait.object)' has been signaled", edits,
            size: signals.count + 2)
    }

    /// Adds a signal or a broadcast after a change of what waiting threads test, if none follows in the block.
    mutating func findSignals() {
        for condition in map.names where map.objects[condition]?.isCondition == true && !isFull(.signalAfterChange) {
            let tested = testedMemory(of: condition)
            for place in map.places {
                guard changes(place.statement, tested), place.statement.blocks.isEmpty,
                    !place.block.statements[place.index...].contains(where: { wakes($0, condition) })
                else { continue }
                for method in [MemberName.signal, .broadcast] {
                    add(
                        .signalAfterChange, "'\(condition).\(method.rawValue)()' after the change",
                        [inserted("\(condition).\(method.rawValue)()", behind: place.statement.span)])
                }
            }
        }
    }

    /// The memory that is read in the conditions of the loops and `if`s around waits.
    private func testedMemory(of condition: String) -> Set<String> {
        var tested: Set<String> = []
        for place in map.places {
            guard let call = map.call(place.statement), call.object == condition, call.method == .wait else { continue }
            for number in place.around {
                let statement = map.places[number].statement
                switch statement.kind {
                case .while, .if: tested.formUnion(map.ownAccesses(statement).map(\.object))
                default: break
                }
            }
        }
        return tested
    }

    private func changes(_ statement: Syntax.Statement, _ objects: Set<String>) -> Bool {
        map.ownAccesses(statement).contains { $0.isChange && objects.contains($0.object) }
    }

    private func wakes(_ statement: Syntax.Statement, _ condition: String) -> Bool {
        guard let call = map.call(statement) else { return false }
        return call.object == condition && (call.method == .signal || call.method == .broadcast)
    }

    // MARK: - Declarations

    /// The end of the line on which the declaration of the object ends. Nil: a `;` follows the declaration.
    func endOfDeclaration(_ declarator: Syntax.Declarator) -> Int? {
        guard let first = map.tokens.firstIndex(where: { $0.span.start == declarator.name.span.start }) else {
            return nil
        }
        var depth = 0
        for (number, token) in map.tokens.enumerated().dropFirst(first + 1) {
            if token.startsLine && depth == 0 || token.kind == .end {
                let previous = map.tokens[number - 1]
                return map.source.range(ofLine: map.source.line(of: previous.span.end)).upperBound
            }
            switch token.kind {
            case .symbol(.openBracket), .symbol(.openParenthesis): depth += 1
            case .symbol(.closeBracket), .symbol(.closeParenthesis): depth -= 1
            case .symbol(.semicolon): return nil
            default: break
            }
        }
        return nil
    }

    /// The name, or the name with a digit from 2 to 9 if the text uses it already. Nil: the text uses all of them.
    func unusedName(_ name: String) -> String? {
        let used = Set(map.tokens.filter { $0.kind == .name }.map { map.text($0.span) })
        let reserved = Set(Keyword.allWords)
        return ([name] + (2...9).map { "\(name)\($0)" }).first { !used.contains($0) && !reserved.contains($0) }
    }
}
