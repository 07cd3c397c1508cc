import LabSyntax
import Trace

/// Warnings about the whole program, once it is known to be valid.
extension Checker {
    /// Threads that no `spawn` names start by themselves, and the main thread joins those that nothing else joins or
    /// detaches.
    mutating func settleThreads() {
        for number in program.threads.indices {
            let isSpawned = usage.spawned.contains(number)
            program.threads[number].startsByItself = !isSpawned
            program.threads[number].isJoinedByMain =
                !isSpawned && !usage.joined.contains(number) && !usage.detached.contains(number)
        }
    }

    mutating func review() {
        warnUnused()
        let expected = expectedFindings
        if expected.isDisjoint(with: [.livelock, .timeout]) { add(ReachReview(program).cautions) }
        if expected.isDisjoint(with: [.deadlock, .misuse]) { add(LockReview(program).cautions) }
        if expected.isDisjoint(with: [.deadlock, .misuse, .leak]) { add(JoinReview(program).cautions) }
        if !expected.contains(.leak) { warnLeaked() }
        if program.threads.isEmpty, program.builtIn == nil {
            diagnostics.warn(Caution.nothingToRun, at: Span(0, min(8, source.bytes.count)))
        }
    }

    /// What the file itself expects needs no warning.
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
