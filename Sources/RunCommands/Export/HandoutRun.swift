import Authoring
import Console
import Diagnosis
import LabExecution
import Machine
import Reports
import Supervision
import Trace

/// The run that a handout shows.
struct HandoutRun {
    enum Choice {
        case seed(UInt64)
        case schedule(Schedule)
        /// A failing run, if the program promises a failure and a search finds one. Otherwise the run of seed 1.
        case fitting
    }

    let trace: TraceDocument
    let findings: [Finding]

    init(_ scenario: any Runnable, _ rules: Rules, _ choice: Choice) throws {
        switch choice {
        case .seed(let seed): try self.init(running: scenario, .controlled(seed: seed), rules)
        case .schedule(let schedule): try self.init(running: scenario, .replay(schedule), rules)
        case .fitting:
            if scenario.promisesFindableFailure, let found = try Self.failure(scenario, rules) {
                self.init(found.trace, [found.deciding].compactMap(\.self))
            } else {
                try self.init(running: scenario, .controlled(seed: 1), rules)
            }
        }
    }

    private init(running scenario: any Runnable, _ mode: RunPlan.Mode, _ rules: Rules) throws {
        var plan = RunPlan(scenario, mode, rules: rules)
        plan.isSilent = true
        let run = try Supervisor.run(plan)
        if let last = run.trace.events.last, last.kind == .runDiverged {
            throw Complaint("the schedule does not fit: \((run.trace.text(of: last) ?? "").printable)")
        }
        self.init(run.trace, run.findings)
    }

    private init(_ trace: TraceDocument, _ findings: [Finding]) {
        self.trace = trace
        self.findings = findings
    }

    /// The finding of a search that shows most: a race, an order of locks or a leak is taken only if there is no other.
    /// Nil: the search found nothing.
    private static func failure(_ scenario: any Runnable, _ rules: Rules) throws -> ExplainedFinding? {
        var plan = SearchPlan(scenario)
        plan.rules = rules
        plan.time = UsualTime.handout
        plan.jobs = Processors.count
        let findings = try SearchSupervisor.run(plan).findings
        return findings.first { !plan.goal.lesser.contains($0.finding.kind) } ?? findings.first
    }
}

/// A program and one of its runs, as a sheet.
struct HandoutSheet {
    let handout: Handout
    /// A summary of the sheet's content, in lines.
    let facts: String

    /// - Throws: if the sheet has no room for the run.
    init(
        _ run: HandoutRun, of scenario: any Runnable, title: String?, showsInsides: Bool, tool: String
    ) throws(Complaint) {
        guard run.trace.threads.count <= Handout.mostThreads else {
            throw Complaint(
                "a sheet has lanes for at most \(Handout.mostThreads) threads, and this run has "
                    + "\(run.trace.threads.count): give the program's parameters smaller values")
        }
        var options = ReportOptions()
        options.findings = run.findings
        options.showsInsides = showsInsides
        let replay = "\(tool) \(scenario.replayArguments(run.trace.header))"
        handout = Handout(run.trace, HandoutProgram(scenario, run.trace, title: title, replay: replay), options)
        let end = run.trace.outcome?.kind.rawValue ?? "open"
        facts = (["\(handout.stepCount.grouped) steps, the end is '\(end)'"] + handout.notes + ["The run: \(replay)"])
            .joined(separator: "\n")
    }
}

extension HandoutProgram {
    /// The program's text for the sheet: of a `.lab` program, all that does not reveal how it ends; of a Swift
    /// scenario, the lines that the run reached.
    ///
    /// - Parameter replay: the command that repeats the run.
    init(_ scenario: any Runnable, _ trace: TraceDocument, title: String?, replay: String) {
        let details = scenario.arguments.map { "\($0.name) = \($0.value)" }
        let lines =
            (scenario as? LabScenario).map { program in
                program.program.source.linesOfQuestion.map { Line(number: $0.number, text: $0.text) }
            } ?? Self.reached(trace, SourceLines(scenario, .ownRun))
        self.init(title: title ?? scenario.label, details: details, lines: lines, replay: replay)
    }

    /// If the numbers of two reached lines differ by at most this, the lines between them are shown too.
    private static let nearLines = 4

    /// The lines that the run reached in one file: that of the trace's last source line, assumed to be the scenario's.
    /// Their common indent is removed. A line with the number 0 represents lines that are left out.
    private static func reached(_ trace: TraceDocument, _ source: SourceLines) -> [Line] {
        let sites = trace.sites.compactMap(\.self)
        guard let file = sites.last?.file else { return [] }
        let text = source.lines(of: file)
        let numbers = Set(sites.filter { $0.file == file }.map(\.line)).sorted().filter {
            text.indices.contains($0 - 1)
        }
        var lines: [Line] = []
        for number in numbers {
            if let last = lines.last, number - last.number > nearLines {
                lines.append(Line(number: 0, text: "⋮"))
            } else if let last = lines.last, number > last.number + 1 {
                lines += (last.number + 1..<number).map { Line(number: $0, text: String(text[$0 - 1])) }
            }
            lines.append(Line(number: number, text: String(text[number - 1])))
        }
        let indent =
            lines.filter { $0.number > 0 && $0.text.contains { $0 != " " } }.map { $0.text.prefix { $0 == " " }.count }
            .min() ?? 0
        return lines.map { $0.number == 0 ? $0 : Line(number: $0.number, text: String($0.text.dropFirst(indent))) }
    }
}
