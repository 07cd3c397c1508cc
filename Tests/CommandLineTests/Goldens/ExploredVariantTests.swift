import Authoring
import FoundationEssentials
import Scenarios
import Testing

/// Every variant of every scenario, searched: the broken ones fail, and the fixed ones are proved. Which schedule is the
/// shortest, and how many traces a proof has, is data.
@Suite struct ExploredVariantTests {
    struct Broken: CustomTestStringConvertible, Sendable {
        let words: String
        let outcome: String
        var testDescription: String { words }

        init(_ words: String, _ outcome: String) {
            self.words = words
            self.outcome = outcome
        }
    }

    /// In the order of the catalogue, with parameters that keep the search short.
    static let broken = [
        Broken("seven-ways --variant no-lock", "race"),
        Broken("idle-work --variant in-handler", "assertion"),
        Broken("main-thread-guard --variant unguarded", "race"),
        Broken("main-thread-guard --variant guarded", "misuse"),
        Broken("thread-errors --variant uncaught", "error"),
        Broken("thread-errors --variant caught-outside", "error"),
        Broken("thread-errors --variant never-asked-for", "leak"),
        Broken("thread-lifecycle --variant started-twice", "misuse"),
        Broken("thread-lifecycle --variant never-started", "misuse"),
        Broken("thread-lifecycle --variant error-ignored", "deadlock"),
        Broken("entry-routine --variant no-pool", "leak"),
        Broken("entry-routine --variant one-pool", "assertion"),
        Broken("entry-routine --variant cleanup-at-end", "leak"),
        Broken("thread-dictionary --variant other-thread", "assertion"),
        Broken("priority-inversion --variant plain --pieces 1 --work 2", "assertion"),
        Broken("shutdown --variant detached", "assertion"),
        Broken("shutdown --variant early-return", "assertion"),
        Broken("shutdown --variant late-detach", "assertion"),
        Broken("shutdown --variant forgotten-join", "leak"),
        Broken("shutdown --variant join-twice", "misuse"),
        Broken("shutdown --variant join-self", "misuse"),
        Broken("shutdown --variant never-joined", "assertion"),
        Broken("cancellation --variant never-checks", "assertion"),
        Broken("cancellation --variant plain-flag", "race"),
        Broken("kill-or-cancel --variant killed", "deadlock"),
        Broken("kill-or-cancel --variant cleanup", "assertion"),
        Broken("kill-or-cancel --variant unrepaired", "assertion"),
        Broken("run-loop-order --variant before-timers", "assertion"),
        Broken("run-loop-modes --variant default-only", "assertion"),
        Broken("run-loop-modes --variant not-in-set", "assertion"),
        Broken("timers --variant rearmed", "assertion"),
        Broken("timers --variant counted", "assertion"),
        Broken("perform --variant no-loop --calls 1", "deadlock"),
        Broken("perform --variant empty-loop --calls 1", "deadlock"),
        Broken("perform --variant each-other --calls 1", "deadlock"),
        Broken("command-source --variant no-signal --commands 1", "assertion"),
        Broken("command-source --variant no-wake --commands 1", "assertion"),
        Broken("command-source --variant no-lock", "race"),
        Broken("command-source --variant cancel-waits --commands 1", "deadlock"),
        Broken("port-check-in --variant guess", "assertion"),
        Broken("port-check-in --variant other-mode", "deadlock"),
        Broken("named-ports --variant too-early", "assertion"),
        Broken("named-ports --variant taken", "deadlock"),
        Broken("run-loop-exit --variant remove-source", "deadlock"),
        Broken("run-loop-exit --variant unconditional", "deadlock"),
        Broken("run-loop-nested --variant same-mode", "assertion"),
        Broken("event-tracking --variant own-loop", "assertion"),
        Broken("run-loop-other-thread --variant added", "misuse"),
        Broken("run-loop-other-thread --variant ran", "misuse"),
        Broken("producer-consumer --variant if-for-while", "assertion"),
        Broken("producer-consumer --variant one-condition", "deadlock"),
        Broken("producer-consumer --variant signal-without-lock", "deadlock"),
        Broken("producer-consumer --variant plain-unlock", "deadlock"),
        Broken("producer-consumer --variant no-lock", "assertion"),
        Broken("deadlock --variant opposite-orders", "deadlock"),
        Broken("deadlock --variant try-lock --attempts 1", "livelock"),
        Broken("deadlock --variant change-sides --attempts 1", "livelock"),
        Broken("deadlock --variant self", "deadlock"),
        Broken("deadlock --variant ring", "deadlock"),
        Broken("deadlock --variant philosophers", "deadlock"),
        Broken("synchronized --variant own-tokens", "race"),
        Broken("synchronized --variant nil-token", "race"),
        Broken("spin-or-block --variant one-processor", "livelock"),
        Broken("spin-or-block --variant twice", "livelock"),
        Broken("partition-measured --variant no-lock", "race"),
        Broken("from-container --variant fetched", "misuse"),
        Broken("from-container --variant retained-late", "misuse"),
        Broken("distributed-lock --variant owner-died", "assertion"),
        Broken("distributed-lock --variant broken-too-early", "assertion"),
        Broken("signals --variant lock-in-handler", "deadlock"),
        Broken("signals --variant any-thread", "assertion"),
        Broken("signals --variant wakes-loop", "deadlock"),
        Broken("atomic-property --variant check-then-use", "assertion"),
        Broken("atomic-property --variant torn-pair", "assertion"),
        Broken("atomic-property --variant collision", "assertion"),
        Broken("last-release --variant background", "misuse"),
        Broken("last-release --variant weak-in-background", "misuse"),
        Broken("image-cache --variant check-then-act", "assertion"),
        Broken("image-cache --variant two-collections", "assertion"),
        Broken("confined-object --variant direct", "race"),
        Broken("confined-object --variant guarded", "misuse"),
        Broken("delegates --variant no-barrier", "race"),
        Broken("delegates --variant calls-back", "deadlock"),
        Broken("queue-reentrancy --variant itself", "deadlock"),
        Broken("queue-reentrancy --variant two-queues", "deadlock"),
        Broken("queue-reentrancy --variant target", "deadlock"),
        Broken("queue-reentrancy --variant is-current", "deadlock"),
        Broken("queue-reentrancy --variant opposite", "deadlock"),
        Broken("sync-async-mix --variant mixed", "assertion"),
        Broken("backpressure --variant unbounded", "assertion"),
        Broken("queue-inversion --variant lock --pieces 1 --work 2", "assertion"),
        Broken("async-fix --variant next-turn", "assertion"),
    ]

