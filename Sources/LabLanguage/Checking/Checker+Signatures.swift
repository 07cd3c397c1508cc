/// What bodies must know of what is declared elsewhere: functions, threads, and the mutexes of conditions.
extension Checker {
    mutating func checkSignature(_ item: Syntax.Item) {
        switch item {
        case .objects(let declaration):
            guard case .condition = declaration.kind else { return }
            for declarator in declaration.declarators { checkMutex(of: declarator) }
        case .function(let function): declareSignature(function)
        case .thread(let thread): declareThread(thread)
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

    private mutating func declareSignature(_ function: Syntax.FunctionDeclaration) {
        for type in (function.parameters.map(\.type) + [function.result]).compactMap({ $0 }) where type.isList {
            diagnostics.report(TypeProblem.localList, at: type.span)
        }
        program.functions.append(
            Program.Function(
                name: function.name.text, parameters: function.parameters.map { $0.type?.type ?? .integer },
                result: function.result?.type, body: Program.Body(), site: site(function.name.span)))
    }

    private mutating func declareThread(_ thread: Syntax.ThreadDeclaration) {
        let count = thread.count.flatMap { count in
            attempt { checker throws(Refused) in try checker.constant(count, .integer) }
        }
        program.threads.append(
            Program.Thread(
                name: thread.name.text, count: count, body: Program.Body(), startsByItself: true, isJoinedByMain: true,
                site: site(thread.name.span)))
    }
}
