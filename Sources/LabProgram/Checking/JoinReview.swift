import LabSyntax

/// Finds threads that join each other in a cycle: none of them can end.
struct JoinReview {
    private struct Join {
        var thread: Int
        var site: Site
    }

    private(set) var cautions: [LocatedCaution] = []
    private let program: Program
    /// What each thread joins in any case.
    private let joins: [[Join]]

    init(_ program: Program) {
        self.program = program
        joins = program.threads.map { Self.certainJoins(of: $0, in: program) }
        var known: Set<Int> = []
        for thread in joins.indices where !known.contains(thread) {
            var seen: Set<Int> = []
            guard let cycle = cycle(from: thread, to: thread, path: [], &seen) else { continue }
            known.formUnion(cycle.map(\.thread))
            let names = ([thread] + cycle.dropLast().map(\.thread)).map { program.threads[$0].name }
            cautions.append(LocatedCaution(caution: .joinCycle(names), site: cycle[0].site))
        }
    }

    /// Those before any exit. The elements of an array have the same code, but join different threads.
    private static func certainJoins(of thread: Program.Thread, in program: Program) -> [Join] {
        guard thread.count == nil else { return [] }
        var joins: [Join] = []
        for statement in thread.body.block.statements {
            if case .join(let place) = statement.kind, program.threads[place.thread].count == nil {
                joins.append(Join(thread: place.thread, site: statement.site))
            }
            let ways = Reachability(statement)
            if ways.returns || !ways.fallsThrough { break }
        }
        return joins
    }

    /// - Parameter seen: the threads from which the search has continued: it does so once, however many ways lead there.
    private func cycle(from thread: Int, to end: Int, path: [Join], _ seen: inout Set<Int>) -> [Join]? {
        for join in joins[thread] {
            if join.thread == end { return path + [join] }
            guard seen.insert(join.thread).inserted else { continue }
            if let cycle = cycle(from: join.thread, to: end, path: path + [join], &seen) { return cycle }
        }
        return nil
    }
}
