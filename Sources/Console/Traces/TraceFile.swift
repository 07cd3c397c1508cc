import Arguments
import Authoring
import Diagnosis
import Exploration
import Glibc
import Machine
import Supervision
import Text
import Trace

/// A file named as a saved trace: JSON Lines, or the recording of a run that was killed. `-` is standard input.
package struct TraceFile {
    /// The maximum size of a file, in bytes (640 MiB). Larger files are rejected, not read into memory.
    static let greatestSize = 5 << 27

    private let path: String

    private let beginning: [UInt8]

    /// - Parameter beginning: the bytes that were already read from standard input.
    package init(_ path: String, beginning: [UInt8] = []) {
        self.path = path
        self.beginning = beginning
    }

    /// The trace to show: all of it or, if that needs too much memory, its beginning. A message on standard error says
    /// so.
    package func readToShow(_ session: Session) throws(Complaint) -> TraceDocument { shown(try readWhole(), session) }

    package func shown(_ whole: TraceDocument, _ session: Session) -> TraceDocument {
        let part = TracePart(whole).trace
        if part.events.count < whole.events.count {
            StandardError.write(
                "\(session.program): \(path.printable) is too large to be shown as a whole: here are its first "
                    + "\(part.events.count.grouped) of \(whole.events.count.grouped) events\n")
        }
        return part
    }

    /// The whole trace, for commands that repeat its run.
    package func readWhole() throws(Complaint) -> TraceDocument {
        let bytes = try InputFile(path, beginning: beginning).content(upTo: Self.greatestSize, "a trace")
        let isStandardInput = path == InputFile.standardInput
        let name = isStandardInput ? "standard input" : path.printable
        if bytes.isEmpty { throw Complaint("\(name) is empty, not a trace") }
        // A recording is not text. It is read by its path, so it cannot come from standard input.
        if bytes.first != UInt8(ascii: "{"), !isStandardInput { return try recording() }
        do throws(TraceFormatError) {
            return try TraceReader.read(bytes)
        } catch {
            throw Complaint("\(name): \("\(error)".printable)")
        }
    }

    /// The trace as far as the run was recorded.
    private func recording() throws(Complaint) -> TraceDocument {
        do throws(RecordingError) {
            let reader = try RecordingReader(file: path)
            var trace = TraceDocument(header: TraceHeader(scenario: "unknown", runtime: .native))
            reader.drain(into: &trace, final: true)
            if let run = reader.run { trace.header = run }
            return trace
        } catch {
            throw Complaint("\(path.printable) is not a readable trace: \(error.description)")
        }
    }
}

/// A folder in which traces are saved. It is checked as far as possible before anything runs.
package struct TraceFolder {
    private let folder: OutputFolder

    /// - Parameter path: the path that the user gave. The folder is created if it does not exist.
    package init(_ path: String) throws(Complaint) { folder = try OutputFolder(making: path, for: "traces") }

    /// Saves each trace under the scenario's name, its outcome and a number: `deadlock-deadlock-1.trace`.
    package func save(_ findings: [ExplainedFinding], of scenario: any Runnable) throws(Complaint) {
        let fileName = scenario.name.lastNameOfPath.map(String.init) ?? scenario.name
        let name = LabFiles.isLabFile(fileName) ? String(fileName.dropLast(LabFiles.suffix.count)) : fileName
        for (index, finding) in findings.enumerated() {
            let kind = finding.finding.kind.rawValue
            let file = try folder.file("\(name)-\(kind)-\(index + 1).trace", for: "the trace")
            try file.write { TraceWriter.write(finding.trace, to: &$0) }
        }
    }

    /// Saves the content of a trace's file.
    ///
    /// - Returns: the path of its file.
    package func save(_ content: [UInt8], as name: String) throws(Complaint) -> String {
        let file = try folder.file(name, for: "the trace")
        try file.write { $0.write(content) }
        return file.path
    }
}

/// The file for a trace. It is checked as far as possible before anything runs.
struct TraceDestination {
    let file: NewFile

    init(_ path: String) throws(Complaint) {
        file = try NewFile(at: path, for: "the trace", orElse: "'--format json' prints the same")
    }

    /// The path of the recording of the run in progress, which remains if threadlab itself is killed.
    var recordingPath: String { "\(file.path).recording" }

    package func save(_ trace: TraceDocument) throws(Complaint) {
        try file.write { TraceWriter.write(trace, to: &$0) }
    }
}

/// A run to show, from a saved trace, or from a scenario that is run now.
package struct TraceSubject {
    /// The placeholder and the help of the positional.
    package static let name = "NAME-OR-TRACE"
    package static let help = "A saved trace, a scenario or program from 'show', or a .lab file"

    package let trace: TraceDocument
    package let scenario: (any Runnable)?

    /// Whether the word names a scenario or program, not a file with a trace.
    package static func isScenario(_ name: String, in session: Session) -> Bool {
        if name == InputFile.standardInput { return session.files.standardInputIsProgram }
        return session.namesProgram(name)
    }

    /// Reads a saved trace.
    package init(file path: String, in session: Session) throws(Complaint) {
        var trace = try TraceFile(path, beginning: session.files.standardInput).readToShow(session)
        scenario = session.shownProgram(of: trace.header)
        // The trace of a run that was killed has no outcome. It can be judged if no events are missing from it.
        if trace.outcome == nil, trace.omitted == 0 {
            trace.outcome = OutcomeJudge.outcome(of: trace, judgesLockOrder: scenario?.judgesLockOrder ?? false)
        }
        self.trace = trace
    }

    /// Runs a scenario: under the scheduler or, if it is only for real threads, on real threads.
    ///
    /// - Parameter model: the memory model. Nil: the one that the program's own orders ask for.
    package init(running scenario: any Runnable, _ mode: RunPlan.Mode, under model: MemoryModel? = nil) throws {
        var rules = Rules(maximumSteps: scenario.defaultMaximumSteps)
        rules.model = model ?? scenario.ownModel
        try self.init(running: scenario, mode, rules)
    }

    /// Runs a scenario under the rules of an earlier run: the choices of its schedule exist only under these rules.
    package init(running scenario: any Runnable, _ mode: RunPlan.Mode, as earlier: TraceHeader) throws {
        let rules = try earlier.changedRules(maximumSteps: scenario.defaultMaximumSteps)
        try self.init(running: scenario, mode, rules)
    }

    /// Runs a scenario under these rules.
    package init(running scenario: any Runnable, _ mode: RunPlan.Mode, _ rules: Rules) throws {
        let scenario = try rules.model.supported(by: scenario)
        let isNative = scenario.realThreadsOnly != nil
        var plan = RunPlan(scenario, isNative ? .native : mode, rules: rules)
        plan.isSilent = true
        scenario.adapt(&plan.rules)
        plan.rules.limitSteps()
        self.scenario = scenario
        trace = try Supervisor.run(plan).trace
    }

    /// Why the run could not follow its schedule. Nil: it could.
    package var misfit: String? {
        guard let last = trace.events.last, last.kind == .runDiverged else { return nil }
        return (trace.text(of: last) ?? "").printable
    }
}
