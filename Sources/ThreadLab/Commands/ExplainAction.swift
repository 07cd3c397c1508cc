import Arguments
import Diagnosis
import Text
import Trace

/// `threadlab explain [WHAT]`
enum ExplainAction: Action {
    private static let what = TypedPositional.oneOrNone("WHAT", .text, "A code, or a word from its name or title")
    private static let example = TypedOption.flag("example", "Print only the program that shows it")
    private static let fixed = TypedOption.flag("fixed", "Print only the fixed program")

    static let command = Command(
        "explain", "Explain a finding: what it is, how it happens, and what fixes it",
        discussion: """
            WHAT is a code such as TL101, its name, or a word from its title. Without it, all codes are listed. Each \
            has a small .lab program that shows the problem, and a fixed version of it.
            """,
        positionals: [what],
        options: [OutputForm.option, example, fixed],
        exclusive: [[OutputForm.option, example, fixed]],
        examples: [
            Example("explain", "the list"),
            Example("explain race", "what a data race is"),
            Example("explain TL101 --example > x.lab", "a program to run"),
        ])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let word = arguments[what]
        let codes = try word.map { try matches($0, session) } ?? FindingCode.allCases
        if arguments[example] || arguments[fixed] {
            let program = try only(codes, word).explanation.example
            try StandardOutput.write(arguments[fixed] ? program.fixed : program.broken)
        } else if arguments[OutputForm.option] == .json {
            try StandardOutput.write { sink in writeJSON(codes, to: &sink) }
        } else if word != nil, codes.count == 1 {
            let description = ExplanationDescription(codes[0].explanation)
            try StandardOutput.page(session.pager, description.text(program: session.program, width: session.textWidth))
        } else {
            try StandardOutput.page(session.pager, list(codes, session))
        }
        return .expected
    }

    // MARK: - Which

    /// The codes that the word denotes by code or name; if none, those with the word in their name or title.
    private static func matches(_ word: String, _ session: Session) throws(Complaint) -> [FindingCode] {
        if let code = FindingCode(word: word) { return [code] }
        let wanted = word.lowercased()
        let all = FindingCode.allCases
        let found = all.filter { $0.name.contains(wanted) || $0.title.lowercased().contains(wanted) }
        guard found.isEmpty || wanted.isEmpty else { return found }
        let known = all.map(\.name) + all.map(\.rawValue)
        let hint = closest(to: word, among: known).map { "did you mean '\($0)'?" }
        throw Complaint(
            "no finding is called '\(word.printable)': \(hint ?? "'\(session.program) explain' lists them all")")
    }

    private static func only(_ codes: [FindingCode], _ word: String?) throws(Complaint) -> FindingCode {
        guard let word else { throw Complaint("WHAT is missing: give a code, for example 'explain TL101 --example'") }
        guard codes.count == 1 else {
            let names = codes.map { "\($0.rawValue) (\($0.name))" }.joined(separator: ", ")
            throw Complaint("'\(word.printable)' matches \(names): give one of these codes")
        }
        return codes[0]
    }

    // MARK: - Several

    private static func list(_ codes: [FindingCode], _ session: Session) -> String {
        let layout = Layout(width: session.textWidth)
        let groups = Severity.allCases.compactMap { severity -> [String]? in
            let rows = codes.filter { $0.severity == severity }
                .map { (left: "\($0.rawValue)  \($0.name)", right: $0.title) }
            return rows.isEmpty ? nil : ["\(severity.heading):"] + layout.columns(rows)
        }
        let end = layout.wrap("'\(session.program) explain \(codes[0].rawValue)' explains the first one, and so on.")
        return (groups + [end]).map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func writeJSON(_ codes: [FindingCode], to sink: inout ByteSink) {
        sink.write("[")
        for (index, code) in codes.enumerated() {
            if index > 0 { sink.write(",\n ") }
            ExplanationDescription(code.explanation).writeJSON(to: &sink)
        }
        sink.write("]")
        sink.endLine()
    }
}

extension Severity {
    fileprivate var heading: String {
        switch self {
        case .fault: "Faults"
        case .warning: "Warnings"
        case .note: "Notes"
        }
    }
}
