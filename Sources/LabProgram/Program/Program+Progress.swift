extension Program {
    /// Whether some thread, perhaps the main thread in `finally`, says where it makes progress.
    func findsProgress() -> Bool {
        let functions = functionsWithProgress
        return (threads.map(\.body) + [finally].compactMap(\.self)).contains {
            Self.makesProgress($0.block, functions)
        }
    }

    /// By function: whether it, or a function that it calls, has a `progress`. Each is looked at once, because a chain of
    /// functions that call each other twice has very many paths.
    var functionsWithProgress: [Bool] {
        var known = [Bool](repeating: false, count: functions.count)
        for function in CallOrder(functions.map { CalledFunctions.of($0.body) }).calleesFirst {
            known[function] = Self.makesProgress(functions[function].body.block, known)
        }
        return known
    }

    /// Whether the block, or a function that it calls, has a `progress`.
    static func makesProgress(_ block: Block, _ functions: [Bool]) -> Bool {
        var found = false
        ProgramWalk.statements(block) { statement in
            if case .progress = statement.kind { found = true }
            ProgramWalk.expressions(of: statement) { expression in
                if case .call(let function, _) = expression.kind, functions[function] { found = true }
            }
        }
        return found
    }
}
