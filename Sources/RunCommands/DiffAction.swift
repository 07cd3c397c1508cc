import Arguments
import Authoring
import Console
import Machine
import Reports
import Supervision
import Text
import Trace

/// `threadlab diff A B`, `threadlab diff NAME --with VARIANT`: shows where two runs begin to differ. A and B are saved
/// traces, or programs that are run now.
package enum DiffAction: Action {
    package struct Options: OptionGroup {
        let first: Listed<String>
        let second, variant: Listed<String?>
        let seed: Listed<UInt64?>
        let schedule: Listed<String?>
        let model: Listed<MemoryModel?>
        let color: Listed<Terminal.ColorChoice>
        let rows: ListedGroup<RowOptions>

        package init(_ list: inout OptionList) {
            first = list.one("A", .scenarioOrFile, TraceSubject.help)
            second = list.oneOrNone(
                "B", .scenarioOrFile, "Another one; a scenario or program follows the schedule of A")
            variant = list.text(
                "with", placeholder: "VARIANT",
                "Compare with this variant of the same scenario, under the same schedule"
            )
            seed = list.seed("seed", "Seed of the run of A, by default 1, if it is a scenario")
            schedule = list.schedule("Schedule of the run of A, if it is a scenario")
            model = list.model(
                "Which writes a read of an atomic may see in the run of A, if it is a scenario, and so in that of B")
            color = list.color()
            rows = list.group()
            list.exclude([[seed, schedule]])
        }
    }

    package static let command = TypedCommand<Options>(
        "diff", "Compare two runs: where they begin to differ, and how each ends",
        discussion: """
            Two runs are compared step by step, by thread and by what it does, not by line or time. They are shown as \
            lanes around the first difference, side by side where there is room; --all shows every step. \
            A scenario or program is run under the scheduler. If B is one, it follows A's schedule as far as that fits, and then \
            continues by itself.

            The exit code is 0 if the runs are the same, 1 if they differ.
            """,
        takesScenarioOptions: true,
        onlyReads: true,
        formerOptions: ["against": .option("--with")],
        examples: [
            Example("diff deadlock --with ordered --schedule 0x2,2x2,1x3,2", "a deadlock and its fix"),
            Example("diff lost-update lost-update-fixed --seed 3", "two programs under one schedule"),
        ],
        scenarioExamples: [Example("diff NAME --with VARIANT --seed 1", "two of its variants")])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let here = try firstRun(arguments, session)
        let (there, remark) = try secondRun(arguments, session, after: here)
        var options = session.terminal.reportOptions(arguments.color)
        arguments.rows.apply(to: &options)
        if let remark { options.remarks.append(remark) }
        let report = DifferenceReport(
            here.trace, there.trace, titles: (title(here, arguments.first), title(there, arguments.second)), options)
        try StandardOutput.page(session.pager) { report.write(to: &$0) }
        return report.areSame ? .expected : .finding
    }

    /// The heading of a run: its program, parameters, runtime and rules, and the word that named it, if that differs.
    private static func title(_ subject: TraceSubject, _ word: String?) -> String {
        let header = subject.trace.header
        let parts =
            header.parameters.map { "\($0.name)=\($0.value)" } + [header.runtime.rawValue]
            + header.rules.map { $0.name == "model" ? "memory model \($0.value)" : "--\($0.name) \($0.value)" }
        let name = header.scenario + "  " + parts.joined(separator: ", ")
        return word.map { $0 == header.scenario ? name : "\($0): \(name)" } ?? name
    }

    /// The run of A.
    private static func firstRun(_ arguments: TypedArguments<Options>, _ session: Session) throws -> TraceSubject {
        let name = arguments.first
        guard TraceSubject.isScenario(name, in: session) else {
            if arguments.isGiven(\.seed) || arguments.isGiven(\.schedule) || arguments.isGiven(\.model) {
                throw Complaint("\(name.printable) is a saved run: omit --seed, --schedule and --model")
            }
            return try TraceSubject(file: name, in: session)
        }
        let scenario = try session.configured(name, arguments)
        try scenario.requireScheduler(for: "diff")
        guard let text = arguments.schedule else {
            return try TraceSubject(
                running: scenario, .controlled(seed: arguments.seed ?? 1), under: arguments.model)
        }
        let subject = try TraceSubject(
            running: scenario, .replay(try ScheduleText.read(text)), under: arguments.model)
        if let misfit = subject.misfit { throw Complaint("the schedule does not fit: \(misfit)") }
        return subject
    }

    /// The run of B, or of another variant of A.
    ///
    /// - Returns: the run, and a sentence on how far it follows the first one, if it does not follow it to the end.
    private static func secondRun(
        _ arguments: TypedArguments<Options>, _ session: Session, after here: TraceSubject
    ) throws -> (TraceSubject, String?) {
        if let name = arguments.second {
            if arguments.isGiven(\.variant) {
                throw Complaint("diff: give either B or \(arguments.options.variant.spelling)")
            }
            guard TraceSubject.isScenario(name, in: session) else {
                return (try TraceSubject(file: name, in: session), nil)
            }
            return try follow(try session.configured(name, arguments), here)
        }
        guard let variant = arguments.variant else {
            throw Complaint(
                "diff needs two runs: name another one, or a variant with \(arguments.options.variant.spelling)")
        }
        guard let scenario = here.scenario else {
            throw Complaint("diff: there is no scenario '\(here.trace.header.scenario.printable)' to run")
        }
        guard scenario.arguments.contains(where: { $0.name == NamedScenario.parameter }) else {
            throw Complaint("diff: \(scenario.name.printable) has no variants; name another program instead")
        }
        let values = scenario.arguments.map { ($0.name, $0.name == NamedScenario.parameter ? variant : $0.value) }
        return try follow(try session.configured(scenario.name, values), here)
    }

    /// Runs the scenario with the schedule of the first run. If the schedule does not fit, the scenario is run again
    /// with the part that fits, and continues by itself.
    private static func follow(_ scenario: any Runnable, _ here: TraceSubject) throws -> (TraceSubject, String?) {
        try scenario.requireScheduler(for: "diff")
        guard let schedule = here.trace.header.schedule else {
            throw Complaint("diff: a run on real threads has no schedule to follow; compare two saved traces")
        }
        let header = here.trace.header
        let subject = try TraceSubject(running: scenario, .replay(try ScheduleText.read(schedule)), as: header)
        guard subject.misfit != nil, let fitting = subject.trace.header.schedule else { return (subject, nil) }
        let prefix = try ScheduleText.read(fitting)
        let deviating = try TraceSubject(running: scenario, .replay(prefix), as: header)
        let count = prefix.choices.count
        return (
            deviating, "The second run follows the schedule of the first for \(count) choices; then it no longer fits."
        )
    }
}
