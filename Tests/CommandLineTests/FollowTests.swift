import Authoring
import Scenarios
import Support
import Testing

/// Runs on real threads are replayed under the scheduler.
@Suite struct FollowTests {
    /// Every broken variant, with options that keep its search short.
    static let variants = [
        "deadlock --variant self", "deadlock --variant opposite-orders", "deadlock --variant ring",
        "deadlock --variant philosophers", "deadlock --variant try-lock --attempts 1",
        "deadlock --variant change-sides --attempts 1",
        "producer-consumer --variant if-for-while --items 2 --consumers 2 --producers 1",
        "producer-consumer --variant one-condition --items 1 --producers 2",
        "producer-consumer --variant signal-without-lock --items 1 --producers 1 --consumers 1",
        "producer-consumer --variant plain-unlock",
        "producer-consumer --variant no-lock --items 2 --producers 1 --consumers 2",
        "cancellation --variant never-checks", "cancellation --variant plain-flag",
        "shutdown --variant detached", "shutdown --variant forgotten-join", "shutdown --variant join-self",
        "shutdown --variant never-joined",
        "shutdown --variant early-return", "shutdown --variant join-twice", "shutdown --variant late-detach",
        "priority-inversion --variant plain --pieces 20",
        "thread-lifecycle --variant started-twice", "thread-lifecycle --variant never-started",
        "thread-lifecycle --variant error-ignored", "thread-errors --variant uncaught",
        "thread-errors --variant caught-outside", "thread-errors --variant never-asked-for",
        "thread-dictionary --variant other-thread", "main-thread-guard --variant unguarded",
        "main-thread-guard --variant guarded",
        "run-loop-order --variant before-timers",
        "command-source --variant no-signal --commands 1",
        "command-source --variant no-wake --commands 1",
        "command-source --variant no-lock",
        "command-source --variant cancel-waits --commands 1",
        "timers --variant rearmed",
        "timers --variant counted",
        "perform --variant no-loop --calls 1",
        "perform --variant empty-loop --calls 1",
        "perform --variant each-other --calls 1",
        "port-check-in --variant guess",
        "port-check-in --variant other-mode",
        "named-ports --variant too-early",
        "named-ports --variant taken",
        "run-loop-modes --variant default-only",
        "run-loop-modes --variant not-in-set",
        "partition-measured --variant no-lock",
        "run-loop-exit --variant remove-source",
        "run-loop-exit --variant unconditional",
        "run-loop-nested --variant same-mode",
        "event-tracking --variant own-loop",
        "idle-work --variant in-handler",
        "async-fix --variant next-turn",
        "spin-or-block --variant one-processor", "spin-or-block --variant twice",
        "synchronized --variant own-tokens", "synchronized --variant nil-token",
        "atomic-property --variant check-then-use", "atomic-property --variant torn-pair",
        "atomic-property --variant collision",
        "last-release --variant background", "last-release --variant weak-in-background",
        "from-container --variant fetched", "from-container --variant retained-late",
        "entry-routine --variant no-pool", "entry-routine --variant one-pool", "entry-routine --variant cleanup-at-end",
        "queue-reentrancy --variant itself", "queue-reentrancy --variant two-queues",
        "queue-reentrancy --variant target", "queue-reentrancy --variant is-current",
        "queue-reentrancy --variant opposite", "delegates --variant no-barrier", "delegates --variant calls-back",
        "sync-async-mix --variant mixed", "backpressure --variant unbounded", "confined-object --variant direct",
        "confined-object --variant guarded", "seven-ways --variant no-lock",
        "image-cache --variant check-then-act", "image-cache --variant two-collections",
        "queue-inversion --variant lock",
        "run-loop-other-thread --variant added", "run-loop-other-thread --variant ran",
    ]

    /// A thread looks for a kill, a signal or another process's file at moments that a native trace does not show: such a
    /// run cannot be followed, and 'replay' says so.
    static let unfollowable: Set = ["kill-or-cancel", "distributed-lock", "signals"]

