import Authoring
import Exploration
import Machine
import Testing
import Trace

@testable import Supervision

/// A bug in threadlab is never a verdict on the program.
@Suite struct InternalErrorTests {
    /// A program whose search contradicts its runs, as with a defect in an engine.
    private struct Misjudged: Runnable {
        let program = Program {}
        let verdict: Verdict
        var runsOwnCode = false

        var name: String { "program" }
        var label: String { "program" }
        var parameters: [ParameterDescription] { [] }
        var arguments: [(name: String, value: String)] { [] }
        var guide: String? { nil }
        var expectation: Authoring.Expectation { .may(.deadlock) }

        func run() throws { try program.run() }
        func review(_ remains: Remains) throws {}
        func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject {
            Liar(program.makeSubject(rules, log: log), verdict)
        }
    }

    private final class Liar: Subject {
        private let subject: any Subject
        private let verdict: Verdict

        init(_ subject: any Subject, _ verdict: Verdict) {
            self.subject = subject
            self.verdict = verdict
        }

        func execute(_ chooser: any Chooser) -> Verdict {
            _ = subject.execute(chooser)
            return verdict
        }

        var observers: [any Observer] {
            get { subject.observers }
            set { subject.observers = newValue }
        }
        var schedule: Schedule { subject.schedule }
        var stepCount: Int { subject.stepCount }
        var place: Int { subject.place }
        var machine: MachineState { subject.machine }
    }

    @Test func `a search that finds what no run shows is an internal error`() async {
        await #expect(processExitsWith: .success) {
            let error = #expect(throws: SupervisionFailed.self) {
                _ = try SearchSupervisor.run(SearchPlan(Misjudged(verdict: .deadlock)))
            }
            let message = try #require(error?.description)
            #expect(message.hasPrefix("internal error: the search found 'deadlock'"))
            #expect(message.contains("replay program --max-steps 1000000 --schedule"))
        }
    }

    @Test func `if the program runs code of its own, it may be the program that is different`() async {
        await #expect(processExitsWith: .success) {
            let scenario = Misjudged(verdict: .deadlock, runsOwnCode: true)
            let told = try SearchSupervisor.run(SearchPlan(scenario)).findings
            #expect(told.map(\.isConfirmed) == [false])
        }
    }

    @Test func `the scheduler's verdict is held to what the events show`() {
        #expect(Verdict.deadlock.disagreement(with: .deadlock) == nil)
        #expect(Verdict.deadlock.disagreement(with: .leak)?.contains("'deadlock', and its events show 'leak'") == true)
        #expect(Verdict.stepLimit.disagreement(with: .timeout) == nil)
        #expect(Verdict.stepLimit.disagreement(with: .completed) != nil)
        #expect(Verdict.completed.disagreement(with: .lockOrder, judgesLockOrder: true) == nil)
        #expect(Verdict.completed.disagreement(with: .lockOrder) != nil)
        #expect(Verdict.completed.disagreement(with: .interrupted) == nil)
        #expect(Verdict.stopped.disagreement(with: .crash) == nil)
    }
}
