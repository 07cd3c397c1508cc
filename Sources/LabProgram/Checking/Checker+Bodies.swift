import LabSyntax

/// Checks the code of threads, functions and `finally`.
extension Checker {
    mutating func checkBodies(_ items: [Syntax.Item]) {
        var numbers = (threads: 0, functions: 0)
        var functions: [Syntax.FunctionDeclaration] = []
        for item in items {
            switch item {
            case .thread(let thread):
                let owner = BodyScope.Owner.thread(name: thread.name.text, isArray: thread.count != nil)
                let isGiven = program.threads[numbers.threads].isGiven
                program.threads[numbers.threads].body = check(thread.body, owner, isGiven: isGiven).body
                numbers.threads += 1
            case .function(let function):
                check(function, number: numbers.functions)
                functions.append(function)
                numbers.functions += 1
            case .finally(let block, let span):
                if program.finally != nil { diagnostics.report(RuleProblem.secondFinally, at: span) }
                program.finally = check(block, .finally, isGiven: true).body
            default: break
            }
        }
        refuseRecursion(functions)
    }

    private mutating func check(_ function: Syntax.FunctionDeclaration, number: Int) {
        let signature = program.functions[number]
        let owner = BodyScope.Owner.function(name: function.name.text, result: signature.result)
        let parameters = zip(function.parameters, signature.parameters).map { ($0.name, $1.type) }
        let errors = diagnostics.errors.count
        let (body, callees) = check(function.body, owner, isGiven: signature.isGiven, parameters: parameters)
        program.functions[number].body = body
        self.callees.append(callees)
        // A statement that was rejected may have been a `return`.
        if errors == diagnostics.errors.count, signature.result != nil, Reachability(body.block).fallsThrough {
            diagnostics.report(RuleProblem.missingReturn(function.name.text), at: function.name.span)
        }
    }

    private mutating func check(
        _ block: Syntax.Block, _ owner: BodyScope.Owner, isGiven: Bool, parameters: [(Syntax.Name, ValueType)] = []
    ) -> (body: Program.Body, callees: Set<Int>) {
        body = BodyScope(owner, isGiven: isGiven)
        body?.blocks.append([:])
        for (name, type) in parameters { _ = declare(name, type, isConstant: true, mayBeUnread: true) }
        let checked = check(block)
        let scope = body
        body = nil
        let result = Program.Body(slots: scope?.slots ?? [], block: checked)
        if result.slots.count > Limits.variables {
            diagnostics.report(RuleProblem.tooManyVariables, at: Span(block.span.start, block.span.start + 1))
        }
        return (result, scope?.callees ?? [])
    }

    mutating func check(_ block: Syntax.Block) -> Program.Block {
        let firstSlot = body?.slots.count ?? 0
        body?.blocks.append([:])
        var statements: [Program.Statement] = []
        for statement in block.statements where !diagnostics.isFull {
            if let checked = attempt({ checker throws(Refused) in try checker.check(statement) }) {
                statements.append(checked)
            }
        }
        warnUnread(body?.blocks.popLast() ?? [:])
        return Program.Block(statements: statements, slots: firstSlot..<(body?.slots.count ?? 0))
    }

    private mutating func warnUnread(_ block: [String: BodyScope.Local]) {
        // In the order of the text, because only a limited number of warnings is kept.
        for (name, local) in block.sorted(by: { $0.value.name.span.start < $1.value.name.span.start })
        where !local.isRead && !local.mayBeUnread && name != "_" {
            diagnostics.warn(Caution.neverRead(name, isShared: false), at: local.name.span)
        }
    }

