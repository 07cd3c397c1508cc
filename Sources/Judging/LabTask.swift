import LabProgram
import LabSyntax
import Text

/// A programming exercise: a `.lab` program with claims, `given` parts and limits, which learners change. `TaskJudge`
/// decides whether a learner's version, a *submission*, solves it.
package struct LabTask: Sendable {
    package let source: SourceText
    package let program: Program

    /// Why a file cannot be a task, as lines for people.
    package struct Problem: Error, CustomStringConvertible {
        package let message: String

        package var description: String { message }
    }

    /// - Throws: `Problem`, if the text has errors, or if it cannot be a task.
    package init(_ source: SourceText) throws(Problem) {
        self.source = source
        guard source.isText else { throw Problem(message: "\(source.name.printable) is not a text file") }
        let reading = source.read()
        guard let program = reading.program else {
            throw Problem(message: reading.diagnostics.map { $0.text(in: source) }.joined(separator: "\n\n"))
        }
        self.program = program
        if let problem = unfitness { throw problem }
    }

    var outline: Outline {
        // A text that is too large has no syntax tree. It is not a task either, so the empty outline is never compared.
        source.syntax().file.map { Outline($0, source) } ?? Outline()
    }

    /// Why no submission of this program could be judged; nil if the program can be a task.
    private var unfitness: Problem? {
        let name = source.name.printable
        if program.builtIn != nil || program.call != nil {
            return Problem(message: "\(name): a program with 'run' cannot be a task")
        }
        if program.threads.isEmpty { return Problem(message: "\(name): a task needs a thread") }
        let outline = outline
        for declaration in outline.declarations where declaration.kind == .function && !declaration.isGiven {
            guard let span = declaration.verbs.first?.span ?? declaration.progress.first else { continue }
            // If a submission could rewrite such a function, it could omit the call, and the task's threads would not
            // start.
            let problem = Diagnostic(
                severity: .error,
                message:
                    "in a task, a function that starts, joins or detaches threads, or makes progress, must be given",
                help: "write 'given func \(declaration.name.printable)'", span: span)
            return Problem(message: problem.text(in: source))
        }
        return nil
    }
}
