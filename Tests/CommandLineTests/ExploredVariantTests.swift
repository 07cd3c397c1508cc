import Authoring
import Scenarios
import Testing

/// Every variant of every scenario, searched: the broken ones fail, and the fixed ones are proved.
@Suite struct ExploredVariantTests {
    struct Broken: CustomTestStringConvertible, Sendable {
        let words: String
        let outcome: String
        /// Of the shortest schedule.
        let preemptions: Int
        let steps: Int
        let schedule: String
        var testDescription: String { words }

        init(_ words: String, _ outcome: String, preemptions: Int, steps: Int, _ schedule: String) {
            self.words = words
            self.outcome = outcome
            self.preemptions = preemptions
            self.steps = steps
            self.schedule = schedule
        }
    }

    static let broken = [
        Broken(
            "producer-consumer --variant if-for-while", "assertion", preemptions: 0, steps: 36,
            "0x3,2x5,1x14,3x10,2x4"),
        Broken(
            "producer-consumer --variant one-condition", "deadlock", preemptions: 0, steps: 40,
            "0x3,2x5,3x5,1x9=0,1x5,2x8=0,2,3x4"),
        Broken(
            "producer-consumer --variant signal-without-lock", "deadlock", preemptions: 1, steps: 49,
            "0x3,1x16,3x13,2x3,1x12,2,0"),
        Broken(
            "producer-consumer --variant plain-unlock", "deadlock", preemptions: 0, steps: 29, "0x3,1x19,0,2x3,3x3"),
        Broken("producer-consumer --variant no-lock", "assertion", preemptions: 1, steps: 23, "0x3,1x9,2x6,3x5"),
        Broken("deadlock --variant opposite-orders", "deadlock", preemptions: 0, steps: 8, "0x2,1x2,2x3,1"),
        Broken("deadlock --variant self", "deadlock", preemptions: 0, steps: 3, "0,1x2"),
        Broken("deadlock --variant ring", "deadlock", preemptions: 0, steps: 12, "0x3,1x2,2x2,3x3,1,2"),
        Broken("deadlock --variant philosophers", "deadlock", preemptions: 0, steps: 12, "0x3,1x2,2x2,3x3,1,2"),
        Broken(
            "deadlock --variant try-lock --attempts 1", "livelock", preemptions: 0, steps: 21, "0x2,1x4,2x8,1x7"),
        Broken(
            "deadlock --variant change-sides --attempts 1", "livelock", preemptions: 0, steps: 21, "0x2,1x4,2x8,1x7"),
        Broken("cancellation --variant never-checks", "assertion", preemptions: 0, steps: 70, "0,1x15,0x9,1x43,0x2"),
        Broken("cancellation --variant plain-flag", "race", preemptions: 0, steps: 18, "0,1x8,0x3,1x3,0x3"),
        Broken("shutdown --variant detached", "assertion", preemptions: 0, steps: 8, "0,1x5,0x2"),
        Broken("shutdown --variant early-return", "assertion", preemptions: 0, steps: 8, "0,1x5,0x2"),
        Broken("shutdown --variant late-detach", "assertion", preemptions: 0, steps: 9, "0,1x5,0x3"),
        Broken("shutdown --variant forgotten-join", "leak", preemptions: 0, steps: 16, "0,1x5,0,1x7,0x2"),
        Broken("shutdown --variant join-twice", "misuse", preemptions: 0, steps: 14, "0,1x11,0x2"),
        Broken("shutdown --variant join-self", "misuse", preemptions: 0, steps: 13, "0,1x12"),
        Broken(
            "priority-inversion --variant plain --pieces 1 --work 2", "assertion", preemptions: 0, steps: 53,
            "0,1x7,0x3,2x2,3x5,1x6,3x18,1x8,2x3"),
        Broken("thread-lifecycle --variant started-twice", "misuse", preemptions: 0, steps: 4, "0x4"),
        Broken("thread-lifecycle --variant never-started", "misuse", preemptions: 0, steps: 2, "0x2"),
        Broken("thread-lifecycle --variant error-ignored", "deadlock", preemptions: 0, steps: 1, "0"),
        Broken("thread-errors --variant uncaught", "error", preemptions: 0, steps: 2, "0,1"),
        Broken("thread-errors --variant caught-outside", "error", preemptions: 0, steps: 2, "0,1"),
        Broken("thread-errors --variant never-asked-for", "leak", preemptions: 0, steps: 7, "0x2,1x3,0x2"),
        Broken("thread-dictionary --variant other-thread", "assertion", preemptions: 0, steps: 3, "0,1,0"),
        Broken("main-thread-guard --variant unguarded", "race", preemptions: 0, steps: 6, "0x2,1x2,0x2"),
        Broken("main-thread-guard --variant guarded", "misuse", preemptions: 0, steps: 3, "0x2,1"),
    ]