    /// Declares a variable of the innermost block, and returns the number of its slot.
    mutating func declare(
        _ name: Syntax.Name, _ type: ValueType, isConstant: Bool, mayBeUnread: Bool = false
    ) -> Int {
        let slot = body?.newSlot(name.text, type) ?? 0
        let earlier = body?.local(name.text)?.name.span ?? globals[name.text]?.span
        if let earlier, name.text != "_" {
            let note = Diagnostic.Note(message: "the first declaration is here", span: earlier)
            diagnostics.report(NameProblem.declaredTwice(name.text), at: name.span, notes: [note])
        }
        let local = BodyScope.Local(slot: slot, isConstant: isConstant, name: name, mayBeUnread: mayBeUnread)
        if let last = body?.blocks.indices.last { body?.blocks[last][name.text] = local }
        return slot
    }

    /// Refuses functions that call themselves, directly or through others. Without them, the maximum number of slots of
    /// a chain of calls is known, and is recorded.
    private mutating func refuseRecursion(_ functions: [Syntax.FunctionDeclaration]) {
        let order = CallOrder(callees)
        for cycle in order.cycles {
            let path = (cycle + [cycle[0]]).map { program.functions[$0].name }
            diagnostics.report(RuleProblem.recursion(path), at: functions[cycle[0]].name.span)
        }
        guard order.cycles.isEmpty else { return }
        for number in order.calleesFirst {
            program.functions[number].body.stackedSlots = stackedSlots(
                of: program.functions[number].body, calling: callees[number])
        }
        for number in program.threads.indices {
            program.threads[number].body.stackedSlots = stackedSlots(of: program.threads[number].body)
        }
        if var finally = program.finally {
            finally.stackedSlots = stackedSlots(of: finally)
            program.finally = finally
        }
    }

    /// The maximum number of slots in use when the body runs.
    ///
    /// - Parameter known: the functions that it calls. Nil: they are looked for.
    private mutating func stackedSlots(of body: Program.Body, calling known: Set<Int>? = nil) -> Int {
        let callees = known ?? CalledFunctions.of(body)
        let deepest = callees.map { program.functions[$0].body.stackedSlots }.max() ?? 0
        let total = body.slots.count + deepest
        // The error is at the beginning of the file, since it concerns several bodies.
        if total > Limits.stackedVariables { diagnostics.report(RuleProblem.tooManyStackedVariables, at: Span(0, 0)) }
        return total
    }
}

/// The variables of the thread's or function's body that is being checked, and what the body may do.
struct BodyScope {
    enum Owner {
        case thread(name: String, isArray: Bool)
        case function(name: String, result: ValueType?)
        case finally
    }

    /// A local variable.
    struct Local {
        /// Its index in `slots`.
        var slot: Int
        var isConstant: Bool
        var name: Syntax.Name
        var isRead = false
        /// Whether there is no warning if nothing reads it: it is a function's parameter, a loop's variable, or a name
        /// for the result of an operation or a call, or its declaration has an error.
        var mayBeUnread: Bool
    }

    let owner: Owner
    /// Whether the body is given code of a task, which may change given objects.
    let isGiven: Bool
    var slots: [Program.Body.Slot] = []
    /// For each block around the current place in the code, its variables by name. The innermost block is the last.
    var blocks: [[String: Local]] = []
    /// The number of loops around the current place.
    var loops = 0
    /// The functions that the body calls.
    var callees: Set<Int> = []

    init(_ owner: Owner, isGiven: Bool) {
        self.owner = owner
        self.isGiven = isGiven
    }

    func local(_ name: String) -> Local? {
        for block in blocks.reversed() {
            if let local = block[name] { return local }
        }
        return nil
    }

    mutating func markRead(_ name: String) {
        for i in blocks.indices.reversed() where blocks[i][name] != nil {
            blocks[i][name]?.isRead = true
            return
        }
    }

    /// Adds a slot, by default without a name.
    mutating func newSlot(_ name: String? = nil, _ type: ValueType) -> Int {
        slots.append(Program.Body.Slot(name: name, type: type))
        return slots.count - 1
    }

    var visibleNames: [String] { blocks.flatMap(\.keys).sorted() }
}
