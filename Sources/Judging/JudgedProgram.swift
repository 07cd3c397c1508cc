import Authoring
import LabExecution
import LabProgram
import LabSyntax
import Text

/// A submission whose claims and limits are replaced by those of its task.
package struct JudgedProgram: Sendable {
    /// The program of the submission's text without its claims, in which every other word keeps its line and column,
    /// followed by the task's claims.
    package let program: Program
    /// Whether the submission's code sleeps or waits with a time limit. If it does, time may pass at any moment of a
    /// search, so that no `sleep` keeps threads apart.
    let waitsForTime: Bool

    /// The result of reading a submission, before anything runs.
    package enum Reading: Sendable {
        /// The submission has errors, as lines for people.
        case wrong(String)
        case evading([Evasion])
        case program(JudgedProgram)
    }

    /// Compares a submission with its task, without running it.
    package static func read(_ source: SourceText, against task: LabTask) -> Reading {
        guard source.isText else { return .wrong("\(source.name) is not a text file") }
        let syntax = source.syntax()
        guard let file = syntax.file, syntax.diagnostics.errors.isEmpty else {
            return .wrong(text(syntax.diagnostics.sorted, source))
        }
        let outline = Outline(file, source)
        let comparison = Comparison(task, outline, source)
        if !comparison.evasions.isEmpty { return .evading(comparison.evasions) }
        return read(JudgedText(source, outline, task), outline, source)
    }

    private static func read(_ text: JudgedText, _ outline: Outline, _ source: SourceText) -> Reading {
        let reading = text.source.read()
        guard let program = reading.program, let configuration = try? program.configured() else {
            let own = reading.diagnostics.filter { $0.span.start < text.taskBegin }
            if !own.isEmpty || reading.diagnostics.isEmpty { return .wrong(Self.text(own, text.source)) }
            let first = source.words().first?.span ?? Span(0, 0)
            return .evading(
                reading.diagnostics.map {
                    Evasion(.claim, "the task's claims do not fit this program: \($0.message)", at: first)
                })
        }
        let violations = TaskReview(program, configuration).violations
        if !violations.isEmpty { return .evading(violations.map { Evasion(.limit, $0.message, at: $0.span) }) }
        return .program(JudgedProgram(program: program, waitsForTime: outline.waitsForTime))
    }

    private static func text(_ diagnostics: [Diagnostic], _ source: SourceText) -> String {
        diagnostics.map { $0.text(in: source) }.joined(separator: "\n\n")
    }

    /// The program as something that can be run and searched.
    ///
    /// - Parameters:
    ///   - arguments: values of its parameters.
    ///   - path: the task's path, for the commands in reports that repeat a run. Nil if reports have no such commands.
    /// - Throws: an error if a value does not fit its parameter.
    package func configured(_ arguments: [(name: String, value: String)] = [], task path: String?) throws
        -> any Runnable
    {
        try file(task: path).configured(arguments)
    }

    /// The program, with values of its parameters still to be chosen.
    ///
    /// - Parameter path: the task's path, for the commands in reports that repeat a run. Nil if reports have no such
    ///   commands.
    package func file(task path: String?) -> LabFile {
        LabFile(program, scenarios: [], judged: .init(taskPath: path, hasFreeTime: waitsForTime))
    }
}

extension Outline {
    /// Whether the submission's code has a `sleep`, or an operation with a time limit.
    fileprivate var waitsForTime: Bool {
        ownWords.indices.contains { number in
            let word = ownWords[number].text
            return word == Keyword.sleep.rawValue
                || word == Keyword.for.rawValue && number + 1 < ownWords.count && ownWords[number + 1].text == ":"
        }
    }
}

/// The text of a submission without its claims, followed by the task's claims.
struct JudgedText {
    let source: SourceText
    /// The byte offset in the text at which the task's part begins. Errors before it are the submission's own.
    let taskBegin: Int

    init(_ submission: SourceText, _ outline: Outline, _ task: LabTask) {
        var result = submission.bytes(without: outline.claims)
        if result.last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
        result += "// What follows is the task's.\n".utf8
        taskBegin = result.count
        for span in task.outline.claims { result += task.source.bytes[span.start..<span.end] + [UInt8(ascii: "\n")] }
        source = SourceText(name: submission.name, result)
    }
}

extension SourceText {
    /// The text with spaces in place of some spans: all other words keep their lines and columns.
    package func bytes(without spans: [Span]) -> [UInt8] {
        var bytes = bytes
        for span in spans {
            for place in span.start..<span.end
            where bytes[place] != UInt8(ascii: "\n") && bytes[place] != UInt8(ascii: "\r") {
                // A character takes one column, whatever its length in bytes: its first byte becomes a space, and its
                // continuation bytes become zeros, which are removed below.
                bytes[place] = bytes[place].continuesCharacter ? 0 : UInt8(ascii: " ")
            }
        }
        return bytes.filter { $0 != 0 }
    }
}
