import Authoring
import LabExecution
import LabProgram
import LabSyntax
import Synchronization
import Text
import Trace

/// The `.lab` files that a command line names, each read once.
final class LabFiles: Sendable {
    private struct Book {
        var files: [String: Result<LabFile, Complaint>] = [:]
        var complaint: Complaint?
    }

    private let scenarios: [any Scenario.Type]
    /// The names of the command line's own options.
    private let options: Set<String>
    private let book = Mutex(Book())

    /// - Parameter options: the names of the command line's own options, which a file's parameters cannot have.
    init(_ scenarios: [any Scenario.Type], options: Set<String>) {
        self.scenarios = scenarios
        self.options = options
    }

    static let suffix = ".lab"

    static func isLabFile(_ name: String) -> Bool { name.hasSuffix(suffix) }

    /// The error of the first file that had one.
    var complaint: Complaint? { book.withLock { $0.complaint } }

    /// The file, read and checked. Warnings go to standard error.
    func file(_ path: String) throws(Complaint) -> LabFile {
        let known = book.withLock { $0.files[path] }
        let result = known ?? Result { () throws(Complaint) in try read(path) }
        book.withLock { book in
            book.files[path] = result
            if case .failure(let complaint) = result { book.complaint = book.complaint ?? complaint }
        }
        switch result {
        case .success(let file): return file
        case .failure(let complaint): throw complaint
        }
    }

    /// The file's program with these parameters.
    func configured(_ path: String, _ arguments: [(name: String, value: String)]) throws(Complaint) -> any Runnable {
        let file = try file(path)
        do {
            return try file.configured(arguments)
        } catch let problem as LabFileProblem {
            throw Complaint(problem.message.printable)
        } catch let diagnostic as Diagnostic {
            throw Complaint(diagnostic.text(in: file.program.source) + "\n")
        } catch {
            throw Complaint("\(error)".printable, .failure)
        }
    }

    private func read(_ path: String) throws(Complaint) -> LabFile {
        // One byte more than the limit is enough for the reader to reject the file.
        let bytes = try InputFile(path).content(upTo: Limits.fileBytes + 1)
        let source = SourceText(name: path, bytes)
        guard source.isText else { throw Complaint("\(path.printable) is not a text file") }
        let reading = source.read(builtIns: scenarios.map { $0.known }, options: options)
        let text = reading.diagnostics.map { $0.text(in: source) }.joined(separator: "\n\n")
        guard let program = reading.program else { throw Complaint(text + "\n") }
        if !text.isEmpty { StandardError.write(text + "\n") }
        return LabFile(program, scenarios: scenarios)
    }
}

extension Scenario {
    /// What a file that runs this scenario can refer to.
    fileprivate static var known: KnownScenario {
        KnownScenario(
            name: name,
            parameters: parameters.map { parameter in
                let form: KnownScenario.Parameter.Form =
                    switch parameter.form {
                    case .integer: .integer
                    case .duration: .duration
                    case .choice(let choices): .words(choices.map(\.word))
                    }
                return KnownScenario.Parameter(name: parameter.name, form: form)
            })
    }
}
