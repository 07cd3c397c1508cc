import Execution
import Glibc

/// Makes a controlled run in a forked process, in which the caller's closure can then read the program's variables. A
/// test of a data structure repeats a run in this way to learn which calls had which results, because a trace does not
/// contain them. The run may end the process or hang.
package enum RunOfFork {
    /// Returns when the process has ended, or was ended: because it hung, because its time was over, or because of
    /// SIGINT, SIGTERM or SIGHUP. Such a signal takes effect in this process before this returns.
    ///
    /// - Parameters:
    ///   - stepTime: the limit for computing between two steps, in nanoseconds of processor time.
    ///   - ask: called in the forked process after the run, unless the run has ended the process. It must leave what it
    ///     finds out in shared memory, such as a `SharedText`.
    /// - Throws: if threadlab itself failed, in this process or in the forked one.
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
                // Repeats the signal, which arrives when signals are no longer blocked.
                if let signal { raise(signal) }
                return
            }
        }
    }

    /// The message of the forked process that threadlab itself failed in it.
    private struct Failure: Message {
        var text: String

        init(text: String) { self.text = text }
        init(from words: inout WordReader) throws(DamagedMessage) { text = try words.text() }
        func write(to words: inout WordWriter) { words.add(text) }
    }
}
