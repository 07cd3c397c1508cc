import Arguments
import Console
import Diagnosis
import Text
import Trace

/// `threadlab explain [WHAT]`: prints what a finding of a report or a term of the glossary means.
package enum ExplainAction: Action {
    package struct Options: OptionGroup {
        let what: Listed<[String]>
        let format: Listed<OutputForm>
        let example, fixed: Listed<Bool>

        package init(_ list: inout OptionList) {
            what = list.any("WHAT", .word(.topics), "A code, a term, or words of one")
            format = list.outputForm()
            example = list.flag("example", "Print only the program that shows it")
            fixed = list.flag("fixed", "Print only the fixed program")
            list.exclude([[format, example, fixed]])
        }
    }

    package static let command = TypedCommand<Options>(
        "explain", "Explain a finding or a term: its meaning, causes and remedies",
        discussion: """
            WHAT is a code such as TL101, the name of a finding, a term of the glossary such as 'lost wake-up', or a word of a \
            title; several words are one term. Without WHAT, all codes and terms are listed. Each finding has a small .lab program that shows it, and one \
            without the fault.
            """,
        onlyReads: true,
        examples: [
            Example("explain", "all codes and terms"),
            Example("explain race", "the finding TL201"),
            Example("explain happens-before", "a term"),
            Example("explain lost wake up", "a term of several words"),
            Example("explain TL101 --example > x.lab", "a program to run"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let word = arguments.what.isEmpty ? nil : arguments.what.joined(separator: " ")
        let topics = try word.map { try matches($0, session) } ?? .all
        if arguments.example || arguments.fixed {
            try StandardOutput.write(program(of: topics, isFixed: arguments.fixed, word))
        } else if arguments.format == .json {
            try StandardOutput.write { sink in writeJSON(topics, to: &sink) }
        } else if word != nil, topics.isOne {
            try StandardOutput.page(session.pager, pages(topics, session))
        } else {
            try StandardOutput.page(session.pager, list(topics, session))
        }
        return .expected
    }

    // MARK: - Which topics

    /// The topics that the word names. Throws if there are none.
    private static func matches(_ word: String, _ session: Session) throws(Complaint) -> ExplainedTopics {
        let topics = ExplainedTopics(matching: word)
        guard topics.isEmpty else { return topics }
        let known = MeantWords(session: session).meant(by: word, instead: .term)
        let hint = (known ?? closest(to: word, among: ExplainedTopics.words)).map { "did you mean '\($0)'?" }
        throw Complaint(
            "no finding or term is called '\(word.printable)': \(hint ?? "'\(session.program) explain' lists them")")
    }

    // MARK: - One topic

    private static func pages(_ topics: ExplainedTopics, _ session: Session) -> String {
        let width = session.textWidth
        let terms = topics.terms.map { GlossaryPage($0).text(width: width) }
        let findings = topics.codes.map {
            ExplanationDescription($0.explanation).text(program: session.program, width: width)
        }
        return (terms + findings).joined(separator: "\n")
    }

    private static func program(of topics: ExplainedTopics, isFixed: Bool, _ word: String?) throws(Complaint) -> String
    {
        guard let word else { throw Complaint("WHAT is missing: give a code, for example 'explain TL101 --example'") }
        if topics.codes.count == 1 {
            let program = topics.codes[0].explanation.example
            return isFixed ? program.fixed : program.broken
        }
        guard topics.codes.isEmpty else {
            let names = topics.codes.map { "\($0.rawValue) (\($0.name))" }.joined(separator: ", ")
            throw Complaint("'\(word.printable)' matches \(names): give one of these codes")
        }
        guard !isFixed, topics.isOne, let example = topics.terms[0].example else {
            throw Complaint("the glossary has no such program for '\(word.printable)'")
        }
        return example
    }

    // MARK: - Several topics

    private static func list(_ topics: ExplainedTopics, _ session: Session) -> String {
        let layout = Layout(width: session.textWidth)
        let groups = Severity.allCases.compactMap { severity -> [String]? in
            let rows = topics.codes.filter { $0.severity == severity }
                .map { (left: "\($0.rawValue)  \($0.name)", right: $0.title) }
            return rows.isEmpty ? nil : ["\(severity.heading):"] + layout.columns(rows)
        }
        let terms =
            topics.terms.isEmpty
            ? [] : [["Terms:"] + TermColumns(topics.terms.map(\.term), width: session.textWidth).lines]
        let end = layout.wrap("'\(session.program) explain WHAT' explains a code or a term.")
        return (groups + terms + [end]).map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func writeJSON(_ topics: ExplainedTopics, to sink: inout ByteSink) {
        sink.writeArray(separator: ",\n ") { json in
            for code in topics.codes { json.object(ExplanationDescription(code.explanation).writeJSON) }
            for term in topics.terms { json.object(GlossaryPage(term).writeJSON) }
        }
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
