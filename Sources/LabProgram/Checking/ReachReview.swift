/// Finds statements that are never reached, and threads that cannot end.
struct ReachReview {
    private(set) var cautions: [LocatedCaution] = []

    private let functionsWithProgress: [Bool]

    init(_ program: Program) {
        functionsWithProgress = program.functionsWithProgress
        for function in program.functions { review(function.body.block) }
        for thread in program.threads { review(thread.body, name: thread.name) }
        if let finally = program.finally { review(finally, name: "finally") }
    }

    private mutating func review(_ body: Program.Body, name: String) {
        review(body.block)
        let ways = Reachability(body.block)
        guard !ways.fallsThrough, !ways.returns else { return }
        if let loop = endlessLoop(body.block), !makesProgress(loop) {
            cautions.append(LocatedCaution(caution: .cannotEnd(name), site: loop.site))
        }
    }

    private mutating func review(_ block: Program.Block) {
        var isReached = true
        for statement in block.statements {
            if !isReached {
                cautions.append(LocatedCaution(caution: .neverReached, site: statement.site))
                return
            }
            for inner in ProgramWalk.blocks(of: statement) { review(inner) }
            isReached = Reachability(statement).fallsThrough
        }
    }

    /// Whether the statement is meant to continue forever: it, or a function that it calls, has a `progress`.
    private func makesProgress(_ statement: Program.Statement) -> Bool {
        ProgramWalk.blocks(of: statement).contains { Program.makesProgress($0, functionsWithProgress) }
    }

    /// The loop that makes the block's end unreachable.
    private func endlessLoop(_ block: Program.Block) -> Program.Statement? {
        guard let barrier = block.statements.first(where: { !Reachability($0).fallsThrough }) else { return nil }
        if case .loop = barrier.kind { return barrier }
        for inner in ProgramWalk.blocks(of: barrier) {
            if let loop = endlessLoop(inner) { return loop }
        }
        return nil
    }
}
