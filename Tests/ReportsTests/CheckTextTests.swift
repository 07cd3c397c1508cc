import Diagnosis
import Reports
import Testing
import Text
import Trace

@Suite struct CheckTextTests {
    private func end(_ scenarios: [CheckedScenario], isInterrupted: Bool = false, color: Bool = false) -> String {
        let report = CheckTextReport(names: scenarios.map(\.name), ReportOptions(color: color))
        return ByteSink.collect {
            for scenario in scenarios { report.write(scenario, to: &$0) }
            report.writeEnd(scenarios, duration: 1_960_000_000, isInterrupted: isInterrupted, to: &$0)
        }
    }

    @Test func `the text has a line per scenario, then what failed, then the totals`() {
        let text = end([
            CheckSamples.passed, CheckSamples.failed, CheckSamples.wrong, CheckSamples.error, CheckSamples.notRun,
        ])
        #expect(
            text == """
                pass     1.23 s  deadlock/ordered  proved: none of 7 orders fails, under any memory model
                FAIL     0.03 s  scenarios/a.lab   expected: may end in race; found: deadlock, no race, no 'x == 1 && y < 2'
                WRONG    0.00 s  scenarios/b.lab   scenarios/b.lab:3:14: error: no 'lokc'
                ERROR    0.00 s  c                 cannot start a process for the runs: out of memory

                FAIL scenarios/a.lab
                  expected: may end in race
                  not expected: deadlock in 2 forms, found after 5 executions
                    first and second wait for each other.
                    first holds a.

                    threadlab replay scenarios/a.lab --schedule 0x2,1x2,2x3,1
                  expected: race, not seen in 12,000 executions: no proof that it cannot happen
                    threadlab explore scenarios/a.lab --keep-going
                  no run ends with 'x == 1 && y < 2', of 12,000 executions: no proof that none can
                    threadlab explore scenarios/a.lab --keep-going

                WRONG scenarios/b.lab
                  scenarios/b.lab:3:14: error: no 'lokc'
                     3 | m.lokc()
                       |   ^

                1 passed, 1 failed, 1 wrong file, 1 not checked because of an error, 1 not run (2.0 s)

                """)
    }

    @Test func `the names of many failures are repeated at the end`() {
        func text(_ count: Int) -> String {
            let failures = (0..<count).map { number in
                var scenario = CheckSamples.failed
                scenario.name = "f\(number).lab"
                return scenario
            }
            let report = CheckTextReport(names: failures.map(\.name), .init(width: 100))
            return ByteSink.collect {
                report.writeEnd(failures, duration: 0, isInterrupted: false, to: &$0)
            }
        }
        #expect(text(4).contains("\n\nNot passed: f0.lab, f1.lab, f2.lab, f3.lab\n\n0 passed, 4 failed"))
        #expect(!text(3).contains("Not passed"))
    }

    @Test func `the text shows the results of both runtimes`() {
        var scenario = CheckSamples.failed
        scenario.verdict = .asExpected
        #expect(
            end([scenario]).contains(
                "deadlock found after 5 executions; no proof that this is all: time limit reached; "
                    + "native: completed in 3 runs; 1 of 2 states seen\n"))
    }

    @Test func `the text says how often promised warnings were seen, and which were not`() {
        var scenario = CheckSamples.passed
        scenario.evidence = [CheckSamples.watched, CheckSamples.native]
        #expect(
            end([scenario]).contains(
                "proved: none of 7 orders fails, under any memory model; warning starvation in 3 of 100 random runs; native: completed in 3 runs\n"
            ))
        let flaw = CheckedScenario.Flaw(.warningNotSeen(.contention, in: CheckSamples.watched), command: "look")
        scenario.verdict = .mismatched([flaw])
        #expect(
            end([scenario]).contains(
                "  expected: warning contention, not seen in 100 random runs: no proof that it cannot happen\n    look\n"
            ))
        #expect(end([scenario]).contains("; found: no warning contention\n"))
    }

    private static func sighting(_ kind: OutcomeKind, _ number: Int) -> Evidence.Sighting {
        Evidence.Sighting(
            count: 1, outcome: Outcome(kind, summary: ""), first: Evidence.Execution(number: number, schedule: "0"))
    }

    @Test(
        arguments: [
            (Extent.all(Explored(.traces, 1), Premises()), [], "proved: the only order passes, under any memory model"),
            (
                .all(Explored(.traces, 1000), Premises(model: "rc11", passesTime: true)), [],
                "proved with lazy time: none of 1,000 orders fails, under rc11"
            ),
            (
                .all(Explored(.states, 9), Premises(spurious: .init(limit: 1, apart: Explored(.states, 1400)))), [],
                "proved: none of 9 states fails, nor any of 1,400 with a spurious wake-up, under any memory model"
            ),
            (
                .all(Explored(.traces, 30), Premises(spurious: .init(limit: 1, apart: Explored(.states, 157)))), [],
                "proved: none of 30 orders fails, nor any of 157 states with a spurious wake-up, under any memory model"
            ),
            (
                .all(Explored(.traces, 2), Premises(model: "sc", spurious: .init(limit: 0))), [],
                "proved: none of 2 orders fails, without spurious wake-ups, under sc"
            ),
            (
                .all(Explored(.traces, 3), Premises()), [sighting(.assertion, 2), sighting(.race, 1)],
                "race found after 1 execution, assertion after 2; all 3 orders tried, under any memory model"
            ),
            (
                .all(Explored(.traces, 1), Premises(passesTime: true)), [sighting(.leak, 1)],
                "leak found after 1 execution, in the only order with lazy time, under any memory model"
            ),
            (.part(.runs), [], "completed in 1,200 executions (no proof: execution limit reached)"),
            (
                .part(.noNews), [sighting(.deadlock, 12)],
                "deadlock found after 12 executions; no proof that this is all: nothing new for a long time"
            ),
        ])
    func `the text claims a proof where all was tried, and else says why not`(
        extent: Extent, sightings: [Evidence.Sighting], words: String
    ) {
        let evidence = Evidence(.controlled, runs: 1200, extent, sightings: sightings)
        #expect(end([CheckedScenario("a", .asExpected, evidence: [evidence])]).contains("  a  \(words)\n"))
    }

    @Test func `a search of which no execution has ended is undecided, with how many and after how many steps`() {
        let evidence = Evidence(
            .controlled, runs: 77, .part(.steps), ended: 0, cut: Evidence.Cut(executions: 77, steps: 100_000))
        let flaw = CheckedScenario.Flaw(.nothingSeen(in: evidence), command: "look")
        let scenario = CheckedScenario("a", .undecided([flaw]), expectation: "completes", evidence: [evidence])
        let text = end([scenario])
        #expect(text.hasPrefix("OPEN     0.00 s  a  undecided: none of 77 executions ended within 100,000 steps\n"))
        #expect(text.hasSuffix("\n1 undecided (2.0 s)\n") || text.contains("\n0 passed, 1 undecided (2.0 s)\n"))
    }

    @Test func `a search of which some executions have not ended says how many of how many`() {
        let evidence = Evidence(
            .controlled, runs: 213, .part(.steps), ended: 128, cut: Evidence.Cut(executions: 85, steps: 100_000))
        #expect(
            end([CheckedScenario("a", .asExpected, evidence: [evidence])]).contains(
                "  a  no finding in 213 executions (no proof: 85 of 213 executions did not end within 100,000 steps)\n")
        )
    }

    @Test(
        arguments: [
            (7, "expected: race, but none of 7 orders ends that way"),
            (1, "expected: race, but the only order ends differently"),
        ])
    func `the text blames a search that has tried all for what it has not seen`(traces: Int, words: String) {
        let evidence = Evidence(.controlled, runs: 9, .all(Explored(.traces, traces), Premises()))
        let flaw = CheckedScenario.Flaw(.outcomeNotSeen(.race, in: evidence), command: "c")
        #expect(
            end([CheckedScenario("a", .mismatched([flaw]))]).contains(
                "\nFAIL a\n  \(words), under any memory model\n    c\n"))
    }

    private func brief(_ scenarios: [CheckedScenario], width: Int = 80) -> [Substring] {
        let report = CheckTextReport(names: scenarios.map(\.name), ReportOptions(width: width), form: .brief)
        return ByteSink.collect { for scenario in scenarios { report.write(scenario, to: &$0) } }.split(separator: "\n")
    }

    @Test func `the text is brief on a terminal: without the folder of all, and without the suffix`() {
        let passed = CheckedScenario(
            "scenarios/classics/santa.lab", .asExpected, evidence: [CheckSamples.proof], duration: 20_000_000)
        var failed = CheckSamples.failed
        failed.trace = "traces/a.trace"
        var found = failed
        found.name = "scenarios/x.lab"
        found.verdict = .asExpected
        var remembered = passed
        remembered.isRemembered = true
        #expect(
            brief([passed, remembered, found, failed, CheckSamples.wrong]) == [
                "PASS  0.02s  classics/santa  proved, 7 orders, any model",
                "PASS  0.02s  classics/santa  proved, 7 orders, any model (remembered)",
                "PASS  0.03s  x               deadlock found, no proof",
                "FAIL  0.03s  a",
                "             expected: may end in race; found: deadlock, no race, no 'x == 1 &&",
                "             y < 2'; trace: traces/a.trace",
                "WRONG 0.00s  b               scenarios/b.lab:3:14: error: no 'lokc'",
            ])
    }

    @Test(arguments: [40, 60, 80, 200])
    func `the text fits any width from 40, whatever the names are`(width: Int) {
        let long = CheckedScenario(
            String(repeating: "long-folder/", count: 9) + "name.lab", .asExpected, evidence: [CheckSamples.search])
        let lines = brief([long] + CheckSamples.all, width: width)
        #expect(lines.allSatisfy { $0.count <= width } && lines.count >= 6)
    }

    @Test func `the text marks known failures, and says why one that is listed in vain fails`() {
        var known = CheckSamples.failed
        known.isKnown = true
        let stale = CheckedScenario("d", .stale("listed in k, but passes: remove it there"))
        #expect(
            end([known, stale]) == """
                known    0.03 s  scenarios/a.lab  expected: may end in race; found: deadlock, no race, no 'x == 1 && y < 2'
                FAIL     0.00 s  d                listed in k, but passes: remove it there

                0 passed, 1 known failure, 1 failed (2.0 s)

                """)
    }

    @Test func `the text says once what both runtimes found`() {
        let sighting = Evidence.Sighting(count: 1, outcome: Outcome(.deadlock, summary: "s"))
        let flaws = [CheckSamples.search, CheckSamples.native].map {
            CheckedScenario.Flaw(.notAllowed(sighting, in: $0), command: "c")
        }
        let text = end([CheckedScenario("a", .mismatched(flaws), expectation: "completes")])
        #expect(text.contains("  a  expected: completes; found: deadlock\n"))
    }

    @Test func `the text is only the totals if it is to be quiet`() {
        let report = CheckTextReport(names: ["a"], ReportOptions(), isQuiet: true)
        let text = ByteSink.collect {
            report.write(CheckSamples.passed, to: &$0)
            report.writeEnd([CheckSamples.passed], duration: 0, isInterrupted: false, to: &$0)
        }
        #expect(text == "1 passed (0.0 s)\n")
    }

    @Test func `the text says that it was interrupted`() {
        #expect(end([CheckSamples.notRun], isInterrupted: true) == "\ninterrupted: 0 passed, 1 not run (2.0 s)\n")
    }

    @Test func `the text is safe to show, and has colors only if they are wanted`() {
        let text = end(CheckSamples.all)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHazardous })
        #expect(end(CheckSamples.all, color: true).contains("\u{1B}[1;31mFAIL\u{1B}[0m"))
    }

    @Test func `the text fits its progress into the width`() {
        let report = CheckTextReport(names: [], ReportOptions(width: 30))
        #expect(report.progress(done: 3, of: 45, failed: 1, now: ["a/b", "c/d"]) == "3 of 45, 1 failed: a/b, c/d")
        let long = report.progress(done: 3, of: 45, failed: 0, now: [String(repeating: "long ", count: 20) + "\u{1B}"])
        #expect(long.count == 29 && long.hasSuffix("…"))
    }
}