    /// In the order of the catalogue; those that have sizes in two of them.
    static let fixed = [
        "seven-ways --variant message", "seven-ways --variant memory", "seven-ways --variant condition",
        "seven-ways --variant source", "seven-ways --variant port", "seven-ways --variant queue",
        "seven-ways --variant measured", "too-small-to-thread --variant threads",
        "too-small-to-thread --variant calls", "idle-work --variant when-idle",
        "main-thread-guard --variant passed-to-main", "thread-errors --variant caught-at-entry",
        "thread-errors --variant handed-over", "thread-lifecycle --variant object",
        "thread-lifecycle --variant at-once", "thread-lifecycle --variant cancelled-before-start",
        "thread-lifecycle --variant refused", "entry-routine --variant pool-per-round",
        "entry-routine --variant cleanup-scoped", "entry-routine --variant measured",
        "thread-dictionary --variant separate", "thread-dictionary --variant separate --rounds 4",
        "thread-dictionary --variant destructor", "priority-inversion --variant unnoticed",
        "priority-inversion --variant inheritance --pieces 1 --work 2",
        "priority-inversion --variant inheritance --pieces 2 --work 2 --pause 0",
        "priority-inversion --variant ceiling --pieces 1 --work 2",
        "priority-inversion --variant ceiling --pieces 2 --work 2 --pause 0",
        "shutdown --variant joinable --records 1", "shutdown --variant joinable --records 2",
        "shutdown --variant main-exits", "shutdown --variant main-exits --records 1",
        "shutdown --variant joined-each", "cancellation --variant dictionary --request-after 0 --chunks 2",
        "cancellation --variant dictionary --request-after 0 --chunks 2 --chunk 0",
        "cancellation --variant atomic-flag --request-after 0 --chunks 2 --chunk 0",
        "cancellation --variant atomic-flag --request-after 0 --chunks 3 --chunk 0",
        "cancellation --variant measured", "kill-or-cancel --variant robust", "kill-or-cancel --variant asked",
        "kill-or-cancel --variant asked --pause 0", "run-loop-order --variant ten-steps",
        "run-loop-order --variant after-waiting", "run-loop-modes --variant common", "timers --variant repeating",
        "timers --variant clock", "perform --variant running --calls 1", "perform --variant running",
        "perform --variant later --calls 1", "perform --variant later", "perform --variant cancelled --calls 1",
        "perform --variant cancelled", "command-source --variant complete --commands 1",
        "command-source --variant complete", "command-source --variant cancel-heard --commands 1",
        "port-check-in --variant check-in", "port-check-in --variant check-in --commands 2",
        "port-check-in --variant gone", "port-check-in --variant gone --commands 2", "named-ports --variant waiting",
        "named-ports --variant gone", "run-loop-exit --variant stop", "run-loop-exit --variant time-limit",
        "run-loop-nested --variant own-mode", "event-tracking --variant tracking-mode",
        "run-loop-other-thread --variant performed", "producer-consumer --variant conditions",
        "producer-consumer --variant conditions --producers 2 --items 1", "producer-consumer --variant semaphores",
        "producer-consumer --variant semaphores --producers 2", "producer-consumer --variant condition-lock",
        "producer-consumer --variant condition-lock --consumers 1", "producer-consumer --variant two-condition-locks",
        "producer-consumer --variant two-condition-locks --consumers 1", "producer-consumer --variant queue",
        "producer-consumer --variant queue --producers 2 --items 1", "deadlock --variant ordered",
        "deadlock --variant ordered --pause 0", "deadlock --variant try-lock-jitter",
        "deadlock --variant try-lock-jitter --attempts 1", "deadlock --variant try-lock-jitter --attempts 2",
        "deadlock --variant philosophers-ordered --pause 0",
        "deadlock --variant philosophers-ordered --threads 4 --pause 0", "synchronized --variant same-token",
        "synchronized --variant other-data", "synchronized --variant nested", "synchronized --variant error",
        "spin-or-block --variant two-processors", "spin-or-block --variant blocking",
        "spin-or-block --variant measured", "partition-measured --variant compare",
        "partition-measured --variant one-lock", "partition-measured --variant striped",
        "partition-measured --variant own-parts", "from-container --variant retained",
        "from-container --variant retained --pause 0", "from-container --variant autoreleased",
        "from-container --variant autoreleased --pause 0", "distributed-lock --variant owner-checked",
        "distributed-lock --variant taking-turns", "signals --variant flag", "signals --variant own-thread",
        "signals --variant thread-wakes-loop", "atomic-property --variant captured",
        "atomic-property --variant captured --pause 0", "atomic-property --variant snapshot",
        "atomic-property --variant snapshot --pause 0", "atomic-property --variant other-stripe",
        "atomic-property --variant measured", "last-release --variant handed-back",
        "last-release --variant weak-on-main", "image-cache --variant lock", "image-cache --variant queue",
        "confined-object --variant performed", "confined-object --variant copied", "delegates --variant barrier",
        "delegates --variant snapshot", "queue-reentrancy --variant entered", "queue-reentrancy --variant specific",
        "sync-async-mix --variant sync-only", "sync-async-mix --variant lock", "sync-async-mix --variant measured",
        "backpressure --variant bounded", "backpressure --variant cancelled", "backpressure --variant measured",
        "queue-inversion --variant unnoticed", "queue-inversion --variant target",
        "queue-inversion --variant target --pieces 1 --work 2", "queue-inversion --variant raised",
        "async-fix --variant when-loaded",
    ]

