extension Program {
    /// Whether some thread says where it makes progress: then the program may continue forever.
    package var hasProgress: Bool { threads.contains { makesProgress($0.body.block) } }

    /// Whether the block, or a function that it calls, has a `progress`.
    func makesProgress(_ block: Block) -> Bool {
        var found = false
        ProgramWalk.statements(block) { statement in
            if case .progress = statement.kind { found = true }
            ProgramWalk.expressions(of: statement) { expression in
                guard case .call(let function, _) = expression.kind else { return }
                // No function calls itself.
                if makesProgress(functions[function].body.block) { found = true }
            }
        }
        return found
    }
}
