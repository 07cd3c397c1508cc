import Authoring
import Scenarios
import Support
import Testing

/// The findings of a run, at its end and from its trace.
@Suite struct DiagnoseTests {
    private static let ifForWhile = Repository.root + "/scenarios/conditions/if-for-while.lab"
    private static let nested = Repository.root + "/scenarios/deadlock/nested-monitor.lab"
    /// Controlled runs that end well, but have findings.
    private static let hasty = ["run", ifForWhile, "--seed", "1"]

    private func run(_ words: String...) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: Self.hasty + words).run().succeeds()
    }

    // MARK: - At the end of a run

    @Test func `a warning comes after the outcome, with its source, its reason and what fixes it`() throws {
        try run("--format", "none").prints("completed: ").prints("\nwarning TL302: ").prints("\n  Why: ")
            .prints("\n  Guide: ").prints("\n  Fix: Replace 'if' with 'while'")
            .prints("  More: threadlab explain TL302")
            .prints("if-for-while.lab:26  if table.isEmpty { baked.wait() }")
    }

    @Test func `the outcome's own story is printed once, with its source`() throws {
        let run = try threadlab("run", "deadlock", "--seed", "1", "--format", "none").run().succeeds()
            .prints("  Deadlock.swift:").prints("try one.withLock {").prints("  More: threadlab explain TL101")
        #expect(run.output.split(separator: "wait for each other").count == 2)
    }

    @Test func `the reported findings can be chosen, by code or by name`() throws {
        try run("--diagnose", "none").doesNotPrint("TL")
        try run("--diagnose", "race,TL103").doesNotPrint("TL")
        try run("--diagnose", "wait-without-loop").prints("TL302")
        try run("--diagnose", "tl302,race").prints("TL302")
        try run().doesNotPrint("note TL406")
        try run("--diagnose", "all").prints("TL302").prints("note TL406: m: ")
    }

    @Test(
        arguments: [
            ("waitwithoutloop", "'waitwithoutloop' is not a finding: did you mean 'wait-without-loop'?"),
            ("TL999", "'TL999' is not a finding: "), ("", "'' is not a finding: "), ("race,", "'' is not a finding: "),
        ])
    func `a word that is no finding is refused`(word: String, complaint: String) throws {
        try Invocation(program: Programs.threadlab, arguments: Self.hasty + ["--diagnose", word]).run()
            .exits(with: 2).printsNothing().complainsInOneLine(about: complaint)
    }

    @Test func `JSON has a line for each finding, before the outcome`() throws {
        let lines = try run("--format", "json", "--diagnose", "all").printsJSONLines().lines
        let findings = lines.filter { $0.hasPrefix("{\"finding\":{\"code\":\"TL") }
        #expect(findings.count == 2)
        #expect(findings.first?.contains("\"name\":\"wait-without-loop\",\"severity\":\"warning\"") == true)
        #expect(findings.first?.contains("\"threads\":[\"guest[1]\"],\"objects\":[\"baked\",\"table\"]") == true)
        #expect(lines.last?.hasPrefix("{\"outcome\"") == true)
    }

    @Test func `locks in different orders are an outcome only where that is expected`() throws {
        let directory = try TemporaryDirectory()
        let orders =
            "scenario \"x\"\nmutex a, b\nthread s { lock a { lock b {} } }\nthread t { sleep 1ms; lock b { lock a {} } }\n"
        let silent = try directory.write("silent.lab", Array(orders.utf8))
        try threadlab("run", silent, "--seed", "1").run().succeeds().prints("completed: ").prints("warning TL103")
        let expecting = try directory.write("expecting.lab", Array((orders + "expect lock-order\n").utf8))
        try threadlab("run", expecting, "--seed", "1").run().succeeds().prints("lock-order: s and t take ")
            .doesNotPrint("warning")
        try threadlab("check", expecting).run().succeeds()
    }

    @Test func `of many runs each finding is reported once, with the number of runs that show it`() throws {
        let words = ["run", "deadlock", "--pause", "0", "--seed", "1", "--runs", "20", "--format"]
        let runs = Invocation(program: Programs.threadlab, arguments: words + ["none"]).wide
        let text = try runs.run().succeeds().prints("20 of 20 runs: completed ").prints("\nwarning TL103: ")
            .prints(" of 20 runs, first in run 1.").prints("  Replay: threadlab replay deadlock ")
        #expect(text.output.split(separator: "TL103: ").count == 2)
        try Invocation(program: Programs.threadlab, arguments: words + ["none", "--diagnose", "none"]).run().succeeds()
            .doesNotPrint("TL103")
        let json = try Invocation(program: Programs.threadlab, arguments: words + ["json"]).run().succeeds()
            .printsJSONLines()
        #expect(json.lines.last?.contains(",\"findings\":[{\"runs\":") == true)
        #expect(json.lines.last?.contains("\"code\":\"TL103\"") == true)
    }

    // MARK: - From a trace

    @Test(arguments: ["--native", "--controlled"]) func `a saved trace has the same findings`(runtime: String) throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("x")
        let run = try threadlab("run", Self.nested, runtime, "--save", file, "--format", "none").run()
        let diagnosis = try threadlab("trace", file, "--findings").run()
        for code in ["TL102", "TL404"] {
            #expect(run.output.contains(code) == diagnosis.output.contains(code))
        }
        diagnosis.exits(with: run.output.contains("completed: ") ? 0 : 1)
    }

    @Test func `several traces are diagnosed one after the other, even if one of them cannot be read`() throws {
        let directory = try TemporaryDirectory()
        let good = directory.file("good")
        let bad = directory.file("bad")
        try threadlab("run", "deadlock", "--variant", "ordered", "--seed", "1", "--save", good).run().succeeds()
        try threadlab("run", "deadlock", "--variant", "self", "--seed", "1", "--save", bad).run().succeeds()
        try threadlab("trace", good, "--findings").run().succeeds().prints("No findings in ")
        try threadlab("trace", good, "--findings", bad).run().exits(with: 1).prints("\(good):\nNo findings in ")
            .prints("\(bad):\nfault TL101: ")
        try threadlab("trace", "nowhere", "--findings", bad).run().exits(with: 2).prints("fault TL101: ")
            .complainsInOneLine(about: "cannot read nowhere")
        let json = try threadlab("trace", good, "--findings", bad, "--format", "json").run().exits(with: 1)
            .printsJSONLines()
        #expect(json.lines.count == 2 && json.lines[0].hasSuffix("\"outcome\":\"completed\",\"findings\":[]}"))
    }

    @Test func `a trace is diagnosed as far as it goes`() throws {
        let directory = try TemporaryDirectory()
        let text = try run("--format", "json").output
        let events = text.split(separator: "{\"finding\"")[0]
        let file = try directory.write("x", Array(events.utf8.dropLast(3)))
        try threadlab("trace", file, "--findings").run().exits(with: 1).prints("TL302")
        // Its header, and some of its first event.
        let header = try #require(text.split(separator: "\n").first)
        let start = try directory.write("y", Array(text.utf8.prefix(header.utf8.count + 20)))
        try threadlab("trace", start, "--findings").run().succeeds().prints("The trace ends before the run does")
    }

    @Test func `a trace that is still being written is diagnosed as far as it goes`() throws {
        let directory = try TemporaryDirectory()
        let trace = directory.file("x.trace")
        try plugin("run", "trouble", "--variant", "busy", "--save", trace)
            .whenItSays("busy") { running in
                let diagnosis = try? plugin("trace", trace + ".recording", "--findings").run().succeeds()
                #expect(diagnosis?.output.hasPrefix("No findings in ") == true)
                running.signalGroup(2)
            }.run().exits(with: 130)
    }

    @Test func `a trace cannot have other files shown`() throws {
        let directory = try TemporaryDirectory()
        let secret = try directory.write("secret", Array("password\n".utf8))
        let trace =
            "{\"threadlab\":2,\"scenario\":\"x\",\"parameters\":{},\"runtime\":\"native\"}\n"
            + "{\"thread\":0,\"name\":\"main\"}\n{\"object\":1,\"kind\":\"mutex\",\"name\":\"m\"}\n"
            + "{\"n\":1,\"t\":0,\"thread\":0,\"kind\":\"mutex.wait\",\"object\":1,\"at\":\"\(secret):1\"}\n"
            + "{\"n\":2,\"t\":0,\"thread\":0,\"kind\":\"misuse\",\"object\":1,\"value\":\"relock\",\"at\":\"\(secret):1\"}\n"
        let file = try directory.write("x", Array(trace.utf8))
        try threadlab("trace", file, "--findings").run().exits(with: 1).prints("TL601").doesNotPrint("password")
    }

    // MARK: - On real threads, too

    /// On real threads, low may be done before the system has started the others, so some runs end well, or late for another reason. One
    /// of many ends as each does under the scheduler.
    @Test(arguments: InterruptionTests.runtimes)
    func `a high-priority thread blocked by a low-priority one is reported`(
        runtime: String
    ) throws {
        let run = try threadlab("run", "priority-inversion", "--pieces", "100", runtime, "--format", "none")
            .runRepeatedly(atMost: runtime == "--native" ? 100 : 1) {
                $0.contains("assertion: ") && $0.contains("TL403")
            }
        run.succeeds().prints("assertion: An assertion failed: high waited for the data while middle did ")
            .prints("\nwarning TL403: high waits for low, which cannot run because middle")
            .prints("\n  low, priority 5, holds data (taken at PriorityInversion.swift:")
    }

    @Test(arguments: InterruptionTests.runtimes) func `the use of another thread's run loop is reported`(
        runtime: String
    )
        throws
    {
        try plugin("run", "trouble", "--variant", "wrong-thread", runtime, "--format", "none").run().exits(with: 1)
            .prints("misuse: worker used an object that belongs to another thread.").prints("explain TL603")
    }

    @Test(arguments: Extent.part(of: fixed, every: 3)) func `nothing is found with a fixed variant`(call: String) throws
    {
        let words = ["run", "--native", "--format", "none"] + call.split(separator: " ").map(String.init)
        try Invocation(program: Programs.threadlab, arguments: words).run().succeeds().prints("completed: ")
            .doesNotPrint(" TL")
    }

    private static let fixed = Catalogue.builtIn.flatMap { calls(of: $0) }

    /// The variants of which every run ends well.
    private static func calls<S: Scenario>(of type: S.Type) -> [String] {
        S.Variant.allCases.filter { $0.expectation == .completes }.map { "\(type.name) --variant \($0.argument)" }
    }

    /// Those that continue forever are cut off on real threads.
    @Test(
        arguments: Extent.part(
            of: Repository.completingPrograms.filter { !$0.text.contains(/progress *[\n}]/) }.map(\.path), every: 3))
    func `no fault is found with a program that always ends well`(path: String) throws {
        try threadlab("run", "\(Repository.root)/\(path)", "--native", "--format", "none").run().succeeds()
            .prints("completed: ").doesNotPrint(" TL")
    }
}
