import Arguments
import Authoring
import CompiledExecution
import Course
import Diagnosis
import Glibc
import LabExecution
import LabProgram
import LabSyntax
import Library
import Reports
import Supervision
import Text
import Trace

/// What completion and suggestions need to know of other commands. The list of commands (`CommandLineTool`) passes it
/// in, because commands do not import that list.
package struct KnownCommands: Sendable {
    /// What `help` can be asked about.
    let pages: [String]
    /// What `learn` can be asked for: its verbs, the lessons and the exercises.
    let lessons: @Sendable () -> [KnownWord]

    package init(pages: [String], lessons: @escaping @Sendable () -> [KnownWord]) {
        self.pages = pages
        self.lessons = lessons
    }
}

/// One invocation of the command line, which is passed to the command: the scenarios and programs that it can name, the
/// terminal, and what the command may do.
package struct Session {
    package static let version = "0.1.0"

    /// The program's name, as the user typed it: it appears in messages and in commands to paste.
    package let program: String
    let commands: KnownCommands
    package let scenarios: [any Scenario.Type]
    package let terminal = Terminal()
    /// The pager for long output.
    package var pager = Pager(rows: nil, isWanted: false)
    package let files: LabFiles
    package let compiled: CompiledPrograms
    /// Decides whether this command may start programs.
    package let gate: ProgramGate
    /// When the command began, in nanoseconds on the clock of `Deadline`.
    let begin: UInt64

    package init(
        program: String, commands: KnownCommands, scenarios: [any Scenario.Type], files: LabFiles,
        compiled: CompiledPrograms, gate: ProgramGate, begin: UInt64
    ) {
        self.program = program
        self.commands = commands
        self.scenarios = scenarios
        self.files = files
        self.compiled = compiled
        self.gate = gate
        self.begin = begin
    }

    /// The deadline of a command that may take this time, in nanoseconds, since it began.
    package func deadline(_ time: UInt64) -> Deadline { Deadline(after: time, since: begin) }

    /// The width of running text, in columns: at most 100, because longer lines are hard to read.
    package var textWidth: Int { min(terminal.columns, 100) }

    /// The names that the parser of the command line, help and completion know.
    package var known: KnownScenarios {
        let scenarios = self.scenarios
        let files = self.files
        let compiled = self.compiled
        let commands = self.commands
        return KnownScenarios(
            Self.words(scenarios), fileSuffix: LabFiles.suffix,
            hint: "'\(program) show' lists them; the name of a file ends in '\(LabFiles.suffix)'",
            vocabulary: { $0.words(scenarios, commands) },
            meant: { MeantWords(session: self).meant(by: $0, instead: $1) },
            options: { name in
                let steps = CompiledProgram.stepsParameter.option
                if compiled.names(name) { return CompiledProgram.parameters.map(\.option) + [steps] }
                if files.names(name) {
                    guard let file = try? files.file(name, isSilent: true) else { return [] }
                    return file.parameters.map(\.option) + (file.program.call == nil ? [] : [steps])
                }
                return NamedScenario(name, among: scenarios)?.type.parameters.map(\.option) ?? []
            })
    }

    private static func words(_ scenarios: [any Scenario.Type]) -> [KnownWord] {
        let programs = Library.chapters.flatMap { chapter in
            chapter.programs.map { KnownWord($0.name, "\(chapter.name): \($0.summary)") }
        }
        return scenarios.map { KnownWord($0.name, $0.summary) } + programs
    }

    /// Reports an error. A message of several lines shows a place in a file, and begins with the file's name, so the
    /// program's name is put only before other messages.
    package func complain(_ message: String, _ code: ExitCode) -> ExitCode {
        StandardError.write(message.contains("\n") ? message + "\n" : "\(program): \(message)\n")
        return code
    }

    /// Reports why a command failed.
    package func complain(_ error: any Error) -> ExitCode {
        do { throw error } catch let complaint as Complaint {
            return complain(complaint.message, complaint.code)
        } catch let problem as UnansweredQuestion {
            // A mistake in the course, which its author has to correct.
            return complain(problem.message.printable, .usage)
        } catch let failed as SupervisionFailed where failed.refusal != nil {
            return complain(failed.description.printable, .usage)
        } catch let interruption as Interrupted {
            return complain("interrupted", .interrupted(by: interruption.signal))
        } catch {
            return complain("\(error)".printable, .failure)
        }
    }

    /// The options of reports.
    package func reportOptions(_ color: Terminal.ColorChoice) -> ReportOptions {
        var options = terminal.reportOptions(color)
        options.program = program
        return options
    }
}

