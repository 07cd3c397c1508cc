import Execution
import Glibc

/// Repeats a run in a process of its own, in order to ask the program what it knows about the run beyond its events.
/// The process may crash or hang, like the run that is repeated.
package enum RunOfFork {
    /// - Parameters:
    ///   - stepTime: the limit for computing between two steps, in nanoseconds of processor time.
    ///   - ask: called in that process after the run, unless the run has ended the process.
    package static func run(
        _ plan: RunPlan, stepTime: UInt64, _ ask: (SupervisedRun) -> Void
    ) throws(SupervisionFailed) {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        let choices = try SharedChoices(capacity: plan.rules.maximumSteps)
        var process = try WatchedProcess(for: "the repetition of a run", choices, signals) { mailbox in
            do throws(SupervisionFailed) {
                ask(try DirectRun(plan, log: choices.log).finish())
            } catch {
                mailbox.send(Failure(text: error.description))
            }
        }
        var failure: Failure?
        while true {
            if WatchedProcess.awaitNews(of: [process])[0] {
                do throws(DamagedMessage) {
                    if try process.receive({ words throws(DamagedMessage) in failure = try words.message() }) {
                        continue
                    }
                } catch {
                    process.end()
                    throw SupervisionFailed(DamagedMessage.explanation)
                }
                process.reap()
                if let failure { throw SupervisionFailed(failure.text) }
                return
            }
            let signal = signals.wait(nanoseconds: 0)
            if signal != nil || plan.end?.isOver ?? false || process.isStuck(for: stepTime) {
                process.end()
                // Reaches this process when signals are no longer blocked.
                if let signal { raise(signal) }
                return
            }
        }
    }

    /// An error of threadlab itself in the other process.
    private struct Failure: Message {
        var text: String

        init(text: String) { self.text = text }
        init(from words: inout WordReader) throws(DamagedMessage) { text = try words.text() }
        func write(to words: inout WordWriter) { words.add(text) }
    }
}
