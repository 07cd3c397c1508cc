import Authoring
import Execution
import Exploration
import Machine
import Trace

/// Runs a scenario under the controlled scheduler, from its first step to its review.
struct ControlledExecution {
    let runtime: ControlledRuntime
    private let scenario: any Runnable
    private let sink: any EventSink
    private let races = RaceWatch()

    /// - Parameters:
    ///   - sink: receives the events.
    ///   - log: receives the choices, if another process needs them.
    ///   - fibers: see `ControlledRuntime`.
    init(
        _ scenario: any Runnable, _ chooser: any Chooser, into sink: any EventSink, rules: Rules,
        log: ChoiceMemory? = nil, fibers: SpareFibers? = nil
    ) {
        self.scenario = scenario
        self.sink = sink
        runtime = ControlledRuntime(
            chooser: chooser, rules: rules, journal: Journal(into: sink), log: log, fibers: fibers)
        runtime.driver.observers = [races]
    }

    /// - Returns: the verdict, as a search of the scenario would report it.
    func run() -> Verdict {
        let verdict = runtime.run { [scenario] in try scenario.run() }
        if verdict == .forever { return races.races.isEmpty ? verdict : .race }
        guard verdict == .completed || verdict == .leak else { return verdict }
        let review = Review(scenario, runtime.records)
        review.write { kind, text in
            sink.append(kind, thread: 0, object: 0, value: sink.text(text), site: .unknown, time: runtime.now)
        }
        if let failure = review.verdict { return failure }
        return verdict == .completed && !races.races.isEmpty ? .race : verdict
    }

    /// Records why the run could not follow the schedule of a chooser that replays one, if it could not.
    func noteMisfit(of chooser: any Chooser, _ verdict: Verdict) {
        guard let replay = chooser as? Replay, let text = misfit(of: replay, verdict) else { return }
        noteMisfit(text)
    }

    func noteMisfit(_ text: String) {
        sink.append(.runDiverged, thread: 0, object: 0, value: sink.text(text), site: .unknown, time: runtime.now)
    }

    private func misfit(of replay: Replay, _ verdict: Verdict) -> String? {
        // A thread that does not belong to the run ended it, wherever that was in the schedule.
        if verdict == .foreignThread { return nil }
        if let divergence = replay.divergence { return description(of: divergence) }
        guard !verdict.isCutOff, replay.unused > 0 else { return nil }
        return "the run ended with \(replay.unused) of its choices unused"
    }

    func description(of divergence: Divergence) -> String {
        divergence.description { runtime.threadExists($0) ? runtime.name(of: ThreadID($0)) : nil }
    }
}
