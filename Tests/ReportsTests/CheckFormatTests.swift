import Reports
import Testing
import Trace

@Suite struct CheckFormatTests {
    private var json: String {
        ByteSink.collect {
            CheckJSONReport(CheckSamples.all, duration: 2_000_000_000, isInterrupted: false).write(to: &$0)
        }
    }

    @Test func `a report is one JSON object with everything`() throws {
        let bytes = Array(json.utf8)
        guard case .object(let members) = try JSONReader.read(bytes, bytes.indices) else {
            Issue.record("no object: \(json)")
            return
        }
        let value = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
        #expect(value["check"] == .integer(2) && value["passed"] == .integer(1) && value["failed"] == .integer(1))
        #expect(value["wrong"] == .integer(2) && value["errors"] == .integer(1) && value["notRun"] == .integer(1))
        #expect(value["interrupted"] == .bool(false) && value["seconds"] == .fraction(2))
        guard case .array(let scenarios)? = value["scenarios"], scenarios.count == CheckSamples.all.count else {
            Issue.record("not all scenarios: \(json)")
            return
        }
        #expect(
            json.contains(
                #"{"name":"deadlock/ordered","verdict":"passed","seconds":1.235,"expectation":"completes","#
                    + #""controlled":{"runs":7,"proof":true,"traces":7,"model":"any","lazyTime":false,"outcomes":[],"states":[]}}"#
            ))
        #expect(
            json.contains(
                #""controlled":{"runs":12000,"proof":false,"limit":"time","outcomes":[{"outcome":"deadlock","count":2,"#
                    + #""execution":5,"schedule":"0x2,1x2,2x3,1"}],"states":["\"seen\""]},"native":{"runs":3,"#))
        #expect(
            json.contains(
                #"{"kind":"not-expected","runtime":"controlled","outcome":"deadlock","count":2,"execution":5,"#
                    + #""schedule":"0x2,1x2,2x3,1","summary":"first and second wait for each other.","details":["#))
        #expect(json.contains(#"{"kind":"not-seen","proof":false,"state":"x == 1 && y < 2","message":"#))
        #expect(json.contains(#""command":"threadlab replay scenarios/a.lab --schedule 0x2,1x2,2x3,1"}"#))
    }

    @Test func `a report is TAP with a plan, a line per scenario, and closed YAML`() {
        let text = ByteSink.collect { sink in
            let report = TAPReport()
            report.writeBegin(count: CheckSamples.all.count, to: &sink)
            for (index, scenario) in CheckSamples.all.enumerated() {
                report.write(scenario, number: index + 1, to: &sink)
            }
            report.writeEnd(isInterrupted: true, to: &sink)
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "TAP version 13" && lines[1] == "1..6" && lines.suffix(2) == ["Bail out! interrupted", ""])
        #expect(
            lines.filter { !$0.hasPrefix(" ") }.dropFirst(2).dropLast(2) == [
                "ok 1 - deadlock/ordered", "not ok 2 - scenarios/a.lab", "not ok 3 - scenarios/b.lab", "not ok 4 - c",
                "ok 5 - d # SKIP not run", "not ok 6 - evil ␛[31m\\#\\\\\"<&>␀\\\\u{fffe}␊'\\\\u{202e}.lab",
            ])
        #expect(lines.count { $0 == "  ---" } == 5 && lines.count { $0 == "  ..." } == 5)
        #expect(lines.contains("  duration_ms: 1234"))
        #expect(lines.contains("      threadlab replay scenarios/a.lab --schedule 0x2,1x2,2x3,1"))
        #expect(!lines.contains("") || lines.last == "", "an empty line ends a block of YAML")
    }

    private var junit: String {
        ByteSink.collect { JUnitReport(CheckSamples.all).write(to: &$0) }
    }

    @Test func `a report is JUnit's XML as the schema has it`() throws {
        let root = try XMLElement.parse(junit)
        #expect(JUnitSchema.violations(of: root) == [])
        let suite = try #require(root.children.first)
        let counts = ["tests", "failures", "errors", "skipped"].map { suite.attributes[$0] }
        #expect(counts == ["6", "1", "3", "1"])
        #expect(suite.children.map { $0.attributes["classname"] }.prefix(2) == ["deadlock", "scenarios"])
        #expect(suite.children.map { $0.attributes["name"] }.prefix(2) == ["ordered", "a.lab"])
    }

