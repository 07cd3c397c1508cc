import LabSyntax

/// What bodies need from declarations elsewhere: the numbers of threads, and the mutexes of conditions.
extension Checker {
    mutating func checkSignature(_ item: Syntax.Item) {
        switch item {
        case .objects(let declaration):
            guard case .condition = declaration.kind else { return }
            for declarator in declaration.declarators { checkMutex(of: declarator) }
        case .thread(let thread):
            guard let number = threads.next(), let count = thread.count else { return }
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
