import Arguments
import Authoring
import Console
import LabExecution
import LabProgram
import Library
import Text
import Trace

/// The description of a `.lab` program that `show` prints, as text or as JSON.
struct LabDescription {
    private let file: LabFile
    private let path: String

    init(_ file: LabFile) {
        self.file = file
        path = file.program.source.name
    }

    private var program: Program { file.program }

    /// - Parameters:
    ///   - promisesFailure: whether the file promises a run that fails.
    ///   - hasWeakOrders: whether it has memory orders weaker than `seqcst`, so that memory models differ.
    ///   - isLitmusTest: whether `litmus` can run it.
    func text(program name: String, width: Int, promisesFailure: Bool, hasWeakOrders: Bool, isLitmusTest: Bool)
        -> String
    {
        let layout = Layout(width: width)
        let parameters = file.parameters.map { parameter in
            let range = parameter.range.map { "from \($0.lower) to \($0.upper); " } ?? ""
            let help = parameter.help.isEmpty ? "" : parameter.help + " "
            return (left: "--\(parameter.name)", right: "\(help)(\(range)default \(parameter.defaultValue))")
        }
        let expectations = program.claims.map { "  expect \($0.text)" }
        let word = path.quotedAsPath
        let models =
            hasWeakOrders ? ["explore \(word) --model rc11"] + (isLitmusTest ? ["litmus \(word)"] : []) : []
        let sections = [
            layout.wrap("\(program.title.printable): \(path.printable)"),
            layout.paragraphs(program.description.joined(separator: "\n").replacing("`", with: "'")),
            books.flatMap { layout.wrap($0) },
            expectations.isEmpty ? [] : ["Expectations:"] + expectations,
            parameters.isEmpty ? [] : ["Parameters:"] + layout.columns(parameters),
            fixedBy.isEmpty ? [] : layout.wrap("Fixed by: " + fixedBy.joined(separator: ", ")),
            ["Try:"] + tries(word, promisesFailure, models).map { "  \(name) \($0)" },
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The commands to try, without the program's name.
    private func tries(_ word: String, _ promisesFailure: Bool, _ models: [String]) -> [String] {
        Suggestion.commands(word, promisesFailure: promisesFailure)
            + models + ["play \(word)", "show \(word) --code"]
    }

    /// The books that the description cites by a word, as in a line that begins with `Guide: `.
    private var books: [String] {
        let cited = [
            ("Guide", Book.threadingProgrammingGuide), ("Book", .littleBookOfSemaphores),
            ("Article", .threadSafeClassDesign),
        ]
        return cited.filter { word, _ in program.description.contains { $0.hasPrefix(word + ": ") } }
            .map { "'\($0)' means \($1.reference)" }
    }

    /// The names of a library program's fixed forms.
    private var fixedBy: [String] {
        Library.chapters.flatMap(\.entries).first { $0.name == path }?.fixedPrograms ?? []
    }

    func writeJSON(to json: inout JSONObject) {
        json.member("name", program.title)
        json.member("summary", program.description.joined(separator: "\n"))
        json.member("source", path)
        json.array("expectations", program.claims.map(\.text))
        json.objects("parameters", file.parameters) { ScenarioDescription.write($0, to: &$1) }
    }
}

extension Book {
    fileprivate static let littleBookOfSemaphores = Book(
        "The Little Book of Semaphores", author: "Allen B. Downey", edition: "2.2.1, 2016",
        link: "https://greenteapress.com/wp/semaphores/")

    fileprivate static let threadSafeClassDesign = Book(
        "Thread-Safe Class Design", author: "Peter Steinberger", edition: "objc.io, issue 2, 2013",
        link: "https://www.objc.io/issues/2-concurrency/thread-safe-class-design/")
}
