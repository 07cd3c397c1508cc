import Execution
import Exploration
import Glibc
import Machine
import Primitives
import Trace

/// The child's side of a supervised run: runs the scenario, records, and ends the process.
struct ChildRun {
    let plan: RunPlan
    let recorder: Recorder
    let choices: SharedChoices
    let scratch: ScratchDirectory
    /// Receives the decisions of a run that a person steps.
    let moments: MomentBoard?
    /// Where such a run can be continued.
    let checkpoint: Checkpoint?

    /// Never returns: a native run ends with its process, and so do the threads that are cut off.
    func runAndExit() -> Never {
        let verdict =
            switch plan.mode {
            case .native: runNative()
            case .controlled(let seed): runControlled(RandomWalk(seed: seed))
            case .replay(let schedule): runControlled(Replay(schedule))
            case .follow(let run): runControlled(RecordedOrder(run))
            case .step(let steps): runStepped(steps)
            }
        fflush(nil)
        Self.exit(choices, verdict)
    }

    /// Marks the run as ended. If the process ends without this mark, the program ended it.
    private static func exit(_ choices: SharedChoices, _ verdict: Verdict? = nil) -> Never {
        choices.noteEnd(verdict)
        _exit(0)
    }

    /// - Returns: nil, because no scheduler decides such a run: only its events tell how it ended.
    private func runNative() -> Verdict? {
        recorder.begin()
        var options = NativeRuntime.Options()
        options.exit = { [choices] in Self.exit(choices) }
        let runtime = NativeRuntime(recorder: recorder, options: options)
        runtime.records = DirectoryRecords(directory: scratch.path)
        let scenario = plan.scenario
        FreshThread.run { runtime.run { try scenario.run() } }
        return nil
    }

    private func runControlled(_ chooser: any Chooser) -> Verdict {
        let execution = ControlledExecution(
            plan.scenario, chooser, into: RecorderSink(recorder), rules: plan.rules, log: choices.log)
        let verdict = execution.run()
        execution.noteMisfit(of: chooser, verdict)
        if case .follow(let run) = plan.mode, let departure = (chooser as? RecordedOrder)?.departure {
            execution.noteMisfit(departure.description(in: run.trace))
        }
        return verdict
    }

    private func runStepped(_ steps: StepPlan) -> Verdict {
        guard let moments else { preconditionFailure("the decisions of a run that is stepped are noted") }
        let sink = RecorderSink(recorder)
        let chooser = StepChooser(steps) { choices, isQuiet, state in
            moments.append(choices: choices, events: sink.count, isQuiet: isQuiet, state)
        }
        let execution = ControlledExecution(plan.scenario, chooser, into: sink, rules: plan.rules, log: choices.log)
        chooser.pause = { execution.runtime.recordNextSteps() }
        chooser.more = { [checkpoint, choices] in
            guard let more = checkpoint?.leave() else { return nil }
            sink.beginLane()
            choices.noteContinuation()
            return more
        }
        let verdict = execution.run()
        if let divergence = chooser.divergence { execution.noteMisfit(execution.description(of: divergence)) }
        return verdict
    }
}
