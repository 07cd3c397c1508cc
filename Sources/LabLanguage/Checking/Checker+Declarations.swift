/// The names that are declared outside of threads.
extension Checker {
    /// Gives every declaration its number, so that the order of declarations does not matter.
    mutating func declareAll(_ items: [Syntax.Item]) {
        var counts = (parameters: 0, objects: 0, threads: 0, functions: 0)
        for item in items {
            switch item {
            case .parameter(let parameter):
                declare(parameter.name, .parameter(counts.parameters))
                counts.parameters += 1
            case .objects(let objects):
                for declarator in objects.declarators {
                    declare(declarator.name, .object(counts.objects))
                    counts.objects += 1
                }
            case .thread(let thread):
                if thread.name.text == "main" { diagnostics.report(NameProblem.threadMain, at: thread.name.span) }
                declare(thread.name, .thread(counts.threads))
                counts.threads += 1
            case .function(let function):
                declare(function.name, .function(counts.functions))
                counts.functions += 1
            case .finally, .run, .expect: break
            }
        }
        checkLimit(counts.parameters, "parameters", Limits.parameters, items)
        checkLimit(counts.objects, "variables, locks and so on", Limits.objects, items)
        checkLimit(counts.functions, "functions", Limits.functions, items)
        checkLimit(counts.threads, "threads", Limits.threads, items)
    }

    private mutating func declare(_ name: Syntax.Name, _ global: Global) {
        if let first = globals[name.text] {
            let note = Diagnostic.Note(message: "the first declaration is here", span: first.span)
            diagnostics.report(NameProblem.declaredTwice(name.text), at: name.span, notes: [note])
        } else {
            globals[name.text] = (global, name.span)
        }
    }

    private mutating func checkLimit(_ count: Int, _ what: String, _ limit: Int, _ items: [Syntax.Item]) {
        if count > limit { diagnostics.report(RuleProblem.tooMany(what, limit), at: Span(0, 0)) }
    }

    /// The noun for what a name stands for: "a mutex".
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
    var noun: String {
        switch self {
        case .cell: "a shared variable"
        case .atomic: "an atomic"
        case .list: "a list"
        case .mutex: "a mutex"
        case .readWriteLock: "a read-write lock"
        case .semaphore: "a semaphore"
        case .condition: "a condition"
        case .barrier: "a barrier"
        case .once: "a once"
        }
    }
}
