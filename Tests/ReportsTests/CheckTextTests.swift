import Reports
import Testing
import Trace

@Suite("The check in text") struct CheckTextTests {
    private func end(_ scenarios: [CheckedScenario], isInterrupted: Bool = false, colour: Bool = false) -> String {
        let report = CheckTextReport(names: scenarios.map(\.name), ReportOptions(colour: colour))
        return ByteSink.collect {
            for scenario in scenarios { report.write(scenario, to: &$0) }
            report.writeEnd(scenarios, duration: 1_960_000_000, isInterrupted: isInterrupted, to: &$0)
        }
    }

    @Test("has a line a scenario, then what failed, then the sum")
    func whole() {
        let text = end([
            CheckSamples.passed, CheckSamples.failed, CheckSamples.wrong, CheckSamples.error, CheckSamples.notRun,
        ])
        #expect(
            text == """
                pass     1.23 s  deadlock/ordered  completed in 417 runs (no proof), then time ran out
                FAIL     0.03 s  scenarios/a.lab   not expected: deadlock, in 312 of 1,000 runs (and 2 more)
                WRONG    0.00 s  scenarios/b.lab   scenarios/b.lab:3:14: error: no 'lokc'
                ERROR    0.00 s  c                 no process for the runs: out of memory

                FAIL scenarios/a.lab may end in race
                  not expected: deadlock, in 312 of 1,000 runs
                    first and second wait for each other.
                    first holds a.

                    threadlab run scenarios/a.lab --seed 5
                  expected: race, not seen in 1,000 runs: no proof that it cannot happen
                    threadlab run scenarios/a.lab --seed 1 --repeat 1000
                  expected: 'x == 1 && y < 2', not seen in 1,000 runs: no proof that it cannot happen
                    threadlab run scenarios/a.lab --seed 1 --repeat 1000

                WRONG scenarios/b.lab
                  scenarios/b.lab:3:14: error: no 'lokc'
                     3 | m.lokc()
                       |   ^

                ERROR c
                  no process for the runs: out of memory

                1 passed, 1 failed, 1 wrong file, 1 that threadlab could not check, 1 not run (2.0 s)

                """)
    }

    @Test("says what both runtimes showed")
    func evidence() {
        var scenario = CheckSamples.failed
        scenario.verdict = .asExpected
        #expect(
            end([scenario]).contains(
                "deadlock in 312 of 1,000 runs; native: completed in 3 runs; 1 of 2 states seen\n"))
    }

    @Test("says that it was interrupted")
    func interrupted() {
        #expect(end([CheckSamples.notRun], isInterrupted: true) == "\ninterrupted: 0 passed, 1 not run (2.0 s)\n")
    }

    @Test("is safe to show, and has colours only if they are wanted")
    func safe() {
        let text = end(CheckSamples.all)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHazardous })
        #expect(end(CheckSamples.all, colour: true).contains("\u{1B}[1;31mFAIL\u{1B}[0m"))
    }

    @Test("fits its progress into the width")
    func progress() {
        let report = CheckTextReport(names: [], ReportOptions(width: 30))
        #expect(report.progress(done: 3, of: 45, failed: 1, now: ["a/b", "c/d"]) == "3 of 45, 1 failed: a/b, c/d")
        let long = report.progress(done: 3, of: 45, failed: 0, now: [String(repeating: "long ", count: 20) + "\u{1B}"])
        #expect(long.count == 29 && long.hasSuffix("…"))
    }
}
