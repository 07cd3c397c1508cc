import Authoring
import Diagnosis
import Execution
import Exploration
import Machine
import Text
import Trace

/// What to run, and how.
package struct RunPlan {
    package enum Mode {
        /// On real POSIX threads.
        case native
        /// Under the controlled scheduler, which picks at random.
        case controlled(seed: UInt64)
        /// Under the controlled scheduler, which follows this schedule.
        case replay(Schedule)
        /// Under the controlled scheduler, which follows the order of a run on real threads.
        case follow(RecordedRun)
        /// Under the controlled scheduler, as a person steps it.
        case step(StepPlan)
    }

    /// Configured: its parameters are set.
    package var scenario: any Runnable
    package var mode: Mode
    /// The time limit of the run, in nanoseconds in which its threads compute, or all sleep: see `OwnClock`.
    package var timeout: UInt64
    /// When the run is ended by the clock in any case, and what is read of it, too. Nil: a busy machine takes what it takes.
    package var end: Deadline?
    /// What may happen in a controlled run.
    package var rules: Rules
    /// Whether output of the scenario is dropped.
    package var isSilent = false
    /// Whether what the program writes before it crashes becomes part of the trace.
    package var keepsCrashMessage = false
    /// The file of the growing recording. Nil: in memory only. A file survives even the end of threadlab itself.
    package var recordingPath: String?

    /// Whether all detectors examine the run, or only those that determine how it ended.
    package var isExamined = false

    /// Which of the run's events the trace keeps. It counts the others.
    package enum KeptEvents: Int, Sendable {
        /// The last few.
        case few = 8192
        /// Of a run that is shown: as many as can be printed and drawn in a moment.
        case shown = 500_000
        /// As many as a saved trace has, which can be followed.
        case saved = 4_000_000
    }

    package var keptEvents = KeptEvents.saved

    /// A run on real threads that has recorded more is stopped, as one that does not end.
    package var mostEvents = Int.max

    /// Notes the calls of a controlled run, and adds those of its finding to the trace. Nil: nothing does.
    package var explainer: (any CallExplainer)?

    /// Whether a run that is cut off is made again with ten times as many steps, as a search does (`StagedSearch`). Code of its own could
    /// print everything twice.
    package var raisesSteps = false

    /// Called before and after the scenario's review of what the run left, which is executed in the caller's process.
    var reviews: @Sendable (_ isOver: Bool) -> Void = { _ in }

    /// Another clock for the time limit, in nanoseconds. Tests make time pass when something has happened.
    var clock: (@Sendable () -> UInt64)?

    /// Of a program that says nothing of how long it takes, and of how many steps it is.
    package static let defaultTimeout = UsualTime.run
    package static let defaultMaximumSteps = 100_000
    /// A day.
    package static let longestTimeout: UInt64 = 86_400_000_000_000

    /// - Parameters:
    ///   - timeout: by default, what the scenario expects to take, and the usual time limit.
    ///   - rules: by default, the usual ones, with a limit of steps that suits the scenario.
    package init(
        _ scenario: any Runnable, _ mode: Mode, timeout: UInt64? = nil, rules: Rules? = nil,
        recordingPath: String? = nil
    ) {
        self.scenario = scenario
        self.mode = mode
        self.timeout = timeout ?? scenario.defaultTimeout
        self.rules = rules ?? Rules(maximumSteps: scenario.defaultMaximumSteps)
        self.recordingPath = recordingPath
    }

    /// A clock for the time limit.
    var ownClock: OwnClock { OwnClock(period: min(100_000_000, max(10_000_000, timeout / 100))) }

    var examination: Examination {
        Examination(judgesLockOrder: scenario.judgesLockOrder, isWhole: isExamined)
    }

    /// The place itself of one that was reached by the calls of this number.
    var placeOfCalls: (Int) -> SourceSite { { [explainer] in explainer?.place(ofCalls: $0) ?? .unknown } }

    var maximumEvents: Int { keptEvents.rawValue }

    /// The events of more do not fit into a trace.
    private static let mostRaisedSteps = 1_000_000

    /// The plan of the run that is made instead of one that was cut off. Nil: there is none.
    package func withMoreSteps(than trace: TraceDocument) -> RunPlan? {
        let most = min(Self.mostRaisedSteps, rules.mostStepsOfModel)
        guard raisesSteps, !scenario.runsOwnCode, rules.maximumSteps < most, trace.events.last?.kind == .runStepLimit
        else { return nil }
        var plan = self
        plan.rules.maximumSteps = min(rules.maximumSteps * 10, most)
        return plan
    }

    package var header: TraceHeader {
        var header = TraceHeader(
            scenario: scenario.name,
            parameters: scenario.arguments.map { TraceHeader.Parameter(name: $0.name, value: $0.value) },
            runtime: .controlled)
        header.program = scenario.carried
        switch mode {
        case .native: header.runtime = .native
        case .controlled(let seed): header.seed = seed
        case .replay, .follow, .step: break
        }
        if !isNative { header.rules = changes.map { TraceHeader.Parameter(name: $0.name, value: $0.value) } }
        return header
    }

    /// The rules that differ from the usual ones of the scenario.
    private var changes: [(name: String, value: String)] {
        // What real threads did is followed for as many steps as they took.
        if case .follow = mode { return rules.changes }
        let usual = min(scenario.defaultMaximumSteps, rules.mostStepsOfModel)
        return rules.changes + (rules.maximumSteps == usual ? [] : [(Rules.stepLimit, "\(rules.maximumSteps)")])
    }
}

