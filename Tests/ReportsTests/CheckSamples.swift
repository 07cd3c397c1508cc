import Diagnosis
import Reports
import Trace

/// Results of a check, one for each verdict, and for names that could do harm.
enum CheckSamples {
    static let controlled = Evidence(
        .controlled, runs: 1000, of: 1000,
        sightings: [
            Evidence.Sighting(count: 688, outcome: Outcome(.completed, summary: "Nothing amiss."), seed: 1),
            Evidence.Sighting(
                count: 312,
                outcome: Outcome(
                    .deadlock, summary: "first and second wait for each other.", details: ["first holds a.", ""]),
                seed: 5),
        ], states: [3, 0])
    static let native = Evidence(
        .native, runs: 3, of: 3,
        sightings: [Evidence.Sighting(count: 3, outcome: Outcome(.completed, summary: "Nothing amiss."))],
        states: [0, 0])
    static let short = Evidence(
        .controlled, runs: 417, of: 1000,
        sightings: [Evidence.Sighting(count: 417, outcome: Outcome(.completed, summary: "Nothing amiss."), seed: 1)])

    static let passed = CheckedScenario(
        "deadlock/ordered", .asExpected, expectation: "completes", evidence: [short], duration: 1_234_567_890)

    static let failed = CheckedScenario(
        "scenarios/a.lab",
        .mismatched([
            CheckedScenario.Flaw(
                .notAllowed(controlled.sightings[1], in: controlled), command: "threadlab run scenarios/a.lab --seed 5"),
            CheckedScenario.Flaw(
                .outcomeNotSeen(.race, in: controlled),
                command: "threadlab run scenarios/a.lab --seed 1 --repeat 1000"),
            CheckedScenario.Flaw(
                .stateNotSeen("x == 1 && y < 2", in: controlled),
                command: "threadlab run scenarios/a.lab --seed 1 --repeat 1000"),
        ]), expectation: "may end in race", states: ["\"seen\"", "x == 1 && y < 2"], evidence: [controlled, native],
        duration: 31_000_000)

    static let wrong = CheckedScenario(
        "scenarios/b.lab", .wrong("scenarios/b.lab:3:14: error: no 'lokc'\n   3 | m.lokc()\n     |   ^"))
    static let error = CheckedScenario("c", .error("no process for the runs: out of memory"))
    static let notRun = CheckedScenario("d", .notRun)

    static let hostile = CheckedScenario(
        "evil \u{1B}[31m#\\\"<&>\u{0}\u{FFFE}\n'\u{202E}.lab", .wrong("]]> \u{1B}]0;title\u{7}\r\n--- ...\n# not ok"))

    static let all = [passed, failed, wrong, error, notRun, hostile]
}
