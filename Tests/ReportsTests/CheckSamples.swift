import Diagnosis
import Reports
import Trace

/// Results of a check, one for each verdict, and for names that could do harm.
enum CheckSamples {
    static let search = Evidence(
        .controlled, runs: 12_000, .part(.time),
        sightings: [
            Evidence.Sighting(
                count: 2,
                outcome: Outcome(
                    .deadlock, summary: "first and second wait for each other.", details: ["first holds a.", ""]),
                first: Evidence.Execution(number: 5, schedule: "0x2,1x2,2x3,1"))
        ], seenStates: [0])
    static let native = Evidence(
        .native, runs: 3, .part(.runs),
        sightings: [Evidence.Sighting(count: 3, outcome: Outcome(.completed, summary: "Nothing amiss."))])
    static let watched = Evidence(
        .controlled, runs: 7, .all(Explored(.traces, 7), Premises()), examined: 100,
        warnings: [Evidence.Warning(.starvation, count: 3, first: Evidence.Execution(number: 5, schedule: "0x2,1"))])
    static let proof = Evidence(.controlled, runs: 7, .all(Explored(.traces, 7), Premises()))

    static let passed = CheckedScenario(
        "deadlock/ordered", .asExpected, expectation: "completes", evidence: [proof], duration: 1_234_567_890)

    static let failed = CheckedScenario(
        "scenarios/a.lab",
        .mismatched([
            CheckedScenario.Flaw(
                .notAllowed(search.sightings[0], in: search),
                command: "threadlab replay scenarios/a.lab --schedule 0x2,1x2,2x3,1"),
            CheckedScenario.Flaw(
                .outcomeNotSeen(.race, in: search), command: "threadlab explore scenarios/a.lab --keep-going"),
            CheckedScenario.Flaw(
                .stateNotSeen("x == 1 && y < 2", in: search),
                command: "threadlab explore scenarios/a.lab --keep-going"),
        ]), expectation: "may end in race", states: ["\"seen\"", "x == 1 && y < 2"], evidence: [search, native],
        duration: 31_000_000)

    static let wrong = CheckedScenario(
        "scenarios/b.lab", .wrong("scenarios/b.lab:3:14: error: no 'lokc'\n   3 | m.lokc()\n     |   ^"))
    static let error = CheckedScenario("c", .error("cannot start a process for the runs: out of memory"))
    static let notRun = CheckedScenario("d", .notRun)

    static let hostile = CheckedScenario(
        "evil \u{1B}[31m#\\\"<&>\u{0}\u{FFFE}\n'\u{202E}.lab", .wrong("]]> \u{1B}]0;title\u{7}\r\n--- ...\n# not ok"))

    static let all = [passed, failed, wrong, error, notRun, hostile]
}
