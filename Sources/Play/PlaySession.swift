import Diagnosis
import Exploration
import Machine
import Reports
import Supervision
import Text
import Trace
import Views

/// A session of `play`: the user steps through a run forward and back, and chooses which thread takes the next step. It
/// takes commands and returns lines of text, and knows nothing of terminals.
///
/// The *known run* is the run as far as it has been executed; the position is a step in it. A choice at the end of a
/// paused run continues it. A choice other than that of the known run starts the program again, up to the position, and
/// then makes that choice (`Stepper`). Each run has a process of its own, because the program may crash. Processes are
/// forked, so this process must have one thread.
package struct PlaySession {
    let program: PlayedProgram
    /// Runs the program. Nil: the session plays a recorded order, which cannot be changed.
    let stepper: Stepper?
    /// The known run.
    var run: PlayedRun
    /// The words for its threads, objects and events.
    var words: EventWords
    /// The number of steps before the current place in the run.
    package internal(set) var position = 0
    /// The states of the known run's threads and objects.
    var model: RunModel
    /// The open question.
    var question: Question?
    /// In predict mode, the known run before the step that was taken to know the answer to the open question.
    var runBeforeQuestion: PlayedRun?
    /// The score of the predictions.
    var score = (right: 0, all: 0)
    /// The last run that was stepped to its end.
    var lastEnd: (schedule: Schedule, outcome: Outcome)?
    /// Whether predict mode is on: the user is asked about each step before it is shown.
    package internal(set) var predicts = false
    var bookmarks: [(name: String, schedule: Schedule, position: Int)] = []
    package private(set) var isOver = false

    /// Begins before the first step.
    package init(_ program: PlayedProgram, schedule: Schedule = Schedule()) throws {
        guard let plan = program.plan else { preconditionFailure("a session without a plan has a trace") }
        self.program = program
        let stepper = Stepper(plan)
        self.stepper = stepper
        run = PlayedRun(try stepper.step(StepPlan(schedule)))
        words = EventWords(run.trace)
        model = RunModel(run.trace)
        askIfQuiet()
    }

    /// Begins before the first event of a recorded order.
    package init(_ program: PlayedProgram, recorded: TraceDocument) {
        self.program = program
        stepper = nil
        run = PlayedRun(recorded: recorded)
        words = EventWords(recorded)
        model = RunModel(recorded)
    }

    /// Whether a question is open, so that numbers answer it.
    package var isAsked: Bool { question != nil }

    /// Whether the open question is about a step. The step is withdrawn if the user gives another command that moves.
    package var isAskedOfStep: Bool {
        switch question {
        case nil, .quiet: false
        case .way, .whichThread, .enabledThreads, .value, .outcome: true
        }
    }

    /// Why the program cannot follow the schedule with which the session began. Nil: it can.
    package var misfit: String? {
        run.trace.events.last.flatMap { $0.kind == .runDiverged ? run.trace.text(of: $0) : nil }
    }

    // MARK: - Commands

    /// Reads a typed line and executes it.
    ///
    /// - Returns: the answer, one paragraph per line.
    package mutating func perform(line: String) throws -> [String] {
        let command: PlayCommand?
        do throws(PlayCommand.ParseError) {
            command = try PlayCommand.read(line, isAsked: isAsked)
        } catch {
            return [error.message]
        }
        return try command.map { try perform($0) } ?? []
    }

    /// Executes a command. Returns the answer, one paragraph per line.
    package mutating func perform(_ command: PlayCommand) throws -> [String] {
        do {
            return try obey(command)
        } catch let failure as PlayFailure {
            return [failure.description]
        }
    }

    private mutating func obey(_ command: PlayCommand) throws -> [String] {
        switch command {
        case .answer(let numbers): return try answer(numbers)
        case .step(let name, let way): return try withThread(name) { try $0.step($1, way: way) }
        case .why(let name): return try withThread(name) { [$0.why($1)] }
        case .cancel: return isAskedOfStep ? withdrawQuestion() : ["There is no question."]
        case .quit:
            isOver = true
            return []
        case .schedule: return scheduleLines
        case .state: return stateLines
        case .source: return sourceLines
        case .lanes: return lanes()
        case .trace: return traceLines
        case .help: return Self.help
        case .bookmarks: return bookmarkLines
        case .forward(let count): return moving { $0.forward(count) }
        case .back(let count): return moving { $0.move(to: $0.position - count) }
        case .goTo(.position(let place)): return moving { $0.move(to: place) }
        case .goTo(.bookmark(let name)): return try moving { try $0.goTo(bookmark: name) }
        case .start: return moving { $0.move(to: 0) }
        case .end: return moving { $0.move(to: $0.run.last) }
        case .run(let strategy, let stop): return try moving { try $0.runOn(strategy, until: stop) }
        case .hint: return try moving { try $0.hint() }
        case .predict(let wish): return moving { $0.setPredict(wish ?? !$0.predicts) }
        case .bookmark(let name): return moving { $0.setBookmark(name) }
        }
    }

    /// Executes a command that moves. An open question is withdrawn first.
    private mutating func moving(_ command: (inout PlaySession) throws -> [String]) rethrows -> [String] {
        let withdrawn = isAskedOfStep ? withdrawQuestion() : []
        question = nil
        defer { askIfQuiet() }
        return withdrawn + (try command(&self))
    }

    /// Opens the question of a quiet moment, if the current position is one.
    mutating func askIfQuiet() {
        if question == nil, moment?.isQuiet == true { question = .quiet }
    }

    /// Calls the body with the number of a thread, which the user gives by number or name.
    private mutating func withThread(
        _ name: String, _ body: (inout PlaySession, Int) throws -> [String]
    ) throws -> [String] {
        let names = run.trace.threads.map(\.name)
        guard let thread = Int(name).flatMap({ threads.contains($0) ? $0 : nil }) ?? names.firstIndex(of: name),
            threads.contains(thread)
        else { return ["'\(name.printable)' is not a thread here. The threads: \(list(Array(threads)))."] }
        return try body(&self, thread)
    }

    // MARK: - The present

    /// What can happen at the current position. Nil: the run is over, or its order was recorded.
    var moment: Moment? { run.moment(at: position) }

    /// The number of events before the current position.
    package var eventCount: Int { run.events(before: position) }

    /// The trace up to the current position.
    package var trace: TraceDocument { trace(to: position) }

    func trace(to position: Int) -> TraceDocument {
        if run.isOver(at: position) { return run.trace }
        var trace = run.trace
        trace.events = Array(trace.events[..<run.events(before: position)])
        trace.outcome = nil
        return trace
    }

    /// The threads that exist at the current position, by number. For a recorded order: all threads of the trace.
    package var threads: Range<Int> {
        if let moment { return 0..<max(1, moment.threads.count) }
        return 0..<run.trace.threads.count
    }

    /// The number of steps up to the current position, and of all known steps.
    package var length: (now: Int, known: Int) { (position, run.last) }

    package func name(_ thread: Int) -> String { words.name(ThreadID(thread)) }

    func list(_ threads: [Int]) -> String { Names.list(threads.map { "\($0) \(name($0))" }) }
}

