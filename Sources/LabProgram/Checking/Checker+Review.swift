import LabSyntax
import Trace

/// What can be decided only when all code has been checked: which threads start by themselves, and warnings about the
/// whole program.
extension Checker {
    /// Decides which threads start by themselves: those that no `spawn` names. The main thread joins those of them that
    /// no `join` or `detach` names.
    mutating func settleThreads() {
        for number in program.threads.indices {
            let isSpawned = usage.spawned.contains(number)
            program.threads[number].startsByItself = !isSpawned
            program.threads[number].isJoinedByMain =
                !isSpawned && !usage.joined.contains(number) && !usage.detached.contains(number)
        }
    }

    /// Adds the warnings. Called only if the program is valid.
    mutating func review() {
        warnUnused()
        let expected = expectedFindings
        if expected.isDisjoint(with: [.livelock, .timeout]) { add(ReachReview(program).cautions) }
        if expected.isDisjoint(with: [.deadlock, .misuse]) { add(LockReview(program).cautions) }
        if expected.isDisjoint(with: [.deadlock, .misuse, .leak]) { add(JoinReview(program).cautions) }
        if !expected.contains(.leak) { warnLeaked() }
        if program.threads.isEmpty, program.builtIn == nil, program.call == nil {
            // A file without a comment before the scenario begins with this word.
            let length = Keyword.scenario.rawValue.utf8.count
            diagnostics.warn(Caution.nothingToRun, at: Span(0, min(length, source.bytes.count)))
        }
    }

    /// The outcomes that the file itself expects. Its author knows of them, so they need no warning.
    private var expectedFindings: Set<OutcomeKind> {
        var kinds: Set<OutcomeKind> = []
        for claim in program.claims {
            if case .findings(let found) = claim.kind { kinds.formUnion(found) }
        }
        return kinds
    }

    private mutating func add(_ cautions: [LocatedCaution]) {
        for caution in cautions { diagnostics.warn(caution.caution, at: source.wordSpan(at: caution.site)) }
    }

    private mutating func warnUnused() {
        for (name, entry) in globals.sorted(by: { $0.value.span.start < $1.value.span.start }) {
            switch entry.global {
            case .thread: break
            case .object(let number) where usage.used.contains(entry.global):
                let isMemory = program.objects[number].kind.elementType != nil
                if isMemory, !usage.read.contains(number) {
                    diagnostics.warn(Caution.neverRead(name, isShared: true), at: entry.span)
                }
            default:
                if !usage.used.contains(entry.global) {
                    let kind = noun(entry.global).split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
                    diagnostics.warn(Caution.neverUsed(name, kind: kind), at: entry.span)
                }
            }
        }
    }

    private mutating func warnLeaked() {
        for (number, thread) in program.threads.enumerated()
        where usage.spawned.contains(number) && !usage.joined.contains(number) && !usage.detached.contains(number) {
            diagnostics.warn(Caution.leaked(thread.name), at: source.wordSpan(at: thread.site))
        }
    }
}

/// A warning and its place.
struct LocatedCaution {
    var caution: Caution
    var site: Site
}

/// Finds threads that join each other in a cycle: none of them can end.
struct JoinReview {
    private struct Join {
        var thread: Int
        var site: Site
    }

    private(set) var cautions: [LocatedCaution] = []
    private let program: Program
    /// For each thread, the joins that it performs on every path.
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

    /// The joins outside of nested blocks and before any possible exit. Arrays are left out: their elements have the
    /// same code, but may join different threads.
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

    /// The joins of a cycle from a thread to itself, the first of them by that thread. Nil: there is none.
    ///
    /// - Parameters:
    ///   - thread: the thread whose joins are followed next.
    ///   - end: the thread with which the cycle began.
    ///   - path: the joins followed so far.
    ///   - seen: the threads that the search has visited. It continues from each only once.
    private func cycle(from thread: Int, to end: Int, path: [Join], _ seen: inout Set<Int>) -> [Join]? {
        for join in joins[thread] {
            if join.thread == end { return path + [join] }
            guard seen.insert(join.thread).inserted else { continue }
            if let cycle = cycle(from: join.thread, to: end, path: path + [join], &seen) { return cycle }
        }
        return nil
    }
}

/// Finds statements that are never reached, and threads that cannot end.
struct ReachReview {
    private(set) var cautions: [LocatedCaution] = []

    /// For each function, whether it, or a function that it calls, contains `progress`.
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

    /// Whether the statement is meant to run forever: it, or a function that it calls, contains `progress`.
    private func makesProgress(_ statement: Program.Statement) -> Bool {
        ProgramWalk.blocks(of: statement).contains { Program.makesProgress($0, functionsWithProgress) }
    }

    /// The loop that makes the block's end unreachable.
    private func endlessLoop(_ block: Program.Block) -> Program.Statement? {
        guard let lastReached = block.statements.first(where: { !Reachability($0).fallsThrough }) else { return nil }
        if case .loop = lastReached.kind { return lastReached }
        for inner in ProgramWalk.blocks(of: lastReached) {
            if let loop = endlessLoop(inner) { return loop }
        }
        return nil
    }
}
