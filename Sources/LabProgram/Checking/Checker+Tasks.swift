import LabSyntax

/// Checks `given` and `task`: a task is a program that a learner is to change, except for what is given.
extension Checker {
    /// Refuses a change of a given variable by code that is not given. All code may read it.
    mutating func refuseChangeOfGiven(_ object: Int, at span: Span) {
        guard program.objects[object].isGiven, program.objects[object].kind.elementType != nil, let body,
            !body.isGiven
        else { return }
        let functions = program.functions.filter(\.isGiven).map(\.name)
        diagnostics.report(RuleProblem.changeOfGiven(program.objects[object].name, by: functions), at: span)
    }

    mutating func checkTask(_ file: Syntax.File) {
        for case .task(let declaration) in file.items {
            if program.task != nil {
                diagnostics.report(RuleProblem.secondTask, at: declaration.word)
                continue
            }
            let (words, lines) = ownCode(file)
            program.task = Program.Task(
                rules: declaration.rules.compactMap { rule in
                    attempt { checker throws(Refused) in try checker.rule(rule) }
                }, ownWords: words, lines: lines)
        }
    }

    private mutating func rule(_ rule: Syntax.TaskRule) throws(Refused) -> Program.Task.Rule {
        let kind: Program.Task.Rule.Kind =
            switch rule.kind {
            case .atMost(let number, let quantity): .atMost(number, quantity)
            case .no(let word): .no(word.text)
            case .noBusyWaiting: .noBusyWaiting
            case .each(let thread, let function):
                .each(thread: try declared(thread, as: "thread"), calls: try declared(function, as: "function"))
            }
        return Program.Task.Rule(kind: kind, text: line(rule.span), site: site(rule.span))
    }

    /// The number of the thread or function of this name.
    private mutating func declared(_ name: Syntax.Name, as what: String) throws(Refused) -> Int {
        func number(_ global: Global) -> Int? {
            switch global {
            case .thread(let number) where what == "thread": number
            case .function(let number) where what == "function": number
            case .thread, .function, .object, .parameter: nil
            }
        }
        guard let global = globals[name.text]?.global else {
            throw unknown(name.text, what, at: name.span) { number($0) != nil }
        }
        guard let number = number(global) else {
            let problem = NameProblem.wrongThing(name.text, is: noun(global), wanted: "a \(what)", hint: nil)
            throw refuse(problem, at: name.span)
        }
        usage.used.insert(global)
        return number
    }

    /// The words of the learner's own code, and the number of lines of code, given ones included. Claims,
    /// specifications, `finally` and `task` count for neither.
    private func ownCode(_ file: Syntax.File) -> (words: [SourceWord], lines: Int) {
        let items = zip(file.items, file.spans)
        let spansOfTask = items.filter { item, _ in item.isOfTask }.map { _, span in span }
        let givenSpans = items.filter { item, _ in isGiven(item) }.map { _, span in span }
        let words = source.words().filter { word in !spansOfTask.contains { $0.contains(word.span) } }
        let starts = words.indices.filter { index in
            // A statement after a `;` counts as a line of its own, unless the `;` is inside a string literal.
            words[index].startsLine || index > 0 && words[index - 1].text == ";" && words[index - 1].depth == 0
        }
        return (words.filter { word in !givenSpans.contains { $0.contains(word.span) } }, starts.count)
    }

    /// Whether the item is given. A parameter is given without the word.
    private func isGiven(_ item: Syntax.Item) -> Bool {
        switch item {
        case .parameter: true
        case .objects(let objects): objects.isGiven
        case .thread(let thread): thread.isGiven
        case .function(let function): function.isGiven
        case .finally, .run, .expect, .task, .specification: false
        }
    }

    /// Warns of limits that no solution can keep.
    mutating func warnOfTask() {
        guard let task = program.task else { return }
        for rule in task.rules {
            guard let reason = reason(againstAll: rule) else { continue }
            diagnostics.warn(Caution.neverMet(because: reason), at: source.wordSpan(at: rule.site))
        }
    }

    /// Why every solution violates the limit. Nil: it does not follow from the given code.
    private func reason(againstAll rule: Program.Task.Rule) -> String? {
        guard let configuration = try? program.configured() else { return nil }
        switch rule.kind {
        case .atMost(let most, let quantity):
            let needed = TaskReview.number(of: quantity, program, configuration, onlyGiven: true)
            return needed > most ? "the task itself has \(quantity.text(needed))" : nil
        case .each(let thread, let function):
            guard program.threads[thread].isGiven else { return nil }
            let walk = PathWalk(program, configuration, calls: function)
            guard walk.missingExit(of: program.threads[thread].body) != nil else { return nil }
            return "\(quoted(program.threads[thread].name)) is given, and does not call it on every path"
        case .no, .noBusyWaiting: return nil
        }
    }
}

extension Syntax.Item {
    /// Whether it says what a solution of a task must do, so that the solution cannot change it: a claim, the `finally`
    /// with its assertions, a specification or the limits.
    package var isOfTask: Bool {
        switch self {
        case .finally, .expect, .task, .specification: true
        case .parameter, .objects, .function, .thread, .run: false
        }
    }
}

extension Span {
    func contains(_ other: Span) -> Bool { start <= other.start && other.end <= end }
}