    /// Those that have sizes in two of them, with the number of traces. docs/exploration.md says the same.
    static let fixed = [
        ("producer-consumer --variant conditions", 32),
        ("producer-consumer --variant conditions --producers 2 --items 1", 64),
        ("producer-consumer --variant semaphores", 2),
        ("producer-consumer --variant semaphores --producers 2", 36),
        ("producer-consumer --variant condition-lock", 550),
        ("producer-consumer --variant condition-lock --consumers 1", 24),
        ("producer-consumer --variant two-condition-locks", 396),
        ("producer-consumer --variant two-condition-locks --consumers 1", 27),
        ("producer-consumer --variant queue", 32),
        ("producer-consumer --variant queue --producers 2 --items 1", 64),
        ("deadlock --variant ordered", 2), ("deadlock --variant ordered --pause 0", 2),
        ("deadlock --variant philosophers-ordered --pause 0", 6),
        ("deadlock --variant philosophers-ordered --threads 4 --pause 0", 14),
        ("deadlock --variant try-lock-jitter", 2130),
        ("deadlock --variant try-lock-jitter --attempts 1", 4),
        ("deadlock --variant try-lock-jitter --attempts 2", 142),
        ("cancellation --variant dictionary --request-after 0 --chunks 2", 4),
        ("cancellation --variant dictionary --request-after 0 --chunks 2 --chunk 0", 24),
        ("cancellation --variant atomic-flag --request-after 0 --chunks 2 --chunk 0", 5),
        ("cancellation --variant atomic-flag --request-after 0 --chunks 3 --chunk 0", 7),
        ("shutdown --variant joinable --records 1", 1), ("shutdown --variant joinable --records 2", 1),
        ("shutdown --variant main-exits", 1), ("shutdown --variant main-exits --records 1", 1),
        ("priority-inversion --variant inheritance --pieces 1 --work 2", 2),
        ("priority-inversion --variant inheritance --pieces 2 --work 2 --pause 0", 70),
        ("priority-inversion --variant ceiling --pieces 1 --work 2", 1),
        ("priority-inversion --variant ceiling --pieces 2 --work 2 --pause 0", 12),
        ("thread-lifecycle --variant object", 2), ("thread-lifecycle --variant at-once", 1),
        ("thread-lifecycle --variant cancelled-before-start", 1), ("thread-lifecycle --variant refused", 1),
        ("thread-errors --variant caught-at-entry", 1), ("thread-errors --variant handed-over", 3),
        ("thread-dictionary --variant separate", 1), ("thread-dictionary --variant separate --rounds 4", 1),
        ("thread-dictionary --variant destructor", 2), ("main-thread-guard --variant passed-to-main", 2),
    ]

    private func explore(_ words: String) throws -> Ended {
        let arguments =
            ["explore"] + words.split(separator: " ").map(String.init) + ["--format", "json", "--time", "60s"]
        return try Invocation(program: Programs.threadlab, arguments: arguments).run().succeeds()
    }

    @Test(arguments: broken) func `a broken variant fails, with the shortest schedule that there is`(variant: Broken)
        throws
    {
        let output = try explore(variant.words).output
        #expect(output.contains("\"conclusion\":\"finding\""))
        #expect(output.contains("\"outcome\":\"\(variant.outcome)\",\"confirmed\":true,\"expected\":true"))
        let cost = "\"preemptions\":\(variant.preemptions),\"steps\":\(variant.steps),\"minimal\":\"steps\""
        #expect(output.contains("\(cost),\"schedule\":\"\(variant.schedule)\""))
    }

    @Test(arguments: fixed) func `a fixed variant is proved`(words: String, traces: Int) throws {
        try explore(words).prints("\"conclusion\":\"proved\"").prints(",\"total\":\(traces),")
    }

    @Test func `no variant is left out`() {
        let known = Set(
            (Self.broken.map(\.words) + Self.fixed.map(\.0)).map {
                $0.split(separator: " ").prefix(3).joined(separator: " ")
            })
        for scenario in Catalogue.builtIn {
            let parameter = scenario.parameters.first { $0.name == "variant" }
            guard case .choice(let variants) = parameter?.form else { continue }
            for variant in variants {
                #expect(known.contains("\(scenario.name) --variant \(variant.word)"))
            }
        }
    }
}
