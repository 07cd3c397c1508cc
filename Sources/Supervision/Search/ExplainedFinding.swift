import Diagnosis
import Exploration
import Machine
import Trace

/// A finding of a search, after its schedule was shrunk and followed again: with the trace and the detectors' findings
/// of that run, and what a report says about how it was found.
package struct ExplainedFinding {
    /// Why its schedule may not be as short as possible.
    package enum Cut: Equatable, Sendable {
        case interrupted
        case time
    }

    /// What the search found.
    package private(set) var finding: Counterexample
    /// The shrunk schedule. Nil if the program behaved differently when the schedule was repeated, or the time did not
    /// suffice to repeat it.
    package let shrunk: Shrunk?
    /// Why shrinking and repeating were cut short. Nil: they were not.
    package let cut: Cut?
    /// The time after which shrinking was cut short, in nanoseconds. Nil: it was not.
    package let shrinking: UInt64?
    /// Whether a random execution after the search showed it, rather than the search itself.
    package let isOfRandomRun: Bool
    /// A run that followed the shrunk schedule, or the random execution, examined by all detectors.
    private let run: SupervisedRun
    /// The steps of its account on which it does not depend, by the numbers of their events from 0, as far as they were
    /// sought.
    package var context: Set<Int> = []
    /// The outcome of the run that repeated the finding. It differs from that of the trace if the search saw a crash
    /// and the run did not crash.
    package let repeatedAs: OutcomeKind?

    /// Whether the schedule did not lead to the finding again, although the time sufficed.
    private let wasRefused: Bool

    init(
        finding: Counterexample, shrunk: Shrunk?, cut: Cut?, run: SupervisedRun, wasRefused: Bool = false,
        shrinking: UInt64? = nil
    ) {
        self.shrinking = shrinking
        self.finding = finding
        self.shrunk = shrunk
        self.cut = cut
        repeatedAs = run.trace.outcome?.kind
        var run = run
        if finding.kind == .crash, let other = run.trace.outcome, other.kind != .crash {
            run.trace.outcome = Outcome(
                .crash,
                summary:
                    "The program crashed in execution \(finding.number) of the search, and this could not be repeated.",
                details: ["With the same choices it ended in \(other.kind.rawValue): \(other.summary)"])
        }
        self.run = run
        self.wasRefused = wasRefused
        isOfRandomRun = false
    }

    /// Makes a finding of the latest of these random executions.
    package init(
        _ kind: OutcomeKind, _ run: SupervisedRun, latestOf runs: RandomRuns
    ) throws(SupervisionFailed) {
        let schedule = try run.trace.header.readSchedule()
        finding = Counterexample(
            kind, place: 0, schedule: schedule, steps: schedule.stepCount, number: runs.count, strategy: .random)
        shrunk = nil
        cut = nil
        shrinking = nil
        wasRefused = false
        isOfRandomRun = true
        repeatedAs = run.trace.outcome?.kind
        self.run = run
    }

    /// The same finding, marked as found under these rules, unless it is known to occur under stricter ones.
    func under(_ rules: Rules) -> ExplainedFinding {
        var copy = self
        copy.finding.rules = finding.rules ?? rules
        return copy
    }

    package var trace: TraceDocument { run.trace }

    /// Whether the time did not suffice to repeat the finding, which says nothing about the program. If a hang was
    /// found, a repetition that reaches its time limit confirms it.
    package var isUnrepeated: Bool {
        guard cut != nil, !wasRefused else { return false }
        return switch trace.events.last?.kind {
        case .runTimeout: finding.kind != .timeout
        case .runInterrupted: true
        default: false
        }
    }

    /// Whether the finding was repeated, and the run had another outcome than in the search.
    package var endedOtherwise: Bool { !isConfirmed && !isUnrepeated }

    /// The detectors' finding that decides the outcome of the run.
    package var deciding: Finding? { Finding.deciding(trace.outcome, among: run.findings) }

    /// Whether a run had the outcome that the search had found. False if the schedule no longer led to the finding when
    /// it was to be shrunk.
    package var isConfirmed: Bool {
        (shrunk != nil || cut != nil || isOfRandomRun) && repeatedAs == finding.kind
    }
}

