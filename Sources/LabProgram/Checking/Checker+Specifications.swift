import LabSyntax

/// Checks `specification`, and the calls that `expect linearizable` is about.
extension Checker {
    mutating func checkSpecification(_ items: [Syntax.Item]) {
        var isFirst = true
        for case .specification(let declaration) in items {
            defer { isFirst = false }
            if !isFirst {
                diagnostics.report(RuleProblem.secondSpecification, at: declaration.word)
                continue
            }
            // A specification with mistakes is ignored.
            let errors = diagnostics.errors.count
            var inner = self
            inner.checkAlone(declaration.items)
            diagnostics = inner.diagnostics
            usage.used.formUnion(inner.usage.used)
            if diagnostics.errors.count > errors { continue }
            program.specification = specification(inner.program, declaration)
        }
    }

    /// Checks the specification as a separate program that shares only the parameters.
    private mutating func checkAlone(_ items: [Syntax.Item]) {
        var alone = Program(title: program.title, description: [], source: source)
        alone.parameters = program.parameters
        program = alone
        namesOutside = Set(globals.keys)
        globals = globals.filter { if case .parameter = $0.value.global { true } else { false } }
        usage = Usage()
        callees = []
        declareAll(items)
        objects = program.objects.indices.makeIterator()
        for item in items { checkObjects(item) }
        for item in items { checkSignature(item) }
        checkBodies(items)
        let functions = items.compactMap { if case .function(let function) = $0 { function } else { nil } }
        for (function, declaration) in zip(program.functions, functions) { refuseSteps(function, declaration) }
        let used = usage.used.filter { if case .parameter = $0 { true } else { false } }
        usage.used = used
    }

    /// Refuses statements that say nothing about a result, such as `sleep`, since a specification's functions run
    /// alone; and `choose`, with which a function has several results.
    private mutating func refuseSteps(_ function: Program.Function, _ declaration: Syntax.FunctionDeclaration) {
        var word: String?
        ProgramWalk.statements(function.body.block) { statement in
            switch statement.kind {
            case .sleep: word = "sleep"
            case .yield: word = "yield"
            case .fence: word = "fence"
            case .note: word = "note"
            case .progress: word = "progress"
            case .set, .write, .update, .evaluate, .branch, .loop, .count, .times, .leave, .next, .return, .locked,
                .enclosed, .await, .assert, .spawn, .join, .detach:
                break
            }
            ProgramWalk.expressions(of: statement) { expression in
                if case .choose = expression.kind { word = "choose" }
            }
        }
        if let word { diagnostics.report(RuleProblem.notSequential(word), at: declaration.name.span) }
    }

    /// Finds the program's function for each function of the specification. Both must have the same types.
    ///
    /// - Parameter alone: the specification, checked as a program of its own.
    private mutating func specification(
        _ alone: Program, _ declaration: Syntax.SpecificationDeclaration
    ) -> Program.Specification? {
        let names = declaration.items.compactMap { if case .function(let function) = $0 { function.name } else { nil } }
        if names.isEmpty { diagnostics.report(RuleProblem.emptySpecification, at: declaration.word) }
        var functions: [Int: Int] = [:]
        for (counterpart, name) in names.enumerated() {
            guard case .function(let number)? = globals[name.text]?.global else {
                let known = program.functions.map(\.name)
                diagnostics.report(
                    NameProblem.unknown(
                        name.text, what: "function", hint: suggestion(for: name.text, among: known)), at: name.span)
                continue
            }
            let (function, other) = (program.functions[number], alone.functions[counterpart])
            if function.parameters.map(\.type) != other.parameters.map(\.type) || function.result != other.result {
                diagnostics.report(RuleProblem.otherSignature(name.text), at: name.span)
            }
            functions[number] = counterpart
        }
        return Program.Specification(alone, functions)
    }

    /// Refuses a call of a specified function in a function that is not specified: only calls by threads, outside of
    /// functions, are compared with the specification.
    mutating func checkRecordedCalls(_ items: [Syntax.Item]) {
        let isClaimed = program.claims.contains { if case .linearizable = $0.kind { true } else { false } }
        guard isClaimed, let specification = program.specification else { return }
        let functions = items.compactMap { if case .function(let function) = $0 { function.name } else { nil } }
        for (number, name) in functions.enumerated() where specification.threads[number] == nil {
            guard callees.indices.contains(number),
                let inner = callees[number].sorted().first(where: { specification.threads[$0] != nil })
            else { continue }
            diagnostics.report(
                RuleProblem.callInFunction(program.functions[inner].name, in: name.text), at: name.span)
        }
    }
}
