import Authoring
import Diagnosis
import Machine
import Testing
import Trace

@Suite struct RunLoopTests {
    @Test func `the notes of an observer have the numbers of the guide's steps, in its order`() throws {
        let trace = try Setting("run-loop-order").trace(of: Schedule())
        #expect(
            trace.texts(of: .note) == [
                "1. entry", "2. before timers", "3. before sources", "6. before waiting", "8. after waiting",
                "9. timer", "2. before timers", "3. before sources", "4. source", "4. call", "9. port", "10. exit",
            ])
    }

    @Test(
        arguments: [
            ("no-loop", "worker's loop makes no calls while worker does not run it."),
            ("each-other", "main's loop makes no calls while main does not run it."),
            (
                "each-other",
                "worker's loop makes no calls while a handler is in progress, and only in a mode of the call."
            ),
        ])
    func `a deadlock says which loop would have to make the call, and why it does not`(variant: String, line: String)
        throws
    {
        let outcome = OutcomeJudge.outcome(of: try Setting("perform --variant \(variant)").trace(of: Schedule()))
        #expect(outcome.kind == .deadlock)
        #expect(outcome.summary.contains("for a call that"))
        #expect(outcome.details.contains(line), "\(outcome.details)")
    }

    @Test(
        arguments: ["perform", "command-source", "port-check-in", "named-ports", "timers", "run-loop-exit"])
    func `what happens inside a loop is at the line of its caller`(scenario: String) throws {
        let traces = try (1...20).map { try Setting(scenario).trace(seed: UInt64($0)) }
        let files = Set(traces.flatMap { trace in trace.events.compactMap { trace.site($0.site)?.file } })
        #expect(!files.isEmpty && files.allSatisfy { $0.hasPrefix("Scenarios/") }, "\(files)")
    }

    @Test func `a call to the loop of a thread that has ended says so`() throws {
        let details = try (1...200).lazy.map {
            OutcomeJudge.outcome(of: try Setting("perform --variant empty-loop").trace(seed: UInt64($0))).details
        }.first { $0.contains("worker's loop makes no more calls: worker has ended.") }
        #expect(details != nil)
    }
}
