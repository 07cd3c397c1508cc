import Arguments
import Authoring
import Console
import Exploration
import Glibc
import Machine
import Play
import PlayScreen
import Supervision
import Text
import Trace

/// `threadlab play NAME`, `threadlab play TRACE-FILE`: the user steps through a run, and chooses which thread takes
/// each step.
package enum PlayAction: Action {
    package struct Options: OptionGroup {
        let name: Listed<String>
        let against: Listed<String?>
        let plain, projector: Listed<Bool>
        let seed: Listed<UInt64?>
        let schedule: Listed<String?>
        let timeout, hintTime: Listed<UInt64>
        let rules: ListedGroup<RuleOptions>

        package init(_ list: inout OptionList) {
            name = list.one(
                "NAME-OR-TRACE", .scenarioOrFile, "The scenario or .lab file, or a saved trace")
            against = list.against()
            plain = list.flag(
                "plain", "Read commands as typed words from standard input, and answer in sentences")
            projector = list.flag(
                "projector", "Show less at once, in bold: for a terminal that many people look at")
            seed = list.seed("seed", "Begin with the run of this seed as the known run")
            schedule = list.schedule("Begin with this schedule as the known run, as printed by a run")
            timeout = list.duration(
                "timeout", in: 1_000_000...RunPlan.longestTimeout, default: DurationText.write(UsualTime.run),
                "Time limit of one run of the program; waiting for a processor does not count")
            hintTime = list.duration(
                "hint-time", in: 100_000_000...86_400_000_000_000, default: DurationText.write(UsualTime.hint),
                "Time limit for a hint")
            rules = list.group()
            list.exclude([[seed, schedule], [plain, projector]])
        }
    }

    package static let command = TypedCommand<Options>(
        "play", "Step through a run: choose each step, go back, ask why",
        discussion: """
            You are the scheduler: you choose which thread takes the next step. Shows the line of each thread, which \
            threads hold and wait for what, and the run so far. Goes back and forward, explains why a thread cannot \
            step, and searches for a choice that leads to a failure. 'help stepping' lists the keys and commands.

            A saved trace of a controlled run is the known run, which can be left at any step. A trace of a run on \
            real threads is played in the order in which it was recorded.

            With --plain, or if standard input or output is not a terminal, commands are typed words, one a line.
            """,
        takesScenarioOptions: true,
        examples: [
            Example("play deadlock", "choose the order in which two threads take two locks"),
            Example("play lost-update --projector", "the same in a class, with a large font"),
            Example("play failure.trace", "step through a saved run"),
        ],
        scenarioExamples: [Example("play NAME", "choose the order of its steps")])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        try session.files.judge(against: arguments.against)
        let play = try start(arguments, session)
        if let misfit = play.misfit { throw Complaint("the schedule does not fit: \(misfit.printable)") }
        return try lead(
            play, name: arguments.name, isPlain: arguments.plain, isProjected: arguments.projector, session
        ).code
    }

    /// Lets the user step: on a full screen or, if that is not wanted or not possible, in lines that are typed and
    /// answered. Also called by `learn`.
    ///
    /// - Returns: the exit code, and the schedules of the runs that were stepped through.
    package static func lead(
        _ play: PlaySession, name: String, isPlain: Bool, isProjected: Bool = false, _ session: Session
    ) throws -> (code: ExitCode, played: [Schedule]) {
        let isTerminal = isatty(STDIN_FILENO) == 1 && session.terminal.isTerminal
        if isTerminal && !isPlain && !Terminal.isDumb {
            var screen = PlayScreen(
                play, name: name, ascii: !session.terminal.drawsLines, color: session.terminal.usesColor(.auto),
                isProjected: isProjected)
            let ending = try screen.run()
            // After SIGHUP the terminal is gone, so there is nothing to print on.
            switch ending {
            case .quit: try PlainPlay.write(screen.farewell)
            case .signal(SIGHUP), .gone, .noScreen: break
            case .signal: try? PlainPlay.write(screen.farewell)
            }
            switch ending {
            case .quit, .gone: return (.expected, screen.session.playedSchedules)
            case .signal(let number): return (.interrupted(by: number), screen.session.playedSchedules)
            case .noScreen: break
            }
        }
        var conversation = PlainPlay(play, isTerminal: isTerminal)
        return (try conversation.run(), conversation.session.playedSchedules)
    }

    /// A session whose known run, which the user can follow or leave at any step, has this schedule.
    package static func playSession(
        _ plan: RunPlan, known: Schedule, hintTime: UInt64? = nil, _ session: Session
    ) throws -> PlaySession {
        var plan = plan
        plan.isSilent = true
        var program = PlayedProgram(plan, tool: session.program)
        if let hintTime { program.hintTime = hintTime }
        let source = SourceLines(plan.scenario, .ownRun)
        program.source = source.text
        program.lines = source.lines
        return try PlaySession(program, schedule: known)
    }

    private static func start(_ arguments: TypedArguments<Options>, _ session: Session) throws -> PlaySession {
        let name = arguments.name
        guard session.namesProgram(name) else {
            return try traced(name, arguments, session)
        }
        var scenario = try session.configured(name, arguments)
        try scenario.requireScheduler(for: "play")
        let rules = try arguments.rules.rules(for: &scenario)
        return try begin(scenario, rules, try known(scenario, rules, arguments), arguments, session)
    }

    /// The schedule of the known run: the given one, or that of the run with the seed.
    private static func known(
        _ scenario: any Runnable, _ rules: Rules, _ arguments: TypedArguments<Options>
    ) throws -> Schedule {
        if let text = arguments.schedule { return try ScheduleText.read(text) }
        guard let seed = arguments.seed else { return Schedule() }
        let timeout = arguments.isGiven(\.timeout) ? arguments.timeout : nil
        var plan = RunPlan(scenario, .controlled(seed: seed), timeout: timeout, rules: rules)
        plan.isSilent = true
        return try Supervisor.run(plan).trace.header.schedule.map(ScheduleText.read) ?? Schedule()
    }

    /// A session for a saved trace. If the trace has a schedule and its program is found, its run is the known run.
    /// Otherwise the recorded steps can only be viewed.
    private static func traced(
        _ path: String, _ arguments: TypedArguments<Options>, _ session: Session
    ) throws -> PlaySession {
        let options = arguments.options
        if let given = arguments.given.first(where: { $0.name == options.schedule.name || $0.name == options.seed.name }
        ) {
            throw Complaint("\(path.printable) already contains its schedule: omit \(given.spelling)")
        }
        let file = TraceFile(path)
        let saved = try file.readWhole()
        let scenario = try? session.program(of: saved.header)
        guard let text = saved.header.schedule, var scenario else {
            var program = PlayedProgram(nil, tool: session.program)
            program.file = path
            let source = SourceLines(scenario, .savedTrace)
            program.source = source.text
            program.lines = source.lines
            return PlaySession(program, recorded: file.shown(saved, session))
        }
        let rules = try arguments.rules.rules(of: saved.header, for: &scenario)
        return try begin(scenario, rules, try ScheduleText.read(text), arguments, session)
    }

    private static func begin(
        _ scenario: any Runnable, _ rules: Rules, _ known: Schedule, _ arguments: TypedArguments<Options>,
        _ session: Session
    ) throws -> PlaySession {
        let timeout = arguments.isGiven(\.timeout) ? arguments.timeout : nil
        return try playSession(
            RunPlan(scenario, .replay(known), timeout: timeout, rules: rules), known: known,
            hintTime: arguments.hintTime, session)
    }
}

/// `play` without a screen (`--plain`): each typed line is a command, and is answered in sentences. It is for scripts
/// and screen readers.
struct PlainPlay {
    package private(set) var session: PlaySession
    /// Whether a person types. Then there is a prompt.
    private let isTerminal: Bool

    init(_ session: PlaySession, isTerminal: Bool) {
        self.session = session
        self.isTerminal = isTerminal
    }

    mutating func run() throws -> ExitCode {
        try Self.write(["You choose each step. 'help' lists the commands.", session.readyLine] + session.endLines)
        while !session.isOver {
            if isTerminal { try StandardOutput.write("> ") }
            guard let line = TypedLine.read() else {
                if isTerminal { try StandardOutput.write("\n") }
                break
            }
            do {
                try Self.write(session.perform(line: line))
            } catch is PlayInterrupted {
                try Self.write(session.farewell.map(\.text))
                return .interrupted(by: SIGINT)
            }
        }
        try Self.write(session.farewell.map(\.text))
        return .expected
    }

    /// Prints the lines that are not empty.
    static func write(_ lines: [String]) throws(Complaint) {
        let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        if !text.isEmpty { try StandardOutput.write(text + "\n") }
    }
}
