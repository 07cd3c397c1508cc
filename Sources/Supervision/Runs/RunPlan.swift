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
        /// Under the controlled scheduler, step by step as a person chooses.
        case step(StepPlan)
    }

    /// The scenario, with its parameters set.
    package var scenario: any Runnable
    package var mode: Mode
    /// The time limit of the run, in nanoseconds. Only time in which a thread computes, or in which all sleep, counts:
    /// see `OwnClock`.
    package var timeout: UInt64
    /// When the run and the reading of its events end in real time. Nil: never, however busy the machine is.
    package var end: Deadline?
    /// What may happen in a controlled run.
    package var rules: Rules
    /// Whether output of the scenario is dropped.
    package var isSilent = false
    /// Whether what the program writes before a crash becomes part of the trace.
    package var keepsCrashMessage = false
    /// The file of the growing recording, which remains even if threadlab is killed. Nil: it is in memory only.
    package var recordingPath: String?

    /// Whether all detectors examine the run. Otherwise only those that determine how it ended do.
    package var isExamined = false

    /// The maximum number of events that the trace keeps. The others are only counted.
    package enum KeptEvents: Int, Sendable {
        /// For a run that is not shown: the last few.
        case few = 8192
        /// For a run that is shown: as many as can be printed and drawn in a moment.
        case shown = 500_000
        /// For a saved trace, which can be followed.
        case saved = 4_000_000
    }

    package var keptEvents = KeptEvents.saved

    /// A native run that has recorded more events than this is stopped, because it may never end.
    package var mostEvents = Int.max

    /// Records the calls in progress at each operation of a controlled run, and adds those that led to its finding to
    /// the trace. Nil: calls are not recorded.
    package var explainer: (any CallExplainer)?

    /// Whether a run that is cut off at the step limit is repeated with ten times as many steps, as in a search
    /// (`StagedSearch`). Not for programs with code of their own, which could print everything twice.
    package var raisesSteps = false

    /// Called before and after the scenario reviews what the run left, which happens in the caller's process.
    var reviews: @Sendable (_ isOver: Bool) -> Void = { _ in }

    /// For tests: another clock for the time limit, in nanoseconds.
    var clock: (@Sendable () -> UInt64)?

    /// The limits for a scenario that does not say how long it takes, or how many steps.
    package static let defaultTimeout = UsualTime.run
    package static let defaultMaximumSteps = 100_000
    /// One day, in nanoseconds.
    package static let longestTimeout: UInt64 = 86_400_000_000_000

    /// - Parameters:
    ///   - timeout: by default, the scenario's expected duration plus the default time limit.
    ///   - rules: by default, the default rules with a step limit that suits the scenario.
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

    /// A clock for the time limit. The interval between two readings is a hundredth of the limit, at least 10 ms and at
    /// most 100 ms.
    var ownClock: OwnClock { OwnClock(period: min(100_000_000, max(10_000_000, timeout / 100))) }

    var examination: Examination {
        Examination(judgesLockOrder: scenario.judgesLockOrder, isWhole: isExamined)
    }

    /// The source place of an operation, given the number of its stack of calls: see `CallExplainer.place(ofStack:)`.
    var placeOfCalls: (Int) -> SourceSite { { [explainer] in explainer?.place(ofStack: $0) ?? .unknown } }

    var maximumEvents: Int { keptEvents.rawValue }

    /// The maximum to which a step limit is raised. A trace cannot contain the events of more steps.
    private static let mostRaisedSteps = 1_000_000

    /// The plan with which a run that was cut off at the step limit is repeated. Nil: it is not repeated.
    ///
    /// - Parameter trace: the trace of the run.
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

    /// The rules that differ from the scenario's defaults.
    private var changes: [(name: String, value: String)] {
        // A native run is followed for as many steps as it took, so its step limit does not count as a changed rule.
        if case .follow = mode { return rules.changes }
        let usual = min(scenario.defaultMaximumSteps, rules.mostStepsOfModel)
        return rules.changes + (rules.maximumSteps == usual ? [] : [(Rules.stepLimit, "\(rules.maximumSteps)")])
    }
}

/// A run that has ended: its trace and its findings.
package struct SupervisedRun: Sendable {
    package var trace: TraceDocument
    /// The findings of the detectors, most severe first. They consider all events, also those that the trace does not
    /// keep.
    package let findings: [Finding]
    /// The time for which its process was seen to compute or sleep, in nanoseconds. 0 for a run without a process of
    /// its own.
    package private(set) var ownTime: UInt64 = 0

    package init(trace: TraceDocument, findings: [Finding], ownTime: UInt64 = 0) {
        self.trace = trace
        self.findings = findings
        self.ownTime = ownTime
    }
}

/// An error of threadlab itself (no memory, no process, an internal inconsistency), or a write that the system refuses.
package struct SupervisionFailed: Error, CustomStringConvertible {
    package let description: String
    /// The write that the system refuses, for which threadlab is not to blame. Nil: the error is another one.
    package let refusal: WriteRefused?
    /// The bug in threadlab, as a clause without its full stop. Nil: the error is not a bug.
    package let bug: String?

    private init(_ description: String, refusal: WriteRefused? = nil, bug: String?) {
        self.description = description
        self.refusal = refusal
        self.bug = bug
    }

    package init(_ description: String) { self.init(description, bug: nil) }

    package init(_ refusal: WriteRefused) { self.init(refusal.description, refusal: refusal, bug: nil) }

    init(_ error: RecordingError) { self.init(error.description, refusal: error.refusal, bug: nil) }

    /// A bug in threadlab, not in the program. It is never a verdict, because no result is reliable.
    ///
    /// - Parameters:
    ///   - what: what went wrong, as a clause without its full stop.
    ///   - command: the command that reproduces it, without the program's name. Nil: only the search itself reproduces
    ///     it.
    package static func internalError(_ what: String, repeatedBy command: String? = nil) -> SupervisionFailed {
        let repetition = command.map { ", the output of 'threadlab \($0)'" } ?? ""
        return SupervisionFailed(
            "internal error: \(what). This is a bug in threadlab, not in the program. "
                + "Please report it with the program\(repetition), and the output of 'threadlab --version'", bug: what)
    }
}

extension Runnable {
    /// The default time limit of a run, in nanoseconds.
    package var defaultTimeout: UInt64 {
        let (seconds, attoseconds) = min(max(expectedDuration, .zero), .seconds(86_400)).components
        let expected = UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        return min(RunPlan.defaultTimeout + expected, RunPlan.longestTimeout)
    }

    package var defaultMaximumSteps: Int { min(RunPlan.defaultMaximumSteps + max(0, expectedSteps), Rules.mostSteps) }
}