extension PlaySession {
    /// The answer to `help`.
    package static let help = [
        "N, step N        thread N takes its next step; by number or by name",
        "step N M         the same, if the step can go several ways: M is one of them",
        "forward [N]      N known steps forward, by default 1",
        "back [N]         N steps back, by default 1",
        "goto N|NAME      to step N, or to a bookmark",
        "start, end       to the first or the last known step",
        "run [random [SEED]] [until end|finding|line N|event NAME]",
        "                 the run continues by itself, by default until a finding",
        "why N            why thread N cannot step, or what it would do",
        "hint             which choice of now can lead to a failure",
        "predict [on|off] you are asked before each step is shown",
        "cancel           withdraws a question: no step is taken",
        "bookmark [NAME]  marks this step; 'bookmarks' lists the marks",
        "schedule         the choices so far, and the command that replays them",
        "state            threads and objects",
        "source           the line of each thread",
        "lanes, trace     the run so far, as a graph or as a list",
        "help, quit",
    ]
}

/// The program, run again, did not repeat what it did before, so a step could not be taken. The known run is unchanged.
struct PlayFailure: Error, CustomStringConvertible {
    let description: String

    init(_ misfit: String) { description = "The program did not repeat what it did before: \(misfit.printableText)." }
}

/// A signal ended the process of a run or a search: the user wants to leave.
package struct PlayInterrupted: Error {
    package init() {}
}