    private struct Report: Decodable {
        var conclusion: String
        /// Of traces.
        var total: Int?
        var findings: [Finding]

        struct Finding: Decodable {
            var outcome: String
            var confirmed: Bool
            var expected: Bool
            var preemptions: Int
            var steps: Int
            var minimal: String?
            var schedule: String
        }
    }

    private func explore(_ words: String) throws -> Report {
        let arguments =
            ["explore"] + words.split(separator: " ").map(String.init) + ["--format", "json", "--time", "1h"]
        let output = try Invocation(program: Programs.threadlab, arguments: arguments).run().succeeds().output
        return try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    }

    @Test(arguments: broken) func `a broken variant fails, with the shortest schedule that there is`(variant: Broken)
        throws
    {
        let report = try explore(variant.words)
        #expect(report.conclusion == "finding")
        let finding = try #require(report.findings.first { $0.outcome == variant.outcome })
        #expect(finding.confirmed && finding.expected && finding.minimal == "steps")
        try GoldenTable.schedules.compare(
            variant.words, ["\(finding.preemptions)", "\(finding.steps)", finding.schedule])
    }

    @Test(arguments: fixed) func `a fixed variant is proved`(words: String) throws {
        let report = try explore(words)
        #expect(report.conclusion == "proved")
        let traces = try #require(report.total)
        if GoldenTable.sizes.programs.contains(words) {
            try GoldenTable.sizes.compare(words, ["\(traces)"])
        } else {
            #expect(try SearchedVariants.all.get().first { $0.program == words }?.traces == traces)
        }
    }

    @Test func `no variant is left out`() {
        let known = Set(
            (Self.broken.map(\.words) + Self.fixed).map {
                $0.split(separator: " ").prefix(3).joined(separator: " ")
            })
        for scenario in Catalogue.builtIn where scenario.realThreadsOnly == nil {
            let parameter = scenario.parameters.first { $0.name == "variant" }
            guard case .choice(let variants) = parameter?.form else { continue }
            for variant in variants {
                #expect(known.contains("\(scenario.name) --variant \(variant.word)"))
            }
        }
    }
}