extension ExplainedFinding {
    /// Sentences about what else the run contains, and how the finding was found, for the end of a report on the trace.
    package var remarks: [String] { otherRace + origin + spuriousness + longStep }

    /// A sentence for a finding that needs a spurious event. Empty for other findings.
    package var spuriousness: [String] {
        // Only a finding that was repeated has also been tried without spurious events.
        guard finding.rules?.spuriousWakeups ?? 0 > 0, shrunk != nil, isConfirmed else { return [] }
        let wakeUp =
            "It needs a wait that ends without a signal, as POSIX allows: what a thread waits for must be tested again after a wait, in a loop. "
            + "'explain TL302' says more."
        let update =
            "It needs a weak compare-exchange that fails for no reason, as the standard allows: it must be repeated in a loop, or be a strong one."
        let waits = trace.events.contains { $0.kind.effect == .park }
        return [waits ? wakeUp : update]
    }

    private var longStep: [String] {
        guard finding.kind == .timeout, trace.events.last?.kind == .runTimeout else { return [] }
        return ["A step that only computes for long looks like this too: --step-time 60s gives each step a minute."]
    }

    /// If the outcome is an error, such as an exit code: a data race of the run, which may be its cause.
    private var otherRace: [String] {
        guard finding.kind == .error, let race = run.findings.first(where: { $0.outcome == .race }) else { return [] }
        return ["The run has a data race too. \(race.summary)"]
    }

    private var origin: [String] {
        if isOfRandomRun {
            return ["Found in random execution \(finding.number), one of those run after the search."]
        }
        let found =
            finding.strategy == .states
            ? "Found by the search by states" : "Found in execution \(finding.number)"
        if isUnrepeated {
            return [
                cut == .interrupted
                    ? "\(found). It was not repeated, because the search was interrupted."
                    : "\(found). It could not be repeated within the time limit; --time allows more."
            ]
        }
        if endedOtherwise {
            let kind = finding.kind.rawValue
            let advice = Discrepancy.repetitionAdvice
            return ["\(found) as \(kind); with the same choices it ended differently this time. \(advice)"]
        }
        guard let shrunk else {
            return ["\(found)." + (cut == .time ? " There was no time to shrink it: --time allows more." : "")]
        }
        let steps = shrunk.cost.words + shrunk.minimality.words
        let verb = shrunk.cost < shrunk.original ? ". Shrunk to" : ", with"
        return ["\(found)\(verb) \(steps).\(endOfShrinking(shrunk))"]
    }

    /// Says that the schedule may not be as short as possible.
    private func endOfShrinking(_ shrunk: Shrunk) -> String {
        guard let shrinking, cut != .interrupted else { return "" }
        let tenths = (shrinking + 50_000_000) / 100_000_000
        let time = "\(tenths / 10).\(tenths % 10) s"
        guard shrunk.cost < shrunk.original else { return " It was not shrunk within \(time); --time allows more." }
        let doubt = shrunk.minimality == .unknown ? "It may not be the minimum" : "Fewer steps may suffice"
        return " \(doubt), because shrinking ended after \(time); --time allows more."
    }

    /// The shortest known schedule that leads to the finding.
    package var schedule: Schedule { shrunk?.schedule ?? finding.schedule }
}

extension ScheduleCost {
    fileprivate var words: String { "\(Names.count(steps, "step")) and \(Names.count(preemptions, "preemption"))" }
}

extension Shrunk.Minimality {
    fileprivate var words: String {
        switch self {
        case .unknown: ""
        case .preemptions: ", the minimum number of preemptions"
        case .steps: ", the minimum"
        }
    }
}

extension TraceHeader {
    /// The schedule of a run that threadlab has made itself. Without steps if the header has none.
    ///
    /// - Throws: if it cannot be read. That is a bug in threadlab; another schedule in its place would show another
    ///   run.
    package func readSchedule() throws(SupervisionFailed) -> Schedule {
        guard let schedule, !schedule.isEmpty else { return Schedule() }
        do {
            return try Schedule(parsing: schedule)
        } catch {
            throw .internalError("the schedule of a run cannot be read: \(error.message)")
        }
    }
}
