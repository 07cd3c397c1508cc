import Authoring
import Execution
import Scenarios
import Support
import Testing
import Trace

@Suite struct ExpectationTests {
    /// Of the scenarios that the scheduler can run.
    static let everyVariant = Catalogue.builtIn.filter { $0.realThreadsOnly == nil }.flatMap { type in
        variants(of: type).map { Setting("\(type.name) --variant \($0)") }
    }

    static func variants(of type: any Scenario.Type) -> [String] {
        guard case .choice(let choices) = type.parameters.first(where: { $0.name == "variant" })?.form else {
            return []
        }
        return choices.map(\.word)
    }

    static let otherSettings = [
        "producer-consumer": [
            "--consumers 1 --items 5", "--consumers 1 --capacity 3 --items 5", "--producers 2 --capacity 2 --items 5",
            "--producers 2 --items 5",
            "--producers 3 --consumers 2 --items 2", "--producers 1 --consumers 4 --items 3",
            "--producers 4 --consumers 1 --items 5",
            "--producers 4 --consumers 3 --capacity 3 --items 1", "--producers 1 --consumers 3 --items 1",
            "--producers 3 --consumers 5 --capacity 4 --items 3",
        ],
        "deadlock": ["--pause 0", "--threads 2", "--threads 5 --pause 0", "--pause 0 --attempts 2"],
        "cancellation": [
            "--request-after 0", "--request-after 20ms", "--request-after 1s", "--chunks 1",
            "--chunks 2 --request-after 0",
            "--chunk 0", "--chunk 0 --request-after 0 --chunks 3", "--chunks 5 --chunk 5ms --request-after 15ms",
        ],
        "shutdown": ["--records 1", "--records 2", "--records 40 --pause 1us", "--pause 0", "--records 3 --limit 3"],
        "too-small-to-thread": ["--pieces 5 --size 1"],
        "partition-measured": ["--additions 1", "--threads 3 --additions 1"],
        "run-loop-order": ["--delay 1ms", "--delay 10s"],
        "command-source": ["--commands 1", "--commands 3 --patience 1ms"],
        "timers": [
            "--interval 1ms", "--work 1ms --fires 2", "--interval 1ms --work 10s --fires 8", "--interval 10s",
        ],
        "perform": ["--calls 1", "--calls 3"],
        "port-check-in": ["--commands 3"],
        "named-ports": ["--number 0"],
        "run-loop-modes": ["--ticks 2 --tick 1ms", "--ticks 8"],
        "run-loop-exit": ["--limit 1ms"],
        "run-loop-nested": ["--orders 5"],
        "event-tracking": ["--moves 3", "--pause 2ms"],
        "kill-or-cancel": ["--pause 0", "--moves 1"],
        "distributed-lock": ["--pause 5ms --attempts 1"],
        "signals": ["--pause 2ms"],
        "idle-work": ["--keys 2 --work 10ms", "--keys 10"],
        "async-fix": ["--bytes 1"],
        "delegates": ["--pause 0", "--delegates 1"],
        "sync-async-mix": ["--reads 3"],
        "backpressure": ["--images 4 --room 1", "--work 1ms"],
        "image-cache": ["--images 1", "--images 3 --pause 0"],
        "queue-inversion": ["--pause 0 --work 2", "--pieces 1 --work 2", "--pieces 10 --work 10"],
        "priority-inversion": ["--pause 0 --work 2", "--pieces 1 --work 2", "--pieces 10 --work 10"],
    ]

    static let everyVariantElsewhere = everyVariant.flatMap { setting in
        otherSettings[setting.scenario, default: []].map { Setting("\(setting.testDescription) \($0)") }
    }

    @Test(arguments: everyVariant)
    func `every variant ends as it announces, and each announced outcome is found`(setting: Setting) throws {
        try expectToHold(setting, executions: Extent.isWhole ? 3000 : 500)
    }

    @Test(arguments: Extent.part(of: everyVariantElsewhere, every: 3))
    func `every variant ends as it announces with other parameters too`(setting: Setting) throws {
        try expectToHold(setting, executions: Extent.isWhole ? 1000 : 300)
    }

    private func expectToHold(_ setting: Setting, executions: Int) throws {
        let expectation = try setting.make().expectation
        var survey = try Survey(setting, executions: executions)
        // One of them may be rare.
        if expectation.findings.contains(where: { survey.counts[$0.seenByMachine] == nil }) {
            survey = try Survey(setting, executions: 3000)
        }
        #expect(survey.strays == 0)
        for (outcome, schedule) in survey.examples {
            #expect(
                expectation.allowed.map(\.seenByMachine).contains(outcome),
                "\(expectation.description), and ended in \(outcome): \(schedule.description)")
        }
        for finding in expectation.findings {
            #expect(survey.counts[finding.seenByMachine] != nil, "never ended in \(finding): \(survey.counts)")
        }
    }

    @Test(
        arguments: everyVariant.filter { (try? $0.make().expectation) == .completes })
    func `a fixed variant also survives waits that end without a signal`(setting: Setting) throws {
        let executions = Extent.isWhole ? 1500 : 400
        let survey = try Survey(setting, executions: executions, spuriousWakeups: 3)
        #expect(survey.counts == [.completed: executions], "\(survey.examples.mapValues(\.description))")
    }

    @Test(
        arguments: [
            // Measured over 100,000 executions each.
            ("producer-consumer --variant if-for-while", OutcomeKind.assertion, 0.03),
            ("producer-consumer --variant one-condition", .deadlock, 0.03),
            ("producer-consumer --variant signal-without-lock", .deadlock, 0.001),
            ("producer-consumer --variant no-lock", .assertion, 0.5),
            ("deadlock --variant opposite-orders", .deadlock, 0.9),
            ("deadlock --variant try-lock", .livelock, 1), ("deadlock --variant change-sides", .livelock, 1),
            ("cancellation --variant never-checks", .assertion, 1),
            ("shutdown --variant detached", .assertion, 1),
            ("shutdown --variant late-detach", .assertion, 1), ("shutdown --variant early-return", .assertion, 1),
            ("shutdown --variant forgotten-join", .leak, 1),
        ])
    func `with the default parameters a random schedule shows the mistake often enough`(
        line: String, outcome: OutcomeKind, least: Double
    ) throws {
        let survey = try Survey(Setting(line), executions: 5000)
        #expect(survey.rate(of: outcome) >= least)
    }

    @Test func `an expectation describes itself in words`() {
        #expect(Expectation.completes.description == "completes")
        #expect(Expectation.may(.race, .assertion).description == "may end in race or assertion")
        #expect(Expectation.may(.race, .race).orElse(.race) == .may(.race))
        #expect(
            Expectation.may(warning: .heldTooLong).description == "completes, in some runs with warning held-too-long")
        #expect(
            Expectation.must(.race, warning: .starvation, .contention).orElse(.timeout).description
                == "ends in race, or in timeout, in some runs with warnings starvation and contention")
        #expect(Expectation.must(.leak).description == "ends in leak")
        #expect(Expectation.completes.orElse(.livelock).description == "completes, or ends in livelock")
        #expect(Expectation.must(.assertion).orElse(.race).description == "ends in assertion, or in race")
    }
}

extension OutcomeKind {
    /// A race is found in the trace of a run that completes as far as the machine can tell.
    var seenByMachine: OutcomeKind { self == .race ? .completed : self }
}
