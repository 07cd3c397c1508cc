/// The functions that a body calls directly.
enum CalledFunctions {
    static func of(_ body: Program.Body) -> Set<Int> {
        var found: Set<Int> = []
        ProgramWalk.statements(body.block) { statement in
            ProgramWalk.expressions(of: statement) { expression in
                if case .call(let function, _) = expression.kind { found.insert(function) }
            }
        }
        return found
    }
}