    /// Every program that may fail.
    /// Without programs that continue forever: on real threads they are cut off, somewhere.
    static let files = Repository.brokenPrograms.filter { !$0.text.contains(/progress *[\n}]/) }.map(\.path).sorted()

    @Test(arguments: variants) func `a failure comes again by its order alone`(call: String) throws {
        try expectAgain(call.split(separator: " ").map(String.init))
    }

    @Test(arguments: files) func `a program's failure comes again by its order alone`(path: String) throws {
        try expectAgain([Repository.root + "/" + path])
    }

    @Test func `no broken variant is left out`() {
        #expect(Self.files.count > 50)
        for scenario in Catalogue.builtIn
        where scenario.realThreadsOnly == nil && !Self.unfollowable.contains(scenario.name) {
            for variant in Self.broken(scenario) {
                let words = "\(scenario.name) --variant \(variant)"
                #expect(Self.variants.contains { "\($0) ".hasPrefix("\(words) ") }, "\(words)")
            }
        }
    }

    private static func broken<S: Scenario>(_ type: S.Type) -> [String] {
        S.Variant.allCases.filter { !$0.expectation.findings.isEmpty }.map(\.argument)
    }

    /// Follows a run on real threads, however it ended; and a finding of a search, without its schedule. The trace of a
    /// native run says no more than that of a controlled one, so each failure is followed without waiting for it on
    /// real threads.
    private func expectAgain(_ call: [String]) throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        let native = try Self.outcome(["run", "--native", "--format", "none", "--trace", file] + call)
        #expect(try Self.outcome(["replay", file, "--format", "none"]) == native)
        let search = ["explore", "--jobs", "1", "--executions", "5000", "--save", directory.file("found")]
        let searched = try Invocation(program: Programs.threadlab, arguments: search + call).run().exits(with: 0)
        let found = TemporaryDirectory.names(in: directory.file("found"))
        // Programs that fail only if stores are delayed do not fail here, and that is proved.
        #expect(found.isEmpty == searched.output.hasPrefix("proved: "))
        for name in found {
            let path = directory.file("found/\(name)")
            let text = try #require(Files.text(path))
            try Files.write(path, Array(Self.asOfRealThreads(text).utf8))
            let failure = try Self.outcome(["trace", path, "--format", "none"])
            #expect(failure != "completed")
            #expect(try Self.outcome(["replay", path, "--format", "none"]) == failure)
        }
    }

    /// A controlled run's trace without the choices that made it.
    private static func asOfRealThreads(_ trace: String) -> String {
        trace.replacing(/,"schedule":"[^"]*"/, with: "", maxReplacements: 1)
            .replacing("\"runtime\":\"controlled\"", with: "\"runtime\":\"native\"", maxReplacements: 1)
    }

    private static func outcome(_ arguments: [String]) throws -> String {
        let ended = try Invocation(program: Programs.threadlab, arguments: arguments).run()
        return String(try #require(ended.isSilent().output.prefixMatch(of: /[a-z-]+(?=: )/)).output)
    }

    @Test func `the schedule that is printed does the same again`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x.trace")
        try threadlab("run", "cancellation", "--variant", "plain-flag", "--trace", file).run().succeeds()
        let replay = try threadlab("replay", file).run().succeeds().prints("race: ")
        let command = try #require(replay.output.firstMatch(of: /Replay: threadlab (.*)\n/)).output.1
        let again = try Invocation(
            program: Programs.threadlab, arguments: command.split(separator: " ").map(String.init)
        ).run().succeeds()
        #expect(again.output == replay.output)
    }

    @Test func `a run that cannot be followed says where, and how to get there`() throws {
        let directory = try TemporaryDirectory()
        let text = try threadlab("run", "shutdown", "--variant", "joinable", "--format", "json").run().succeeds().output
        let file = try directory.write(
            "x.trace", Array(text.replacing("\"thread.join\"", with: "\"thread.detach\"").utf8))
        try threadlab("replay", file).run().exits(with: 1).printsNothing()
            .complainsInOneLine(about: "cannot follow the run: event ")
            .complainsInOneLine(about: "but the thread reaches thread.join; 'threadlab replay shutdown ")
    }

    @Test func `a trace that lacks its beginning cannot be followed`() throws {
        let directory = try TemporaryDirectory()
        let text = try threadlab("run", "shutdown", "--variant", "joinable", "--format", "json").run().succeeds().output
        var lines = text.split(separator: "\n")
        lines.insert("{\"dropped\":3}", at: 1)
        let file = try directory.write("x.trace", Array(lines.joined(separator: "\n").utf8))
        try threadlab("replay", file).run().exits(with: 2).printsNothing().complainsInOneLine(about: "lacks 3 events")
    }
}
