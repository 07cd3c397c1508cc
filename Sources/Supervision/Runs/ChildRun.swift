import Authoring
import Execution
import Exploration
import Glibc
import Machine
import Primitives
import Text
import Trace

/// The child's side of a supervised run: runs the scenario, records, and ends the process.
struct ChildRun {
    let plan: RunPlan
    let recorder: Recorder
    let choices: SharedChoices
    let scratch: ScratchDirectory
    /// Receives the decisions of a run that a person steps.
    let moments: MomentBoard?
    /// The point from which such a run can be continued.
    let checkpoint: Checkpoint?

    /// Runs the plan and ends the process, and with it the threads that are still running at the end of a native run.
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

    /// Marks the run as ended, and exits. A process that ends without this mark was ended by the program, or from
    /// outside.
    private static func exit(_ choices: SharedChoices, _ verdict: Verdict? = nil) -> Never {
        choices.noteEnd(verdict)
        _exit(0)
    }

    /// - Returns: nil, because no scheduler judges a native run. Its events show how it ended.
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

    /// Runs the plan, whose mode must be a controlled one with a seed, as one of several runs in this process.
    func run(_ fibers: SpareFibers) {
        guard case .controlled(let seed) = plan.mode else {
            preconditionFailure("such a run needs a process of its own")
        }
        choices.noteEnd(runControlled(RandomWalk(seed: seed), fibers))
    }

    private func runControlled(_ chooser: any Chooser, _ fibers: SpareFibers? = nil) -> Verdict {
        let execution = ControlledExecution(
            plan.scenario, chooser, into: RecorderSink(recorder), rules: plan.rules, log: choices.log, fibers: fibers,
            witness: plan.explainer)
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
        chooser.pause = { execution.recorded.recordNextSteps() }
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

/// The scenario's review of what its process left behind.
struct Review {
    private var remarks: [(kind: EventKind, text: String)] = []
    /// How the run ended if the scenario rejects what is left. Nil: the scenario accepts it.
    let verdict: Verdict?

    init(_ scenario: any Runnable, _ records: any RecordStorage) {
        let remains = Remains(records)
        var failure: (kind: EventKind, text: String)?
        do { try scenario.review(remains) } catch let error as AssertionFailed {
            failure = (.assertionFailed, error.description)
        } catch {
            failure = (.threadError, "\(error)")
        }
        verdict = failure.map { $0.kind == .assertionFailed ? .assertion : .error }
        remarks = remains.notes.map { (.note, $0) }
        if let failure { remarks.append(failure) }
    }

    /// Passes the remarks on, in order.
    func write(_ record: (EventKind, String) -> Void) {
        for (kind, text) in remarks { record(kind, text) }
    }
}

/// A directory for the files of one run, removed after the review of the run. It is only created at the first write,
/// and most runs write nothing, so usually even a killed threadlab leaves no directory behind.
final class ScratchDirectory {
    let path: String

    init() throws(SupervisionFailed) {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        guard access(root, W_OK | X_OK) == 0 else {
            throw SupervisionFailed(WriteRefused("create a scratch directory in \(root.printable)", errno))
        }
        // The name cannot be guessed, so it cannot have been created by another user.
        path = "\(root)/threadlab-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    deinit {
        // Only files have to be removed: a run cannot create directories there.
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink("\(path)/\(name)")
            }
            closedir(directory)
        }
        rmdir(path)
    }
}