    @Test func `failures and errors are reported in XML`() throws {
        let cases = try #require(try XMLElement.parse(junit).children.first).children
        let failure = try #require(cases[1].children.first)
        #expect(failure.name == "failure" && failure.attributes["type"] == "deadlock")
        #expect(failure.text.contains("Expected: may end in race"))
        #expect(failure.text.contains("threadlab replay scenarios/a.lab --schedule 0x2,1x2,2x3,1"))
        #expect(failure.attributes["message"]?.contains("'x == 1 && y < 2'") == true)
        #expect(cases[2].children.first?.text.contains("\n   3 | m.lokc()\n") == true)
        #expect(cases[5].children.first?.text.contains("]]> ␛]0;title␇") == true)
    }

    @Test func `a report has annotations for GitHub, with its escapes`() {
        var scenario = CheckSamples.wrong
        scenario.name = "./50%, a:b\u{1B}.lab"
        scenario.line = 12
        scenario.verdict = .wrong("./50%, a:b\u{1B}.lab:12:3: error: 100%\r\nmore, of: it")
        let text = ByteSink.collect { GitHubReport().writeAnnotation(scenario, to: &$0) }
        #expect(
            text
                == "::error file=50%25%2C a%3Ab␛.lab,line=12,title=./50%25%2C a%3Ab␛.lab::"
                + "./50%25, a:b␛.lab:12:3: error: 100%25%0Amore, of: it\n")
        var known = CheckSamples.failed
        known.isKnown = true
        #expect(ByteSink.collect { GitHubReport().writeAnnotation(known, to: &$0) }.isEmpty)
        #expect(ByteSink.collect { GitHubReport().writeAnnotation(CheckSamples.passed, to: &$0) }.isEmpty)
    }

    @Test func `a report has a table for GitHub in which a name cannot be markup`() {
        let text = ByteSink.collect { GitHubReport().writeSummary(CheckSamples.all, isInterrupted: true, to: &$0) }
        #expect(text.hasPrefix("### threadlab check: interrupted: 1 passed, 1 failed, 2 wrong files, 1 not checked"))
        #expect(
            text.contains(
                "\n| scenarios/a.lab | expected: may end in race; found: deadlock, no race, no 'x == 1 \\&\\& "))
        #expect(text.contains("| evil ␛\\[31m\\#\\\\\"\\<\\&\\>␀"))
    }

    @Test func `a report tells a known failure from one that counts, in each format`() throws {
        var known = CheckSamples.failed
        known.isKnown = true
        let stale = CheckedScenario("d", .stale("listed in k, but passes"))
        let tap = ByteSink.collect { sink in
            for (index, scenario) in [known, stale].enumerated() {
                TAPReport().write(scenario, number: index + 1, to: &sink)
            }
        }
        #expect(tap.contains("not ok 1 - scenarios/a.lab # TODO known failure\n") && tap.contains("not ok 2 - d\n"))
        let xml = ByteSink.collect { JUnitReport([known, stale]).write(to: &$0) }
        let root = try XMLElement.parse(xml)
        #expect(JUnitSchema.violations(of: root) == [])
        let suite = try #require(root.children.first)
        #expect(["tests", "failures", "skipped"].map { suite.attributes[$0] } == ["2", "1", "1"])
        #expect(suite.children.map { $0.children.first?.name } == ["skipped", "failure"])
        let json = ByteSink.collect { sink in
            CheckJSONReport([known, stale], duration: 0, isInterrupted: false).write(to: &sink)
        }
        #expect(json.contains(#""failed":1,"undecided":0,"wrong":0,"errors":0,"notRun":0,"known":1,"#))
        #expect(json.contains(#""verdict":"known""#) && json.contains(#""verdict":"failed""#))
        #expect(json.contains(#""message":"listed in k, but passes""#))
    }

    @Test(
        arguments: [
            "<testsuites><testsuite name='a' tests='0' failures='0'/></testsuites>",
            "<testsuites><testcase name='a'/></testsuites>", "<testsuites when='now'/>",
            "<testsuites><testsuite name='a' tests='0' failures='0' errors='0' time='fast'/></testsuites>", "<suite/>",
        ])
    func `the validator sees what is wrong`(text: String) throws {
        #expect(!JUnitSchema.violations(of: try XMLElement.parse(text)).isEmpty)
    }

    @Test(
        arguments: [
            "<a>", "<a></b>", "<a x=1/>", "<a>\u{1B}</a>", "<a b='<'/>", "<a>&nothing;</a>", "<a/><b/>",
            "<a x='1' x='2'/>",
            "<a>]]></a>",
        ])
    func `the parser refuses what is no XML`(text: String) {
        #expect(throws: XMLProblem.self) { try XMLElement.parse(text) }
    }
}
