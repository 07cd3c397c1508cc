import Console
import LabSyntax
import Reports
import Supervision
import Text
import Trace

/// The report on the result of `--suggest`: a change of the program as a diff, with its proof, or a statement that none
/// was found.
struct FixReport {
    private let suggestion: FixResult
    /// How the program fails. Nil: it does not fail, and weaker memory orders were sought.
    private let kind: OutcomeKind?
    private let source: SourceText
    private let plan: SearchPlan

    init(_ suggestion: FixResult, _ kind: OutcomeKind?, _ source: SourceText, _ plan: SearchPlan) {
        self.suggestion = suggestion
        self.kind = kind
        self.source = source
        self.plan = plan
    }

    func write(_ options: ReportOptions, to sink: inout ByteSink) {
        sink.endLine()
        statement.write(options, to: &sink)
        for line in diff {
            sink.write(line)
            sink.endLine()
        }
    }

    private var statement: Statement {
        guard let proved = suggestion.proved else {
            if kind == nil { return Statement("suggestion", unweakened, isGood: true) }
            var statement = Statement("suggestion", tries, isGood: false)
            if let near = suggestion.near { statement.paragraphs.append(sentence(near)) }
            return statement
        }
        var statement = Statement("suggestion", "\(summary(of: proved.changes)).", isGood: true)
        statement.paragraphs = ["Proved with this change: \(proof(proved)) \(tries)"]
        statement.paragraphs += [suggestion.note].compactMap(\.self) + proved.changes.compactMap(\.caution)
        return statement
    }

    /// Why no memory order was weakened.
    private var unweakened: String {
        if suggestion.signal != nil { return "interrupted after \(changes(suggestion.tried))." }
        if suggestion.isOutOfTime { return "the time for weaker orders was over; --time allows more." }
        if let note = suggestion.note { return note }
        return "there is no memory order to weaken."
    }

    /// A sentence such as `none of 14 orders fails.`
    private func proof(_ proved: FixResult.Proved) -> String {
        let assessment = SearchAssessment(proved.program.result, proved.program.plan)
        let claims = proved.program.plan.scenario.hasClaims ? " The program's claims hold." : ""
        return "\(assessment.proof).\(claims)"
    }

    /// How many changes were tried, and why no more.
    private var tries: String {
        if suggestion.isUnseen { return "a search does not see orders of locks, so it can prove no cure." }
        let count = suggestion.tried
        let out = suggestion.isOutOfTime ? " The time for this was over; --time allows more." : ""
        if suggestion.signal != nil { return "interrupted after \(changes(count))." }
        if suggestion.proved != nil {
            let order = suggestion.note == nil ? ", small ones first" : ""
            return count == 1 ? "" : "\(changes(count)) were tried\(order)."
        }
        switch count {
        case 0: return "there is no change to try.\(out)"
        case 1: return "the one change tried is not proved.\(out)"
        default: return "none of the \(changes(count)) tried is proved.\(out)"
        }
    }

    private func changes(_ count: Int) -> String { SearchAssessment.count(count, "change") }

    private func sentence(_ near: FixResult.Near) -> String {
        let head = "Nearest: \(summary(of: near.changes))."
        guard let end = near.end else {
            let count = SearchAssessment.count(near.executions, "execution")
            return "\(head) No failure was found with it in \(count), which is no proof."
        }
        return
            "\(head) It cures the \(kind?.rawValue ?? "failure"), and then there is a run that ends in \(end.rawValue)."
    }

    /// The changes in words, each kind once, with the lines of all changes of the kind.
    private func summary(of changes: [SourceChange]) -> String {
        var kinds: [(words: String, lines: [Int])] = []
        for change in changes {
            if let index = kinds.firstIndex(where: { $0.words == change.words }) {
                kinds[index].lines += change.lines.filter { !kinds[index].lines.contains($0) }
            } else {
                kinds.append((change.words, change.lines))
            }
        }
        return kinds.map { words, lines in
            let place = lines.count == 1 ? "line" : "lines"
            return "\(words), \(place) \(lines.map(String.init).joined(separator: ", "))"
        }.joined(separator: "; and ").printable
    }

    /// The change as lines that `patch` can read.
    private var diff: [String] {
        guard let text = suggestion.proved?.text else { return [] }
        let (old, new) = (source, text)
        return UnifiedDiff(
            from: String(decoding: old.bytes, as: UTF8.self), to: String(decoding: new.bytes, as: UTF8.self),
            name: source.name
        ).lines.map(\.printable)
    }

    // MARK: - For scripts

    func writeJSON(to json: inout JSONObject) {
        json.member("proved", suggestion.proved != nil)
        json.member("tried", suggestion.tried)
        json.member("outOfTime", suggestion.isOutOfTime)
        if let proved = suggestion.proved {
            json.objects("changes", proved.changes) { write($0, to: &$1) }
            json.member("total", proved.program.result.total)
            json.member("prover", proved.program.result.prover?.rawValue)
            json.array("diff", diff)
            json.member("note", suggestion.note)
        } else if let near = suggestion.near {
            json.objects("nearest", near.changes) { write($0, to: &$1) }
            json.member("nearestOutcome", near.end?.rawValue)
        }
    }

    private func write(_ change: SourceChange, to json: inout JSONObject) {
        json.member("kind", "\(change.kind)")
        json.member("change", change.words)
        json.array("lines", change.lines)
        json.member("caution", change.caution)
    }
}
