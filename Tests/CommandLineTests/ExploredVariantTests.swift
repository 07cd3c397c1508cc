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
        Broken("cancellation --variant never-checks", "assertion", preemptions: 0, steps: 72, "0,1x15,0x9,1x45,0x2"),
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
        Broken("run-loop-order --variant before-timers", "assertion", preemptions: 0, steps: 7, "0x7"),
        Broken(
            "command-source --variant no-signal --commands 1", "assertion", preemptions: 0, steps: 41,
            "0x6,1x9,0x16,1x10"),
        Broken(
            "command-source --variant no-wake --commands 1", "assertion", preemptions: 0, steps: 32, "0x6,1x9,0x14,1x3"),
        Broken("command-source --variant no-lock", "race", preemptions: 1, steps: 57, "0x6,1x9,0x18,1x18,0x6"),
        Broken(
            "command-source --variant cancel-waits --commands 1", "deadlock", preemptions: 0, steps: 52,
            "0x6,1x9,0x17,1x20"),
        Broken("timers --variant rearmed", "assertion", preemptions: 0, steps: 17, "0x17"),
        Broken("timers --variant counted", "assertion", preemptions: 0, steps: 35, "0x35"),
        Broken("perform --variant no-loop --calls 1", "deadlock", preemptions: 0, steps: 13, "0x3,1x4,0x6"),
        Broken("perform --variant empty-loop --calls 1", "deadlock", preemptions: 0, steps: 15, "0x3,1x6,0x6"),
        Broken("perform --variant each-other --calls 1", "deadlock", preemptions: 0, steps: 26, "0x3,1x9,0x6,1x8"),
        Broken("port-check-in --variant guess", "assertion", preemptions: 0, steps: 4, "0x4"),
        Broken("port-check-in --variant other-mode", "deadlock", preemptions: 0, steps: 37, "0x7,1x13,0x15,1x2"),
        Broken("named-ports --variant too-early", "assertion", preemptions: 0, steps: 3, "0x3"),
        Broken("named-ports --variant taken", "deadlock", preemptions: 0, steps: 20, "0x15,1x5"),
        Broken("run-loop-modes --variant default-only", "assertion", preemptions: 0, steps: 19, "0x6,1x6,0x7"),
        Broken("run-loop-modes --variant not-in-set", "assertion", preemptions: 0, steps: 19, "0x6,1x6,0x7"),
        Broken("partition-measured --variant no-lock", "race", preemptions: 0, steps: 16, "0x2,1x5,0,2x5,0x3"),
        Broken("run-loop-exit --variant remove-source", "deadlock", preemptions: 0, steps: 34, "0x3,1x10,0x8,1x13"),
        Broken("run-loop-exit --variant unconditional", "deadlock", preemptions: 0, steps: 32, "0x3,1x9,0x8,1x12"),
        Broken("run-loop-nested --variant same-mode", "assertion", preemptions: 0, steps: 22, "0x22"),
        Broken(
            "event-tracking --variant own-loop", "assertion", preemptions: 0, steps: 34, "0x8,1x5,0x5,1x4,0x5,1x4,0x3"),
        Broken("idle-work --variant in-handler", "assertion", preemptions: 0, steps: 28, "0x28"),
        Broken("async-fix --variant next-turn", "assertion", preemptions: 0, steps: 7, "0x7"),
        Broken("spin-or-block --variant one-processor", "livelock", preemptions: 0, steps: 13, "0x2,1x5,2x5,1"),
        Broken("spin-or-block --variant twice", "livelock", preemptions: 0, steps: 5, "0,1x4"),
        Broken("synchronized --variant own-tokens", "race", preemptions: 0, steps: 19, "0x2,1x7,0,2x7,0x2"),
        Broken("synchronized --variant nil-token", "race", preemptions: 0, steps: 11, "0x2,1x3,0,2x3,0x2"),
        Broken("atomic-property --variant check-then-use", "assertion", preemptions: 0, steps: 15, "0x2,2x4,1x5,2x4"),
        Broken("atomic-property --variant torn-pair", "assertion", preemptions: 0, steps: 18, "0x2,2x4,1x8,2x4"),
        Broken("atomic-property --variant collision", "assertion", preemptions: 0, steps: 15, "0x2,1x3,2x4,1x2,2x4"),
        Broken("last-release --variant background", "misuse", preemptions: 1, steps: 7, "0x2,1,0x2,1x2"),
        Broken("last-release --variant weak-in-background", "misuse", preemptions: 1, steps: 8, "0,1x3,0x2,1x2"),
        Broken("from-container --variant fetched", "misuse", preemptions: 0, steps: 14, "0x2,2x4,1x6,2x2"),
        Broken("from-container --variant retained-late", "misuse", preemptions: 0, steps: 14, "0x2,2x4,1x6,2x2"),
        Broken("entry-routine --variant no-pool", "leak", preemptions: 0, steps: 8, "0,1x5,0x2"),
        Broken("entry-routine --variant one-pool", "assertion", preemptions: 0, steps: 12, "0,1x11"),
        Broken("entry-routine --variant cleanup-at-end", "leak", preemptions: 0, steps: 5, "0,1x2=1,0x2"),
        Broken("queue-reentrancy --variant itself", "deadlock", preemptions: 0, steps: 3, "0x3"),
        Broken("queue-reentrancy --variant two-queues", "deadlock", preemptions: 0, steps: 5, "0x5"),
        Broken("queue-reentrancy --variant target", "deadlock", preemptions: 0, steps: 4, "0x4"),
        Broken("queue-reentrancy --variant is-current", "deadlock", preemptions: 0, steps: 5, "0x5"),
        Broken("queue-reentrancy --variant opposite", "deadlock", preemptions: 0, steps: 27, "0x10,1x8,2x6,1x3"),
        Broken(
            "delegates --variant no-barrier", "race", preemptions: 0, steps: 52, "0x16,1x6,2x6,0x7,1x5,2x5,0x7"),
        Broken("delegates --variant calls-back", "deadlock", preemptions: 0, steps: 25, "0x10,1x7,0x2,2x3,1x3"),
        Broken("sync-async-mix --variant mixed", "assertion", preemptions: 0, steps: 40, "0x14,1x16,0x10"),
        Broken("backpressure --variant unbounded", "assertion", preemptions: 0, steps: 12, "0x12"),
        Broken("confined-object --variant direct", "race", preemptions: 0, steps: 31, "0x8,1x10,0x7,2x3,0x3"),
        Broken("confined-object --variant guarded", "misuse", preemptions: 0, steps: 9, "0x8,2"),
        Broken("thread-lifecycle --variant started-twice", "misuse", preemptions: 0, steps: 4, "0x4"),
        Broken("thread-lifecycle --variant never-started", "misuse", preemptions: 0, steps: 2, "0x2"),
        Broken("thread-lifecycle --variant error-ignored", "deadlock", preemptions: 0, steps: 1, "0"),
        Broken("thread-errors --variant uncaught", "error", preemptions: 0, steps: 2, "0,1"),
        Broken("thread-errors --variant caught-outside", "error", preemptions: 0, steps: 2, "0,1"),
        Broken("thread-errors --variant never-asked-for", "leak", preemptions: 0, steps: 7, "0x2,1x3,0x2"),
        Broken("thread-dictionary --variant other-thread", "assertion", preemptions: 0, steps: 3, "0,1,0"),
        Broken("main-thread-guard --variant unguarded", "race", preemptions: 0, steps: 6, "0x2,1x2,0x2"),
        Broken("main-thread-guard --variant guarded", "misuse", preemptions: 0, steps: 3, "0x2,1"),
        Broken("seven-ways --variant no-lock", "race", preemptions: 0, steps: 8, "0x2,1x2,0x4"),
        Broken("kill-or-cancel --variant killed", "deadlock", preemptions: 0, steps: 17, "0,1x10,0x3,1x2,0"),
        Broken("kill-or-cancel --variant cleanup", "assertion", preemptions: 0, steps: 14, "0,1x6,0x3,1x2,0x2"),
        Broken("kill-or-cancel --variant unrepaired", "assertion", preemptions: 0, steps: 22, "0,1x10,0x3,1x3,0x5"),
        Broken("distributed-lock --variant owner-died", "assertion", preemptions: 0, steps: 20, "0x2,1x6,0x4,1x3,0x5"),
        Broken(
            "distributed-lock --variant broken-too-early", "assertion", preemptions: 0, steps: 26,
            "0x2,1x6,0x6,1x7,0x5"),
        Broken("signals --variant lock-in-handler", "deadlock", preemptions: 0, steps: 13, "0x7,1x4,0x2"),
        Broken("signals --variant any-thread", "assertion", preemptions: 0, steps: 11, "0x3,1x4,0x4"),
        Broken("signals --variant wakes-loop", "deadlock", preemptions: 0, steps: 21, "0x12,1x5,0x4"),
        Broken(
            "shutdown --variant never-joined", "assertion", preemptions: 0, steps: 19, "0,1x4,0x2,2x4,0x2,3x4,0x2"),
        Broken("image-cache --variant check-then-act", "assertion", preemptions: 0, steps: 20, "0x4,1x12,0x4"),
        Broken("image-cache --variant two-collections", "assertion", preemptions: 0, steps: 44, "0x4,1x12,0x28"),
        Broken(
            "queue-inversion --variant lock --pieces 1 --work 2", "assertion", preemptions: 0, steps: 80,
            "0x4,1x11,0x9,2x5,3x9,1x6,3x21,1x11,2x4"),
        Broken("run-loop-other-thread --variant added", "misuse", preemptions: 0, steps: 2, "0,1"),
        Broken("run-loop-other-thread --variant ran", "misuse", preemptions: 0, steps: 2, "0,1"),
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
        ("deadlock --variant try-lock-jitter", 2074),
        ("deadlock --variant try-lock-jitter --attempts 1", 4),
        ("deadlock --variant try-lock-jitter --attempts 2", 142),
        ("cancellation --variant dictionary --request-after 0 --chunks 2", 4),
        ("cancellation --variant dictionary --request-after 0 --chunks 2 --chunk 0", 28),
        ("cancellation --variant atomic-flag --request-after 0 --chunks 2 --chunk 0", 5),
        ("cancellation --variant atomic-flag --request-after 0 --chunks 3 --chunk 0", 7),
        ("shutdown --variant joinable --records 1", 1), ("shutdown --variant joinable --records 2", 1),
        ("shutdown --variant main-exits", 1), ("shutdown --variant main-exits --records 1", 1),
        ("priority-inversion --variant inheritance --pieces 1 --work 2", 2),
        ("priority-inversion --variant inheritance --pieces 2 --work 2 --pause 0", 70),
        ("priority-inversion --variant ceiling --pieces 1 --work 2", 1),
        ("priority-inversion --variant ceiling --pieces 2 --work 2 --pause 0", 12),
        ("run-loop-order --variant ten-steps", 1),
        ("run-loop-order --variant after-waiting", 1),
        ("command-source --variant complete --commands 1", 18),
        ("command-source --variant complete", 342),
        ("command-source --variant cancel-heard --commands 1", 108),
        ("timers --variant repeating", 1),
        ("timers --variant clock", 1),
        ("perform --variant running --calls 1", 60),
        ("perform --variant running", 340),
        ("perform --variant later --calls 1", 60),
        ("perform --variant later", 340),
        ("perform --variant cancelled --calls 1", 1),
        ("perform --variant cancelled", 1),
        ("port-check-in --variant check-in", 27),
        ("port-check-in --variant check-in --commands 2", 324),
        ("port-check-in --variant gone", 3),
        ("port-check-in --variant gone --commands 2", 3),
        ("named-ports --variant waiting", 18),
        ("named-ports --variant gone", 2),
        ("run-loop-modes --variant common", 1),
        ("run-loop-exit --variant stop", 6),
        ("run-loop-exit --variant time-limit", 4),
        ("run-loop-nested --variant own-mode", 1),
        ("event-tracking --variant tracking-mode", 216),
        ("idle-work --variant when-idle", 1),
        ("async-fix --variant when-loaded", 3),
        ("spin-or-block --variant two-processors", 1),
        ("spin-or-block --variant blocking", 1),
        ("synchronized --variant same-token", 4),
        ("synchronized --variant other-data", 4),
        ("synchronized --variant nested", 8),
        ("synchronized --variant error", 4),
        ("atomic-property --variant captured", 1),
        ("atomic-property --variant captured --pause 0", 4),
        ("atomic-property --variant snapshot", 4),
        ("atomic-property --variant snapshot --pause 0", 4),
        ("atomic-property --variant other-stripe", 1),
        ("last-release --variant handed-back", 3),
        ("last-release --variant weak-on-main", 3),
        ("from-container --variant retained", 3),
        ("from-container --variant retained --pause 0", 4),
        ("from-container --variant autoreleased", 3),
        ("from-container --variant autoreleased --pause 0", 4),
        ("entry-routine --variant pool-per-round", 1),
        ("entry-routine --variant cleanup-scoped", 3),
        ("priority-inversion --variant unnoticed", 1),
        ("queue-reentrancy --variant entered", 1), ("queue-reentrancy --variant specific", 1),
        ("delegates --variant barrier", 80), ("delegates --variant snapshot", 6),
        ("sync-async-mix --variant sync-only", 11), ("sync-async-mix --variant lock", 11),
        ("backpressure --variant bounded", 24), ("backpressure --variant cancelled", 80),
        ("confined-object --variant performed", 680), ("confined-object --variant copied", 680),
        ("thread-lifecycle --variant object", 2), ("thread-lifecycle --variant at-once", 1),
        ("thread-lifecycle --variant cancelled-before-start", 1), ("thread-lifecycle --variant refused", 1),
        ("thread-errors --variant caught-at-entry", 1), ("thread-errors --variant handed-over", 3),
        ("thread-dictionary --variant separate", 1), ("thread-dictionary --variant separate --rounds 4", 1),
        ("thread-dictionary --variant destructor", 2), ("main-thread-guard --variant passed-to-main", 2),
        ("too-small-to-thread --variant threads", 1), ("too-small-to-thread --variant calls", 6000),
        ("partition-measured --variant compare", 6), ("partition-measured --variant one-lock", 6),
        ("partition-measured --variant striped", 1), ("partition-measured --variant own-parts", 1),
        ("shutdown --variant joined-each", 1),
        ("image-cache --variant lock", 2), ("image-cache --variant queue", 19),
        ("queue-inversion --variant target", 3), ("queue-inversion --variant target --pieces 1 --work 2", 3),
        ("queue-inversion --variant raised", 3), ("queue-inversion --variant unnoticed", 9),
        ("kill-or-cancel --variant robust", 2), ("kill-or-cancel --variant asked", 1),
        ("kill-or-cancel --variant asked --pause 0", 4),
        ("distributed-lock --variant owner-checked", 12), ("distributed-lock --variant taking-turns", 4),
        ("signals --variant flag", 2), ("signals --variant own-thread", 1),
        ("signals --variant thread-wakes-loop", 1), ("seven-ways --variant message", 3),
        ("seven-ways --variant memory", 2), ("seven-ways --variant condition", 2),
        ("seven-ways --variant source", 6), ("seven-ways --variant port", 3), ("seven-ways --variant queue", 2),
        ("run-loop-other-thread --variant performed", 3),
        ("backpressure --variant measured", 192), ("sync-async-mix --variant measured", 18),
        ("spin-or-block --variant measured", 2), ("entry-routine --variant measured", 1),
        ("atomic-property --variant measured", 1), ("cancellation --variant measured", 1),
        ("seven-ways --variant measured", 576),
    ]

    private func explore(_ words: String) throws -> Ended {
        let arguments =
            ["explore"] + words.split(separator: " ").map(String.init) + ["--format", "json", "--time", "1h"]
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
        for scenario in Catalogue.builtIn where scenario.realThreadsOnly == nil {
            let parameter = scenario.parameters.first { $0.name == "variant" }
            guard case .choice(let variants) = parameter?.form else { continue }
            for variant in variants {
                #expect(known.contains("\(scenario.name) --variant \(variant.word)"))
            }
        }
    }
}