extension Session {
    /// The program that the name stands for, with the parameters from the command line.
    package func configured(_ name: String, _ arguments: TypedArguments<some OptionGroup>) throws(Complaint)
        -> any Runnable
    {
        let given = arguments.scenarioValues
        let added = given[CompiledProgram.stepsName]?.word
        if compiled.names(name) {
            try requireNoTask(of: name)
            return try compiled.program(
                name, given[CompiledProgram.argumentsName]?.word ?? "", added: added, pass: try gate.pass(for: name))
        }
        if files.names(name) {
            let file = try files.file(name)
            if let call = file.program.call {
                return try compiled.program(call, of: file, added: added, pass: try pass(for: call, of: file))
            }
            return try files.configured(
                name,
                file.parameters.compactMap { parameter in given[parameter.name].map { (parameter.name, $0.word) } })
        }
        let named = try scenario(named: name)
        let scenario = named.type.init()
        if let variant = named.variant {
            if let other = given[NamedScenario.parameter], other.word != variant {
                throw Complaint("\(name) names its variant: leave out --\(NamedScenario.parameter)")
            }
            try set(NamedScenario.parameter, to: variant, of: scenario)
        }
        for parameter in named.type.parameters {
            if let value = given[parameter.name] { try set(parameter.name, to: value.word, of: scenario) }
            if arguments.scenarioFlags.contains(parameter.name) { try set(parameter.name, to: "true", of: scenario) }
        }
        return ScenarioProgram(scenario, build(of: named.type))
    }

    /// Throws if `--against` was given: a task judges `.lab` files, not compiled programs.
    package func requireNoTask(of program: String) throws(Complaint) {
        guard let task = files.taskPath else { return }
        throw Complaint(
            "--against \(task.printable): a submission is a .lab file, and \(program.printable) is a compiled program")
    }

    /// Identifies the version of the scenario's code.
    package func build(of type: any Scenario.Type) -> TraceHeader.Build {
        TraceHeader.Build(package: program, version: Self.version, digest: SourceLines.digest(of: type.source))
    }

    /// The program of a saved trace: the text that the trace contains or, if it contains none, the program that has its
    /// name on this machine.
    package func program(of saved: TraceHeader) throws(Complaint) -> any Runnable {
        let parameters = saved.parameters.map { (name: $0.name, value: $0.value) }
        // With a task (`--against`), the file is read again, because it has to be judged.
        if case .text(let text)? = saved.program, files.taskPath == nil {
            return try files.configured(SourceText(name: saved.scenario, text), parameters)
        }
        if case .compiled(let build)? = saved.program, compiled.names(saved.scenario) {
            return try compiled.program(
                saved.scenario, Self.compiledArguments(parameters), saved: build,
                pass: try gate.pass(for: saved.scenario))
        }
        return try configured(saved.scenario, parameters)
    }

    /// The program of a saved trace, for commands that only show the trace. Nil: there is no such program, it would
    /// have to be started, or its file may not be read.
    package func shownProgram(of saved: TraceHeader) -> (any Runnable)? {
        if compiled.names(saved.scenario) { return nil }
        if files.names(saved.scenario), (try? files.file(saved.scenario, isSilent: true))?.program.call != nil {
            return nil
        }
        if case .text? = saved.program { return try? program(of: saved) }
        // A trace may name any file. If it does not contain the file's text, the file is read only where that is
        // allowed.
        let isFile = files.names(saved.scenario) && files.libraryProgram(saved.scenario) == nil
        return isFile && !SourceScope.savedTrace.allows(saved.scenario) ? nil : try? program(of: saved)
    }

