import Authoring
import Judging
import LabExecution
import LabProgram
import LabSyntax

/// A version of a program in which parts are removed or added, so that the explorer can answer a question about the
/// program. Its lines keep their numbers.
struct ProgramVersion {
    private let source: SourceText
    private var bytes: [UInt8]

    /// - Parameter name: the program's name in reports.
    init(_ text: String, name: String) {
        source = SourceText(name: name, text)
        bytes = source.bytes
    }

    /// Removes the program's claims and limits, and its `finally` unless it is to be kept. Must be called before
    /// anything is added.
    mutating func removeClaims(keepingFinally: Bool = false) {
        guard let file = source.syntax().file else { return }
        let claims = zip(file.items, file.spans).filter { item, _ in item.isClaim(keepingFinally: keepingFinally) }
        bytes = source.bytes(without: claims.map { _, span in span })
    }

    /// Adds lines at the end.
    mutating func add(_ lines: [String]) { bytes += Array("\n\(lines.joined(separator: "\n"))\n".utf8) }

    /// Inserts a statement before the text, on its line. Returns false if the text is not in exactly one place.
    mutating func insert(_ statement: String, before text: String) -> Bool {
        let whole = String(decoding: bytes, as: UTF8.self)
        guard let place = whole.firstRange(of: text), whole[place.upperBound...].firstRange(of: text) == nil else {
            return false
        }
        bytes = Array((whole[..<place.lowerBound] + statement + "; " + whole[place.lowerBound...]).utf8)
        return true
    }

    /// The program with default parameters.
    func runnable() throws(VersionProblem) -> any Runnable {
        let text = SourceText(name: source.name, bytes)
        let reading = text.read()
        guard let program = reading.program, let runnable = try? LabFile(program, scenarios: []).configured([]) else {
            let errors = reading.diagnostics.filter { $0.severity == .error }
            throw VersionProblem(message: errors.first?.message ?? "the program cannot be configured")
        }
        guard runnable.hasStates else {
            throw VersionProblem(message: "it runs a scenario of Swift, which has no states")
        }
        return runnable
    }
}

extension Syntax.Item {
    /// Whether the item says how runs should be: it is an expectation, a specification, a task or a `finally`, which
    /// usually contains only checks.
    ///
    /// - Parameter keepingFinally: whether `finally` does not count.
    func isClaim(keepingFinally: Bool = false) -> Bool {
        switch self {
        case .expect, .task, .specification: true
        case .finally: !keepingFinally
        case .parameter, .objects, .function, .thread, .run: false
        }
    }
}

extension SourceText {
    /// The claims of a program as written: its expectations, `finally`, specification and task.
    var claims: [String] {
        guard let file = syntax().file else { return [] }
        return zip(file.items, file.spans).filter { item, _ in item.isClaim() }.map { _, span in text(span) }
    }
}

extension SourceText {
    /// The beginning of a condition, such as `index != 1 || `, that makes the condition true for all threads that
    /// execute the line of the place, except for the thread of the place. Empty: that is the only one.
    func exclusion(of place: Question.ProgramPlace) throws(VersionProblem) -> String {
        // The thread's name, and its index if it is an element of an array: `adder[0]`.
        let parts = place.thread.wholeMatch(of: /([^\[\]]+)(?:\[(\d+)\])?/)
        guard let file = syntax().file, let parts else {
            throw VersionProblem(message: "the program has no thread named '\(place.thread)'")
        }
        for (item, span) in zip(file.items, file.spans) {
            guard case .thread(let thread) = item, thread.name.text == parts.1, text(span).contains(place.text) else {
                continue
            }
            guard (thread.count != nil) == (parts.2 != nil) else { break }
            return parts.2.map { "index != \($0) || " } ?? ""
        }
        throw VersionProblem(message: "'\(place.text)' is not in the code of a thread '\(place.thread)'")
    }
}

/// Why a version of a program cannot be run.
struct VersionProblem: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
}
