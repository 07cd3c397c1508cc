import Authoring
import CCompiled
import CLab
import CompiledExecution
import Exploration
import Glibc
import LabExecution
import LabProgram
import Machine
import Supervision
import Text
import Trace

/// The compiled program that a command line names. It runs in one process with threadlab's engine, a library. So when a
/// command needs the program, this process executes it; the program's runtime loads the engine, which begins the same
/// command again and finds the program hosted in its process.
package final class CompiledPrograms: Sendable {
    /// The compiled program in this process. Nil: this process has not executed one.
    private let hosted: HostedProgram?
    private let command: [String]
    /// How the first call of `program` asked to start the program. Nil: there was no call yet.
    private let start = Guarded<ProgramStart?>(nil)
    /// The command's deadline. Nil: it has none.
    private let deadline = Guarded<Deadline?>(nil)
    /// When the command began, in nanoseconds on the clock of `Deadline`: before this process executed the program.
    private let commandBegin: UInt64
    /// The memory accesses at which the program's threads are scheduled. Nil: they have not been learned yet.
    private let learned = Guarded<HostedProgram.Steps?>(nil)

    /// - Parameters:
    ///   - hosted: the program of this process.
    ///   - command: the words of the command line, the tool's name first.
    ///   - begin: when the command began.
    package init(_ hosted: UnsafeMutablePointer<compiled_program_t>?, command: [String], since begin: UInt64) {
        commandBegin = begin
        self.command = command
        self.hosted = hosted.map { HostedProgram($0) }
    }

    /// Whether this process is that of a compiled program.
    package var isHosted: Bool { hosted != nil }

    /// Sets the command's deadline. Learning the steps takes at most half of the time.
    package func limitLearning(until deadline: Deadline) { self.deadline.withLock { $0 = deadline } }

    /// Whether the word is the path of a compiled program.
    package func names(_ word: String) -> Bool { CompiledFile(word) != nil }

    /// The program with these arguments. If this process does not host a program, it executes this one, and the command
    /// begins again there.
    ///
    /// - Parameters:
    ///   - words: the arguments, quoted as for a shell.
    ///   - saved: the build of the program in a saved run, whose steps are used if it is the same build.
    ///   - added: places of the program that are steps besides the learned ones, as a report names them. Nil: none.
    ///   - pass: the permission from the command's gate.
    package func program(
        _ path: String, _ words: String, saved: TraceHeader.Build? = nil, added: String? = nil,
        pass: ProgramGate.Pass
    ) throws(Complaint) -> any Runnable {
        try program(ProgramStart(path: path, words: words), in: nil, saved: saved, added: added, pass: pass)
    }

    /// The program that a `.lab` file runs, with the file's arguments, input and variables.
    package func program(
        _ call: Program.ProgramCall, of file: LabFile, saved: TraceHeader.Build? = nil, added: String? = nil,
        pass: ProgramGate.Pass
    ) throws(Complaint) -> any Runnable {
        let source = file.program.source.name
        let start = ProgramStart(call, in: source)
        guard names(start.path) else {
            throw Complaint(
                "\(source.printable) runs '\(start.path.printable)', and there is no such program: build it before")
        }
        return try program(
            start,
            in: CompiledProgram.Frame(
                name: source, label: file.program.title, expectation: file.program.expectation,
                statesExpectation: file.program.statesExpectation), saved: saved, added: added, pass: pass)
    }

    /// - Parameter frame: the `.lab` file that runs the program. Nil: the command line names the program.
    private func program(
        _ start: ProgramStart, in frame: CompiledProgram.Frame?, saved: TraceHeader.Build?, added: String?,
        pass: ProgramGate.Pass
    ) throws(Complaint) -> any Runnable {
        guard let hosted else { try execute(start, pass) }
        let first = self.start.withLock { known in
            known = known ?? start
            return known
        }
        guard hosted.path == Self.absolutePath(of: start.path), first == start else {
            throw Complaint(
                "\(start.path.printable): a command has one compiled program at a time, and its arguments: save a trace of each run, and compare those"
            )
        }
        try learn(hosted)
        let program = CompiledProgram(
            hosted, path: start.path, words: start.words, in: frame, version: Session.version,
            learned: learned.withLock(\.self))
        if let added, !hosted.addSteps(added) {
            throw Complaint(
                "--\(CompiledProgram.stepsName) \(added.printable): \(start.path.printable) has no such places; copy it from the report as it is"
            )
        }
        if let saved, let steps = saved.steps, saved.digest == hosted.digest, !hosted.takeSteps(steps) {
            throw Complaint(
                "the trace says of \(start.path.printable) what its steps are, and that is damaged: save it again")
        }
        return program
    }

    /// How the program differs from the build in a saved run, as a sentence without its full stop. Nil: it does not
    /// differ.
    func change(of path: String, since build: TraceHeader.Build) -> String? {
        guard let then = build.digest, let now = hosted?.digest, then != now else { return nil }
        return "\(path) was built again since the trace was saved: the same choices may mean something else in it"
    }

    /// Learns which memory accesses are steps: those of memory that several threads share. It runs the program with
    /// random schedules in separate processes, because the program may crash or hang.
    private func learn(_ hosted: HostedProgram) throws(Complaint) {
        if learned.withLock({ $0 != nil }) { return }
        defer { learned.withLock { $0 = hosted.present } }
        var rules = Rules(maximumSteps: RunPlan.defaultMaximumSteps)
        rules.timeouts = .any
        let limit = deadline.withLock(\.self) ?? Deadline(after: Self.learningTime)
        let learner = hosted.learner(rules)
        // If a run loads libraries, this process executes the program again with these libraries loaded
        // (`keepLibraries`), and learns from the beginning. So learning stops then.
        let hasLibraries = { hosted.hasLibraries }
        do throws(SupervisionFailed) {
            try PreparatoryRuns.run(
                atMost: HostedProgram.mostLearned, enough: HostedProgram.enoughQuiet,
                until: limit.at(most: limit.left / 2), unless: hasLibraries
            ) { number in
                hosted.learn(learner, RandomWalk(seed: UInt64(number)))
            }
            if let mistake = OwnMistake.text { throw SupervisionFailed(mistake) }
            hosted.keepLibraries()
        } catch {
            throw Complaint(error.description, .failure)
        }
    }

    /// If the command has no deadline, learning takes at most half of this time, in nanoseconds.
    private static let learningTime: UInt64 = 20_000_000_000

    /// The absolute path, with links resolved.
    private static func absolutePath(of path: String) -> String? {
        guard let absolute = realpath(path, nil) else { return nil }
        defer { free(absolute) }
        return String(cString: absolute)
    }

    // MARK: - Executing the program

    /// The runtime as a library that is loaded before the program's own libraries, for a program that gcc linked for
    /// ThreadSanitizer. Nil: the program contains the runtime.
    ///
    /// - Throws: if the program was not built for threadlab.
    private static func preloaded(for path: String) throws(Complaint) -> String? {
        let file = CompiledFile(path)
        if let library = file?.openMP {
            throw Complaint(
                "\(path.printable) uses OpenMP (\(library.printable)), whose threads wait for each other by code of its own, which threadlab does not see"
            )
        }
        if let version = file?.runtimeVersion {
            if version == COMPILED_VERSION { return nil }
            throw Complaint("\(path.printable) was built by another version of threadlab: build it again")
        }
        if file?.isForThreadSanitizer ?? false { return try InstalledFile("libthreadlab_runtime.so").path }
        throw Complaint(
            "\(path.printable) was not built for threadlab: build it with 'threadlab cc -- cc -g app.c -o app', "
                + "or with 'make CC=\"threadlab cc -- cc\"'")
    }

    /// Executes the program in this process. The environment says which engine it loads, and the words of the command.
    private func execute(_ start: ProgramStart, _ pass: ProgramGate.Pass) throws(Complaint) -> Never {
        let path = start.path
        let preloaded = try Self.preloaded(for: path)
        let engine = try InstalledFile("libthreadlab_engine.so").path
        guard let arguments = ShellWords(start.words)?.words else {
            throw Complaint("\(path.printable) --arguments \(start.words.printable): a quotation mark is not closed")
        }
        try start.prepare()
        // Switches off the randomization of addresses, so that they are the same in all executions and processes.
        if clab_fix_addresses() != 0 {
            StandardError.write(
                "threadlab: the system does not let addresses be fixed (personality), so a program that decides by addresses may behave "
                    + "differently in another process: \(path.printable) may not be repeatable on another day\n")
        }
        setenv(COMPILED_ENGINE_VARIABLE, engine, 1)
        let words = ["\(commandBegin)"] + command
        setenv(COMPILED_WORDS_VARIABLE, words.map { "\($0.utf8.count):\($0)" }.joined(), 1)
        // Library functions are bound at the start, not at their first calls, which are part of executions.
        setenv("LD_BIND_NOW", "1", 1)
        if let preloaded {
            let own = getenv("LD_PRELOAD").map { String(cString: $0) } ?? ""
            setenv("LD_PRELOAD", own.isEmpty ? preloaded : preloaded + ":" + own, 1)
            setenv(COMPILED_PRELOAD_VARIABLE, own, 1)
        }
        var program = ([path] + arguments).map { strdup($0) } + [nil]
        FileSizeLimit.restore()
        execv(path, &program)
        throw Complaint("cannot start \(path.printable): \(String(cString: strerror(errno)))")
    }
}

/// A file that is installed with threadlab, or built beside it.
package struct InstalledFile {
    package let path: String

    package init(_ name: String) throws(Complaint) {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let program = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = program.folderOfPath ?? "."
        let places = ["\(folder)/\(name)", "\(folder)/../lib/threadlab/\(name)"]
        guard let found = places.first(where: { access($0, R_OK) == 0 }) else {
            throw Complaint("threadlab's file \(name) is missing: it should be \(places[1]) or \(places[0])", .failure)
        }
        path = found
    }
}