/// The result of a run.
package struct SupervisedRun: Sendable {
    /// The trace, with its outcome.
    package var trace: TraceDocument
    /// The findings of the detectors, most severe first, in all events, including those that the trace does not keep.
    package let findings: [Finding]
    /// How long its process has computed or slept, as far as that was looked at, in nanoseconds.
    package private(set) var ownTime: UInt64 = 0

    package init(trace: TraceDocument, findings: [Finding], ownTime: UInt64 = 0) {
        self.trace = trace
        self.findings = findings
        self.ownTime = ownTime
    }
}

/// An error of threadlab itself: no memory, no process, or an internal inconsistency; or no place to write to.
package struct SupervisionFailed: Error, CustomStringConvertible {
    package let description: String
    /// What the system does not let be written: then threadlab is not to blame.
    package let refusal: WriteRefused?
    /// The bug in threadlab, as a clause without its full stop. Nil: it is something else.
    package let bug: String?

    private init(_ description: String, refusal: WriteRefused? = nil, bug: String?) {
        self.description = description
        self.refusal = refusal
        self.bug = bug
    }

    package init(_ description: String) { self.init(description, bug: nil) }

    package init(_ refusal: WriteRefused) { self.init(refusal.description, refusal: refusal, bug: nil) }

    init(_ error: RecordingError) { self.init(error.description, refusal: error.refusal, bug: nil) }

    /// A bug in threadlab, not in the program. It is never a verdict: no result is reliable then.
    ///
    /// - Parameters:
    ///   - what: what went wrong, as a clause without its full stop.
    ///   - command: the command that reproduces it, without the program's name. Nil: only the search itself does.
    package static func internalError(_ what: String, repeatedBy command: String? = nil) -> SupervisionFailed {
        let repetition = command.map { ", the output of 'threadlab \($0)'" } ?? ""
        return SupervisionFailed(
            "internal error: \(what). This is a bug in threadlab, not in the program. "
                + "Please report it with the program\(repetition), and the output of 'threadlab --version'", bug: what)
    }
}

extension Runnable {
    /// The time limit of a run for which none is given, in nanoseconds.
    package var defaultTimeout: UInt64 {
        let (seconds, attoseconds) = min(max(expectedDuration, .zero), .seconds(86_400)).components
        let expected = UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        return min(RunPlan.defaultTimeout + expected, RunPlan.longestTimeout)
    }

    /// The limit of steps of a controlled run for which none is given.
    package var defaultMaximumSteps: Int { min(RunPlan.defaultMaximumSteps + max(0, expectedSteps), Rules.mostSteps) }
}
