import LabSyntax

/// Declares the names that are declared outside of threads.
extension Checker {
    /// Gives every declaration its number and name first, so that the order of declarations does not matter. Their
    /// contents are filled in later.
    mutating func declareAll(_ items: [Syntax.Item]) {
        for item in items {
            switch item {
            case .parameter(let parameter): declareParameter(parameter)
            case .objects(let objects):
                for declarator in objects.declarators { declareObject(declarator, objects) }
            case .thread(let thread): declareThread(thread)
            case .function(let function): declareFunction(function)
            case .finally, .run, .expect, .task, .specification: break
            }
        }
        checkLimit(program.parameters.count, "parameters", Limits.parameters)
        checkLimit(program.objects.count, "variables, locks and so on", Limits.objects)
        checkLimit(program.functions.count, "functions", Limits.functions)
        checkLimit(program.threads.count, "threads", Limits.threads)
    }

    private mutating func declareParameter(_ parameter: Syntax.ParameterDeclaration) {
        declare(parameter.name, .parameter(program.parameters.count))
        let name = parameter.name.text
        if options.contains(name) {
            let other = name.hasSuffix("s") ? name.dropLast() + "Count" : name + "Value"
            diagnostics.report(
                NameProblem.optionName(name, instead: String(other)), at: parameter.name.span)
        }
        program.parameters.append(
            Program.Parameter(
                name: parameter.name.text, help: parameter.help.joined(separator: " "), type: .integer,
                defaultValue: 0, range: nil, site: site(parameter.name.span)))
    }

    private mutating func declareObject(
        _ declarator: Syntax.Declarator, _ declaration: Syntax.ObjectDeclaration
    ) {
        declare(declarator.name, .object(program.objects.count))
        program.objects.append(
            Program.Object(
                name: declarator.name.text, kind: Self.placeholder(declaration.kind),
                isGiven: declaration.isGiven, site: site(declarator.name.span)))
    }

    /// The object's kind, as far as its keyword determines it. The type of a variable, and whether it is a list, are
    /// found out later.
    private static func placeholder(_ kind: Syntax.ObjectDeclaration.Kind) -> Program.Object.Kind {
        switch kind {
        case .shared: .cell(.integer)
        case .atomic: .atomic(.integer)
        case .mutex(let kind): .mutex(kind)
        case .readWriteLock(let writersFirst): .readWriteLock(writersFirst: writersFirst)
        case .semaphore: .semaphore
        case .condition: .condition
        case .built(let recipe): .built(recipe)
        }
    }

    private mutating func declareThread(_ thread: Syntax.ThreadDeclaration) {
        if thread.name.text == "main" { diagnostics.report(NameProblem.threadMain, at: thread.name.span) }
        declare(thread.name, .thread(program.threads.count))
        program.threads.append(
            Program.Thread(
                name: thread.name.text, count: nil, body: Program.Body(), startsByItself: true, isJoinedByMain: true,
                isGiven: thread.isGiven, site: site(thread.name.span)))
    }

    private mutating func declareFunction(_ function: Syntax.FunctionDeclaration) {
        declare(function.name, .function(program.functions.count))
        for type in (function.parameters.map(\.type) + [function.result]).compactMap({ $0 }) where type.isList {
            diagnostics.report(TypeProblem.localList, at: type.span)
        }
        program.functions.append(
            Program.Function(
                name: function.name.text,
                parameters: function.parameters.map { .init(name: $0.name.text, type: $0.type?.type ?? .integer) },
                result: function.result?.type, body: Program.Body(), isGiven: function.isGiven,
                site: site(function.name.span)))
    }

    private mutating func declare(_ name: Syntax.Name, _ global: Global) {
        if let first = globals[name.text] {
            let note = Diagnostic.Note(message: "the first declaration is here", span: first.span)
            diagnostics.report(NameProblem.declaredTwice(name.text), at: name.span, notes: [note])
        } else {
            globals[name.text] = (global, name.span)
        }
    }

    private mutating func checkLimit(_ count: Int, _ what: String, _ limit: Int) {
        if count > limit { diagnostics.report(RuleProblem.tooMany(what, limit), at: Span(0, 0)) }
    }

    /// The noun for what a name refers to: "a mutex".
    func noun(_ global: Global) -> String {
        switch global {
        case .parameter: "a parameter"
        case .object(let number): program.objects[number].kind.noun
        case .thread: "a thread"
        case .function: "a function"
        }
    }

    /// The global names for which the condition holds, sorted.
    func names(where condition: (Global) -> Bool) -> [String] {
        globals.filter { condition($0.value.global) }.map(\.key).sorted()
    }
}

extension Program.Object.Kind {
    /// The noun for such an object in messages.
    var noun: String {
        switch self {
        case .cell: "a shared variable"
        case .atomic: "an atomic"
        case .list: "a list"
        case .mutex: "a mutex"
        case .readWriteLock: "a read-write lock"
        case .semaphore: "a semaphore"
        case .condition: "a condition"
        case .built(let recipe): recipe.noun
        }
    }
}

/// Checks what the code of threads and functions needs to know about declarations: which threads are arrays, and the
/// mutexes of conditions.
extension Checker {
    mutating func checkSignature(_ item: Syntax.Item) {
        switch item {
        case .objects(let declaration):
            guard case .condition = declaration.kind else { return }
            for declarator in declaration.declarators { checkMutex(of: declarator) }
        case .thread(let thread):
            guard let number = threads.next(), let count = thread.count else { return }
            // Even if the number is wrong, and replaced by a placeholder, its presence makes the thread an array.
            program.threads[number].count =
                attempt { checker throws(Refused) in try checker.constant(count, .integer) }
                ?? Program.Expression(kind: .parameter(0), type: .integer, site: program.threads[number].site)
        default: break
        }
    }

    private mutating func checkMutex(of declarator: Syntax.Declarator) {
        guard let mutex = declarator.mutex else { return }
        let place = attempt { checker throws(Refused) in
            try checker.with(.constant) { checker throws(Refused) in
                try checker.place(mutex, "mutex") { kind in
                    if case .mutex = kind { true } else { false }
                }
            }
        }
        guard let place, case .object(let number)? = globals[declarator.name.text]?.global else { return }
        program.objects[number].mutex = place
    }
}
