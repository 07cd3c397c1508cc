import Execution
import Machine
import Scenarios
import Trace

/// One run under the controlled scheduler, from its first step to what the scenario says of it afterwards.
struct ControlledExecution {
    let scenario: any Runnable
    let maximumSteps: Int

    /// - Parameters:
    ///   - sink: where the events go.
    ///   - log: where the choices go, if another process is to see them.
    func run(
        _ chooser: any Chooser, into sink: any EventSink, log: ChoiceLog? = nil
    ) -> (ControlledRuntime, Verdict) {
        let runtime = ControlledRuntime(
            chooser: chooser, rules: Rules(maximumSteps: maximumSteps), journal: Journal(into: sink), log: log)
        let scenario = scenario
        let verdict = runtime.run { try scenario.run() }
        switch verdict {
        case .completed, .leak:
            Review(scenario, runtime.records).write { kind, text in
                sink.append(
                    kind, thread: 0, object: 0, value: sink.text(text), site: .unknown, time: runtime.now)
            }
        default: break
        }
        return (runtime, verdict)
    }
}