    private func pass(for call: Program.ProgramCall, of file: LabFile) throws(Complaint) -> ProgramGate.Pass {
        try gate.pass(for: call.path, runBy: file.program.source.name)
    }

    private static func compiledArguments(_ parameters: [(name: String, value: String)]) -> String {
        parameters.first { $0.name == CompiledProgram.argumentsName }?.value ?? ""
    }

    /// The program that the name stands for, with these parameters.
    package func configured(
        _ name: String, _ parameters: [(name: String, value: String)]
    ) throws(Complaint) -> any Runnable {
        if files.names(name) {
            let file = try files.file(name)
            if let call = file.program.call {
                return try compiled.program(call, of: file, pass: try pass(for: call, of: file))
            }
            return try files.configured(name, parameters)
        }
        if compiled.names(name) {
            return try compiled.program(name, Self.compiledArguments(parameters), pass: try gate.pass(for: name))
        }
        let named = try scenario(named: name)
        let scenario = named.type.init()
        for (name, value) in parameters { try set(name, to: value, of: scenario) }
        return ScenarioProgram(scenario, build(of: named.type))
    }

    private func set(_ parameter: String, to word: String, of scenario: any Scenario) throws(Complaint) {
        if scenario.set(parameter, to: word) { return }
        let name = type(of: scenario).name
        guard let description = type(of: scenario).parameters.first(where: { $0.name == parameter }) else {
            throw Complaint("\(name) has no parameter '\(parameter.printable)'")
        }
        throw Complaint("\(name): --\(parameter) \(word.printable): \(description.requirement)")
    }
}

extension Runnable {
    /// Throws if the scheduler cannot run it.
    package func requireScheduler(for command: String) throws(Complaint) {
        guard let reason = realThreadsOnly else { return }
        throw Complaint(
            "\(command): \(name) exists on real threads only, \(reason): use 'run \(call)', or 'check \(name)'")
    }

    /// The arguments that run this scenario under the scheduler, where runs are repeatable.
    package var stepwiseArguments: String { "run \(call) --seed 1" }

    /// The arguments that find a schedule in which this scenario fails.
    ///
    /// - Parameter rules: what may happen in its runs, where it differs from the default.
    package func searchArguments(_ rules: [TraceHeader.Parameter] = []) -> String {
        "explore \(call)\(options(rules))"
    }

    /// Whether a search should find a run that fails: the scenario promises one, and runs under the scheduler.
    package var promisesFindableFailure: Bool { realThreadsOnly == nil && promisesFailure }

    /// Whether the scenario promises that some run fails.
    package var promisesFailure: Bool { !expectation.findings.isEmpty }

    /// The arguments that reproduce a mismatch found by a check.
    ///
    /// - Parameter seed: the seed of the check's searches.
    package func arguments(showing mismatch: Mismatch, seed: UInt64) -> String {
        switch mismatch {
        case .notAllowed(let sighting, let evidence):
            guard let schedule = sighting.first?.schedule else {
                return "run \(call) --runs \(max(evidence.runs, leastRuns))"
            }
            // An empty schedule: the outcome was decided before the first choice, so any run shows it.
            return schedule.isEmpty
                ? stepwiseArguments : "replay \(call)\(sighting.first?.options ?? "") --schedule \(schedule)"
        case .notProved(let limit, _):
            return "explore \(call)" + (limit == .time ? " --time 5m" : "")
        case .busyWaiting(.found(_, let execution, _), _): return "play \(call) --schedule \(execution.schedule)"
        case .busyWaiting: return "explore \(call) --strategy states"
        case .warningNotSeen: return "explore \(call)" + Self.seedOption(seed)
        case .nothingSeen: return "explore \(call)"
        case .outcomeNotSeen, .stateNotSeen, .notRepeatable:
            return "explore \(call) --keep-going" + Self.seedOption(seed)
        }
    }

    /// The number of runs on real threads that may show a rare outcome again.
    private var leastRuns: Int { 100 }

    private static func seedOption(_ seed: UInt64) -> String { seed == 1 ? "" : " --seed \(seed)" }
}
