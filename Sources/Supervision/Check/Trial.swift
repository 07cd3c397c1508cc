import CLab
import Diagnosis
import Glibc
import Scenarios
import Trace

/// The gathering of evidence about one scenario, in a process of its own. That process is threadlab's: the scenario runs in
/// children of it, so whatever the scenario does, it does to them.
final class Trial {
    private let scenario: any Runnable
    private let plan: CheckPlan
    private let controlled: EvidenceMemory
    private let native: EvidenceMemory
    private let begin: UInt64
    private let process: pid_t

    /// Begins it. Must be called while the process has one thread, and with the signals blocked that end a run: it forks.
    init(_ scenario: any Runnable, _ plan: CheckPlan) throws(SupervisionFailed) {
        self.scenario = scenario
        self.plan = plan
        let states = scenario.soughtStates
        controlled = try EvidenceMemory(states: states)
        native = try EvidenceMemory(states: states)
        begin = RecordingClock.nanoseconds()
        fflush(nil)
        let parent = getpid()
        process = clab_fork()
        if process == 0 { Self.gatherAndExit(scenario, plan, controlled, native, parent: parent) }
        guard process > 0 else {
            throw SupervisionFailed("no process for the runs: \(String(cString: strerror(errno)))")
        }
    }

    private static func gatherAndExit(
        _ scenario: any Runnable, _ plan: CheckPlan, _ controlled: EvidenceMemory, _ native: EvidenceMemory,
        parent: pid_t
    ) -> Never {
        clab_die_with_parent()
        if getppid() != parent { _exit(Exit.interrupted) }
        dropOutput()
        do {
            let isWhole =
                try ControlledTrials(scenario: scenario, plan: plan, memory: controlled).gather()
                && NativeTrials(scenario: scenario, plan: plan, memory: native).gather()
            _exit(isWhole ? 0 : Exit.interrupted)
        } catch {
            controlled.fail("\(error)")
            _exit(Exit.failed)
        }
    }

    private enum Exit {
        static let failed: Int32 = 3
        static let interrupted: Int32 = 130
    }

    /// What a scenario prints, a thousand times over, is nothing that anyone asked for. `run` shows it.
    private static func dropOutput() {
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(nowhere, STDOUT_FILENO)
        dup2(nowhere, STDERR_FILENO)
    }

    // MARK: - The parent's side

    /// Asks it to end. Its children end with it.
    func interrupt() { kill(process, SIGTERM) }

    /// Ends it, whatever it is at, and waits until it is gone.
    func abandon() { _ = ProcessEnding.stop(process, .interrupted(SIGKILL)) }

    /// What has become of it; `interrupted` if it was told to end before it was done. Nil: it goes on.
    func finish() -> Ending? {
        guard let ending = ProcessEnding(of: process) ?? overdue else { return nil }
        let duration = RecordingClock.nanoseconds() - begin
        switch ending {
        case .exited(Exit.interrupted): return .interrupted
        case .exited(0), .exited(Exit.failed):
            return .done(TrialResult(evidence: evidence, duration: duration, failure: controlled.failure))
        default:
            return .done(
                TrialResult(
                    evidence: evidence, duration: duration,
                    failure: "the process that watched its runs came to no good end"))
        }
    }

    /// The process watches the time itself, unless what the scenario says of its remains, which it says there, never ends.
    private var overdue: ProcessEnding? {
        let limit = 2 * plan.time + 1_000_000_000
        return RecordingClock.nanoseconds() - begin > limit ? ProcessEnding.stop(process, .timeout) : nil
    }

    enum Ending {
        case done(TrialResult)
        case interrupted
    }

    private var evidence: [Evidence] {
        var evidence: [Evidence] = []
        let guide = scenario.guide
        if plan.controlledRuns > 0 {
            evidence.append(controlled.evidence(.controlled, of: plan.controlledRuns, guide: guide))
        }
        if plan.nativeRuns > 0 { evidence.append(native.evidence(.native, of: plan.nativeRuns, guide: guide)) }
        return evidence
    }
}
