import Authoring
import Console
import LabSyntax
import Machine
import Supervision
import Trace

/// `explore --suggest` for a program that fails: looks for the smallest change of the `.lab` text with which no
/// execution fails, such as a lock around two statements. The candidates are made by rules (`SourceChange`), and each
/// is tried by a search of the changed text. Only a change with a proof is suggested.
struct FixSearch {
    private let plan: SearchPlan
    private let source: SourceText
    private let changeable: ChangeableText
    /// How the program fails.
    private let kind: OutcomeKind
    /// The lines of the finding.
    private let lines: Set<Int>
    private let read: (SourceText) -> LabVersion?
    private var suggestion = FixResult()
    /// Changes with which the program no longer fails as before. Perhaps each needs a second change.
    private var near: [SourceChange] = []

    /// The maximum number of changes that are tried, alone and in pairs.
    private static let most = 400
    /// The maximum number of changes that are combined with others.
    private static let mostNear = 4

    /// - Parameter read: returns the program in a changed text. Nil: the text has an error.
    init(
        _ plan: SearchPlan, _ source: SourceText, _ finding: ExplainedFinding,
        read: @escaping (SourceText) -> LabVersion?
    ) {
        self.plan = plan
        self.source = source
        changeable = ChangeableText(source, like: plan.scenario)
        self.read = read
        kind = finding.finding.kind
        let trace = finding.trace
        let sites = finding.deciding?.sites ?? []
        lines = Set(sites.compactMap { trace.site($0) }.filter { $0.file == source.name }.map { Int($0.line) })
    }

    mutating func run(_ progress: FixProgress, until end: Deadline) throws -> FixResult {
        guard kind != .lockOrder else {
            suggestion.isUnseen = true
            return suggestion
        }
        // A change that adds a warning of the compiler is not tried.
        let known = changeable.applying([]).flatMap(read)?.warnings ?? []
        let changes = inOrder(source.changes())
        try attempt(changes.map { [$0] }, known, until: end, progress)
        if !isOver {
            let pairs = near.prefix(Self.mostNear).flatMap { first in
                changes.filter { $0 != first }.map { [first, $0] }
            }
            try attempt(pairs, known, until: end, progress)
        }
        return suggestion
    }

    private var isOver: Bool { suggestion.proved != nil || suggestion.isOutOfTime || suggestion.signal != nil }

    /// Tries the candidates, each of one or two changes, until one is proved.
    ///
    /// - Parameter known: the warnings that a changed program may have.
    private mutating func attempt(
        _ candidates: [[SourceChange]], _ known: Set<String>, until end: Deadline, _ progress: FixProgress
    ) throws {
        for candidate in candidates where !isOver && suggestion.tried < Self.most {
            let left = end.left
            if left == 0 {
                suggestion.isOutOfTime = true
                return
            }
            guard let text = changeable.applying(candidate), text != source, let version = read(text),
                version.warnings.isSubset(of: known)
            else { continue }
            progress.show(suggestion.tried + 1, of: candidates.count)
            let changed = try ChangedProgram(version.program, as: plan, time: left)
            suggestion.tried += 1
            note(changed, candidate, text)
        }
    }

    /// Records what the search of a changed program has shown.
    private mutating func note(_ changed: ChangedProgram, _ candidate: [SourceChange], _ text: SourceText) {
        switch changed.judgement {
        case .proved: suggestion.proved = FixResult.Proved(changes: candidate, program: changed, text: text)
        case .interrupted(let signal): suggestion.signal = signal
        case .open:
            near.append(contentsOf: candidate.count == 1 ? candidate : [])
            suggestion.add(FixResult.Near(changes: candidate, end: nil, executions: changed.result.counts.executions))
        case .fails(let other) where other != kind:
            near.append(contentsOf: candidate.count == 1 ? candidate : [])
            suggestion.add(FixResult.Near(changes: candidate, end: other, executions: 0))
        case .fails: break
        }
    }

    // MARK: - The order

    /// The changes in the order in which they are tried: the smallest first. Of changes of the same size, those come
    /// first that often fix such a failure, then those that change the finding's lines; the rest by kind and place.
    private func inOrder(_ changes: [SourceChange]) -> [SourceChange] {
        func key(_ number: Int) -> [Int] {
            let change = changes[number]
            let touches = change.lines.contains(where: lines.contains)
            return [
                change.size, change.kind.suits(kind) ? 0 : 1, touches ? 0 : 1, change.kind.rawValue, number,
            ]
        }
        let keys = changes.indices.map(key)
        return changes.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }.map { changes[$0] }
    }
}

/// The status line of the search for a change: how many changes have been tried.
final class FixProgress {
    private var line = StatusLine()

    func show(_ number: Int, of count: Int) {
        if line.isDue { line.show("change \(number) of at most \(count)") }
    }

    func clear() { line.clear() }
}

/// What the search for a change has found.
struct FixResult {
    /// Changes with which no execution fails.
    struct Proved {
        let changes: [SourceChange]
        let program: ChangedProgram
        let text: SourceText
    }

    /// Changes with which the program does not fail as before, but that are not proved.
    struct Near {
        let changes: [SourceChange]
        /// How the program ends with the change. Nil: no failure was found.
        let end: OutcomeKind?
        /// The number of executions that were searched, if no failure was found.
        let executions: Int
    }

    /// The number of candidates that were tried.
    var tried = 0
    var proved: Proved?
    private(set) var near: Near?
    var isOutOfTime = false
    /// Whether the finding is one that searches do not see, so that they would prove any change: nothing was tried.
    fileprivate(set) var isUnseen = false
    var signal: Int32?
    /// Further information on the change, as a sentence.
    var note: String?

    /// Keeps the better of two results: one without a failure or, if they are equal in this, the first.
    fileprivate mutating func add(_ other: Near) {
        if near == nil || (near?.end != nil && other.end == nil) { near = other }
    }
}

extension ChangeableText {
    /// The text, to be changed such that the program's claims hold under its memory model.
    init(_ source: SourceText, like program: any Runnable) {
        let model: ModelWord =
            switch program.model {
            case .sc: .sc
            case .tso: .tso
            case .rc11: .rc11
            }
        self.init(source, under: model)
    }
}

extension SourceChange.Kind {
    /// Whether such a change often fixes runs that end in this way.
    fileprivate func suits(_ outcome: OutcomeKind) -> Bool {
        switch self {
        case .loopAroundWait: [.assertion, .error, .claim, .brokenClaim, .deadlock].contains(outcome)
        case .broadcast, .signalAfterChange, .waitForPredicate, .lockOrder, .waitBeforeLock, .recursive:
            [.deadlock, .starvation, .livelock].contains(outcome)
        case .unlockOnReturn: [.deadlock, .misuse, .leak].contains(outcome)
        case .otherLock: [.misuse, .race, .assertion].contains(outcome)
        case .lockAround, .newLock, .writeLock, .order, .oneUpdate, .atomic:
            [.race, .assertion, .error, .claim, .brokenClaim, .misuse].contains(outcome)
        case .statementOrder: [.assertion, .deadlock, .race, .misuse].contains(outcome)
        case .join: [.leak, .assertion, .race, .misuse].contains(outcome)
        }
    }
}
