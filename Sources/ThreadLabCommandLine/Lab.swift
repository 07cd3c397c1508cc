import CCompiled
import Console
import Glibc
@_exported import Scenarios
import Supervision
import Text
@_exported import ThreadLab

/// The entry points of the command line. With one line, a package of your own gets all commands, for its scenarios and
/// the built-in ones:
/// ```swift
/// import ThreadLabCommandLine
/// Lab.main(Catalogue.builtIn + [MyScenario.self])
/// ```
/// The first examples in its help name a scenario of yours.
extension Lab {
    /// Runs the command given by the process's arguments, and exits. Call it first, while the process has one thread:
    /// runs are forked from it.
    public static func main(_ scenarios: [any Scenario.Type] = Catalogue.builtIn) -> Never {
        StandardStreams.ensureOpen()
        FixedHashing.ensure(for: scenarios)
        FileSizeLimit.makeError()
        run(scenarios, CommandLine.arguments, since: Deadline.now, hosted: nil)
    }

    /// Runs a command in the process of a compiled program, and exits. The program's runtime calls it, after
    /// `threadlab` has executed the program (see `CompiledPrograms`).
    ///
    /// - Parameter command: when the command began, and the words of the command line, as `CountedWords`.
    package static func main(_ program: UnsafeMutablePointer<compiled_program_t>, command: String) -> Never {
        StandardStreams.ensureOpen()
        let words = CountedWords(command).words
        run(
            Catalogue.builtIn, Array(words.dropFirst()), since: words.first.flatMap { UInt64($0) } ?? Deadline.now,
            hosted: program)
    }

    /// - Parameters:
    ///   - command: the words of the command line, the tool's name first.
    ///   - begin: when the command began, in nanoseconds on the clock of `Deadline`.
    ///   - hosted: the compiled program in this process. Nil: there is none.
    private static func run(
        _ scenarios: [any Scenario.Type], _ command: [String], since begin: UInt64,
        hosted: UnsafeMutablePointer<compiled_program_t>?
    ) -> Never {
        let command = ProgramArguments(command).command
        let global = CommandLineTool.globalOptions(Array(command.dropFirst()))
        let path = command.first ?? ""
        let name = path.lastNameOfPath.map { $0.printable } ?? "threadlab"
        let options = CommandLineTool.ownOptions
        assert(CatalogueProblem(Catalogue.builtIn, options: options) == nil, "a built-in scenario has a mistake")
        if let problem = CatalogueProblem(scenarios, proved: Catalogue.builtIn, options: options) {
            StandardError.write("\(name): \(problem.message)\n")
            exit(ExitCode.failure.rawValue)
        }
        let session = Session(
            program: name, commands: CommandLineTool.known, scenarios: scenarios,
            files: LabFiles(scenarios, options: options),
            compiled: CompiledPrograms(hosted, command: command, since: begin),
            gate: ProgramGate(global.words, for: global.client, tool: name), begin: begin)
        exit(CommandLineTool(session, global).run().rawValue)
    }
}
