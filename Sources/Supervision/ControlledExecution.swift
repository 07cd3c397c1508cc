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
    init(
        _ scenario: any Runnable, _ chooser: any Chooser, into sink: any EventSink, rules: Rules,
        log: ChoiceMemory? = nil
    ) {
        self.scenario = scenario
        self.sink = sink
        runtime = ControlledRuntime(chooser: chooser, rules: rules, journal: Journal(into: sink), log: log)
        runtime.driver.observers = [races]
    }

    /// - Returns: the verdict, as a search of the scenario would report it.
    func run() -> Verdict {
        let verdict = runtime.run { [scenario] in try scenario.run() }
        guard verdict == .completed || verdict == .leak else { return verdict }
        let review = Review(scenario, runtime.records)
        review.write { kind, text in
            sink.append(kind, thread: 0, object: 0, value: sink.text(text), site: .unknown, time: runtime.now)
        }
        if let failure = review.verdict { return failure }
        return verdict == .completed && !races.races.isEmpty ? .race : verdict
    }
}
