import Arguments
import Authoring
import Console
import Exploration
import Glibc
import Machine
import Supervision
import Text
import Trace

/// `threadlab replay NAME --schedule S`, `threadlab replay TRACE-FILE`: repeats a controlled run. A saved run on real
/// threads is repeated under the scheduler, which follows the order of its events.
package enum ReplayAction: Action {
    package struct Options: OptionGroup {
        let name: Listed<String>
        let against: Listed<String?>
        let schedule: Listed<String?>
        let timeout: Listed<UInt64>
        let rules: ListedGroup<RuleOptions>
        let trace: ListedGroup<TraceOutput.Options>

        package init(_ list: inout OptionList) {
            name = list.one("NAME-OR-TRACE", .scenarioOrFile, "The scenario, or a saved trace")
            schedule = list.schedule("The schedule that a run printed")
            timeout = list.duration(
                "timeout", in: 1_000_000...RunPlan.longestTimeout, default: DurationText.write(UsualTime.run),
                "Time limit of the run; more if the scenario's parameters take longer; waiting for a processor does not count"
            )
            against = list.against()
            trace = list.group()
            rules = list.group()
        }
    }

    package static let command = TypedCommand<Options>(
        "replay", "Repeat a controlled run exactly, step by step",
        discussion: """
            Takes a schedule that a run printed, or a saved trace, and makes the same choices again. Reports an error \
            if the scenario behaves differently this time.
            """,
        takesScenarioOptions: true,
        onlyReads: true,
        usual: [
            "schedule", "timeout", "format", "diagnose", "save", "html", "width", "all", "insides", "code", "color",
            "model",
            "max-steps",
        ],
        formerOptions: FormerExports.options(and: ["trace": .option("--save")]),
        examples: [
            Example("replay deadlock --schedule 0x2,2x2,1x3,2", "the run that took these steps"),
            Example("replay failure.trace", "the run that was saved"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        try session.files.judge(against: arguments.against)
        let name = arguments.name
        // Standard input contains a trace, unless a schedule is given.
        let isTrace = name == InputFile.standardInput && arguments.schedule == nil
        if session.namesProgram(name) && !isTrace {
            var scenario = try session.configured(name, arguments)
            guard let text = arguments.schedule else {
                throw Complaint("replay \(name): give the schedule with \(arguments.options.schedule.spelling)")
            }
            try scenario.requireScheduler(for: "replay")
            let rules = try arguments.rules.rules(for: &scenario)
            let plan = RunPlan(scenario, .replay(try ScheduleText.read(text)), rules: rules)
            return try perform(plan, arguments, session).code
        }
        return try replay(file: name, arguments, session)
    }

    /// Repeats a saved run, and compares the new events with the saved ones.
    private static func replay(
        file path: String, _ arguments: TypedArguments<Options>, _ session: Session
    ) throws -> ExitCode {
        if arguments.isGiven(\.schedule) {
            let spelling = arguments.options.schedule.spelling
            throw Complaint("\(path.printable) already contains its schedule: omit \(spelling)")
        }
        if let rule = arguments.rules.saved.given.first {
            throw Complaint("\(path.printable) already contains its rules: omit \(rule.spelling)")
        }
        let saved = try TraceFile(path, beginning: session.files.standardInput).readWhole()
        var scenario = try program(of: saved, session)
        if let remark = SavedProgram(saved.header, session).change {
            StandardError.write("\(session.program): \(remark.printable)\n")
        }
        try scenario.requireScheduler(for: "replay")
        let rules = try arguments.rules.rules(of: saved.header, for: &scenario)
        guard let schedule = saved.header.schedule else {
            return try follow(saved, path, scenario, rules, arguments, session)
        }
        let plan = RunPlan(scenario, .replay(try ScheduleText.read(schedule)), rules: rules)
        let isOnlyInTrace = path != InputFile.standardInput && SavedProgram(saved.header, session).isOnlyInTrace
        let (code, trace) = try perform(plan, arguments, session, saved: isOnlyInTrace ? path : nil)
        if let difference = firstDifference(saved, trace) {
            throw Complaint("the run differs from \(path.printable) at event \(difference)", .finding)
        }
        return code
    }

    /// The program of a saved run.
    private static func program(of saved: TraceDocument, _ session: Session) throws(Complaint) -> any Runnable {
        do throws(Complaint) {
            return try session.program(of: saved.header)
        } catch {
            throw SavedProgram(saved.header, session).complaint(error)
        }
    }

    /// Repeats, under the scheduler, a run that was recorded on real threads.
    private static func follow(
        _ saved: TraceDocument, _ path: String, _ scenario: any Runnable, _ rules: Rules,
        _ arguments: TypedArguments<Options>, _ session: Session
    ) throws -> ExitCode {
        guard saved.dropped == 0 else {
            throw Complaint("\(path.printable) lacks \(saved.dropped) events; only a complete trace can be followed")
        }
        let run = RecordedRun(saved)
        let plan = RunPlan(scenario, .follow(run), rules: run.rules(maximumSteps: rules.maximumSteps))
        let (code, trace) = try perform(plan, arguments, session)
        if let before = saved.outcome?.kind, let now = trace.outcome?.kind, now != before {
            throw Complaint(
                "\(path.printable) was followed, but ended as \(before.rawValue): something other than its steps made the difference",
                .finding)
        }
        return code
    }

    /// Makes the run, and saves and prints its trace.
    ///
    /// - Parameter saved: the path of the saved trace, if only that repeats the run. Nil: the program and the schedule
    ///   do.
    private static func perform(
        _ plan: RunPlan, _ arguments: TypedArguments<Options>, _ session: Session, saved: String? = nil
    ) throws -> (code: ExitCode, trace: TraceDocument) {
        var plan = plan
        if arguments.isGiven(\.timeout) { plan.timeout = arguments.timeout }
        var output = try TraceOutput(arguments.trace, session)
        output.savedTrace = saved
        let run = try output.supervise(plan)
        try output.show(run, of: plan.scenario)
        return (TraceOutput.code(run.trace, plan.scenario), run.trace)
    }

    /// The number of the first event that differs, from 1. If the run was stopped from outside, only the events before
    /// the stop are compared. Nil: no event differs, or one of the traces lacks events.
    private static func firstDifference(_ saved: TraceDocument, _ new: TraceDocument) -> Int? {
        if saved.dropped > 0 || new.dropped > 0 { return nil }
        let wasStopped = saved.events.last.map { stops.contains($0.kind) } ?? true
        // Events that only describe others are not compared: an older trace may lack them. Those of a weak memory model
        // are compared, because they say which write a read sees.
        let isCompared = { (number: Int, event: Event) in !event.kind.isAside || event.kind.isOfMemoryModel }
        let expected = (wasStopped ? saved.events.dropLast() : saved.events[...]).enumerated().filter(isCompared)
        let events = new.events.enumerated().filter(isCompared)
        let same = zip(expected, events).prefix { pair in
            let (one, other) = (pair.0.element, pair.1.element)
            return one.kind == other.kind && one.remark == other.remark && one.thread == other.thread
                && one.object == other.object && one.time == other.time
        }
        let count = same.count
        if count == expected.count && (wasStopped || count == events.count) { return nil }
        return (count < expected.count ? expected[count].offset : saved.events.count) + 1
    }

    /// The last events of runs that were stopped from outside, at a moment that no schedule determines.
    private static let stops: [EventKind] = [.runTimeout, .runInterrupted, .runKilled]
}
