import Arguments
import Authoring
import Diagnosis
import Exploration
import Supervision
import Text
import Trace

/// A run to look at, however the command line names it: a saved trace, or a scenario that is run now.
struct TraceSubject {
    static let name = "TRACE-OR-NAME"
    static let help = "A saved trace, a scenario or program from 'list', or a .lab file"

    let trace: TraceDocument
    let scenario: (any Runnable)?

    /// Whether the word names a scenario or program, not a file with a trace.
    static func isScenario(_ name: String, in session: Session) -> Bool {
        session.scenarios.contains { $0.name == name } || session.files.names(name) && name != InputFile.standardInput
    }

    /// Reads a saved trace.
    init(file path: String, in session: Session) throws(Complaint) {
        var trace = try TraceFile(path).read()
        scenario = try? session.configured(
            trace.header.scenario, trace.header.parameters.map { ($0.name, $0.value) })
        if trace.outcome == nil {
            trace.outcome = OutcomeJudge.outcome(of: trace, judgesLockOrder: scenario?.judgesLockOrder ?? false)
        }
        self.trace = trace
    }

    /// Runs a scenario, on real threads only if it exists nowhere else.
    init(running scenario: any Runnable, _ mode: RunPlan.Mode) throws {
        let isNative = scenario.realThreadsOnly != nil
        var plan = RunPlan(scenario, isNative ? .native : mode)
        plan.isSilent = true
        self.scenario = scenario
        trace = try Supervisor.run(plan).trace
    }

    /// Why the run could not follow its schedule. Nil: it could.
    var misfit: String? {
        guard let last = trace.events.last, last.kind == .runDiverged else { return nil }
        return (trace.text(of: last) ?? "").printable
    }
}
