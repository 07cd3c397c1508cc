import Authoring
import Console
import Exploration
import Glibc
import Machine
import Supervision
import Text
import Trace

/// What defines a search that is divided among machines (`explore --divide`): the program, the rules, and the search's
/// options. All tasks and results contain it, so that `work --merge` can check that they are of the same search.
struct DividedSearch {
    /// The program, its parameters, and the rules of its runs, as a saved trace has them.
    var header: TraceHeader
    var maximumSteps: Int
    var strategy: StrategyChoice
    var seed: UInt64
    var depth: Int
    /// For a search by states: its settings, and the memory that it may use.
    var states: StateSettings
    /// The number of executions of a random strategy. `Int.max` for other strategies.
    var executions: Int
    /// `--keep-going`.
    var keepsGoing: Bool
    /// `--outcomes`.
    var countsTerminals: Bool
    /// The limits of `explore`, in nanoseconds.
    var time: UInt64
    var stepTime: UInt64
    /// A hash of threadlab's executable, for a scenario in Swift, whose code is in it and must be the same on all
    /// machines. Nil: the program has no code of its own.
    var executable: String?
    /// What one machine found before it divided the search.
    var before: UnitReport
    /// The number of tasks.
    var taskCount: Int
    /// A hash of all parts: the same options can divide a search differently, if the time for it was too short.
    var division: String

    /// What two tasks of one search share, as names and values for messages.
    var settings: [(name: String, value: String)] {
        [
            ("the program", header.scenario), ("the parameters", Self.text(header.parameters)),
            ("the rules", Self.text(header.rules)), ("--max-steps", "\(maximumSteps)"),
            ("--strategy", strategy.rawValue), ("--seed", "\(seed)"), ("--depth", "\(depth)"),
            ("--memory", "\(states.memory >> 20)"), ("--all-states", states.isReduced ? "not given" : "given"),
            ("--depth-first", states.isDepthFirst ? "given" : "not given"),
            ("--hash-compaction", states.isCompacted ? "given" : "not given"),
            ("--runs", executions == .max ? "not given" : "\(executions)"),
            ("--keep-going", keepsGoing ? "given" : "not given"),
            ("--outcomes", countsTerminals ? "given" : "not given"), ("--time", DurationText.write(time)),
            ("--step-time", DurationText.write(stepTime)), ("the executable", executable ?? "any"),
            ("the number of tasks", "\(taskCount)"), ("the division", division),
        ]
    }

    private static func text(_ parameters: [TraceHeader.Parameter]) -> String {
        parameters.isEmpty ? "none" : parameters.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }

    /// How another search differs, as the end of a sentence. Nil: it is the same search.
    func difference(from other: DividedSearch) -> String? {
        for (one, two) in zip(settings, other.settings) where one.value != two.value {
            return "\(one.name) \(one.value.printable) and \(two.value.printable)"
        }
        if header.program != other.header.program { return "the text of \(header.scenario.printable)" }
        return encoding == other.encoding ? nil : "what was seen before they were divided"
    }

    /// All properties as bytes.
    private var encoding: [UInt8] {
        var words = WordWriter()
        words.add(self)
        return words.bytes
    }
}

// MARK: - From a search, and back

extension DividedSearch {
    /// - Parameter plan: the plan of the whole search.
    init(_ plan: SearchPlan, before: UnitReport, taskCount: Int, _ pieces: [SearchPiece]) throws(Complaint) {
        header = RunPlan(plan.scenario, .controlled(seed: 0), rules: plan.rules).header
        header.seed = nil
        maximumSteps = plan.rules.maximumSteps
        strategy = plan.strategy ?? .dpor
        seed = plan.settings.seed
        depth = plan.settings.depth
        states = plan.settings.states
        executions = plan.executions
        keepsGoing = plan.goal.keepsGoing
        countsTerminals = plan.goal.countsTerminals
        time = plan.time
        stepTime = plan.stepTime
        executable = plan.scenario.runsOwnCode ? try Self.executable() : nil
        self.before = before
        self.taskCount = taskCount
        var words = WordWriter()
        words.add(pieces)
        division = FNV1a.word(words.bytes)
    }

    private static func executable() throws(Complaint) -> String {
        FNV1a.word(try InputFile("/proc/self/exe").content(upTo: mostHashed))
    }

    /// Only this number of bytes of an executable is hashed.
    private static let mostHashed = 1 << 31

    /// The plan of the whole search.
    ///
    /// - Parameter path: the path of a file that contains the search, for messages.
    func plan(_ session: Session, from path: String) throws(Complaint) -> SearchPlan {
        do throws(Complaint) {
            return try plan(session)
        } catch {
            throw Complaint("\(path.printable): \(error.message)", error.code)
        }
    }

    private func plan(_ session: Session) throws(Complaint) -> SearchPlan {
        if let executable, executable != (try Self.executable()) {
            throw Complaint(
                "the search is of \(header.scenario.printable) in another executable of \(session.program): its code may "
                    + "differ; use the same build on all machines")
        }
        var scenario = try session.program(of: header)
        try scenario.requireScheduler(for: "work")
        let rules = try header.rules(for: &scenario, maximumSteps: maximumSteps)
        var plan = SearchPlan(scenario)
        plan.strategy = strategy
        plan.rules = rules
        plan.settings.seed = seed
        plan.settings.depth = depth
        plan.settings.states = states
        plan.executions = executions
        plan.goal.keepsGoing = keepsGoing
        plan.goal.countsTerminals = countsTerminals
        plan.time = time
        plan.stepTime = stepTime
        plan.jobs = Processors.count
        return plan
    }
}

extension DividedSearch: Message {
    func write(to words: inout WordWriter) {
        words.add(header.scenario)
        words.add(parameters: header.parameters)
        words.add(parameters: header.rules)
        words.add(header.program)
        for number in [maximumSteps, depth, executions, states.memory] { words.add(number) }
        for isSet in [states.isReduced, states.exchanges, states.isDepthFirst, states.isCompacted] {
            words.add(isSet ? 1 : 0)
        }
        for number in [seed, time, stepTime] { words.add(Int(bitPattern: UInt(number))) }
        words.add(strategy.rawValue)
        words.add(keepsGoing ? 1 : 0)
        words.add(countsTerminals ? 1 : 0)
        words.add(executable) { $0.add($1) }
        words.add(before)
        words.add(taskCount)
        words.add(division)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        header = TraceHeader(scenario: try words.text(), runtime: .controlled)
        header.parameters = try words.parameters()
        header.rules = try words.parameters()
        header.program = try words.optional()
        maximumSteps = try words.count()
        depth = try words.count()
        executions = try words.word()
        states = StateSettings()
        states.memory = try words.count()
        states.isReduced = try words.word() != 0
        states.exchanges = try words.word() != 0
        states.isDepthFirst = try words.word() != 0
        states.isCompacted = try words.word() != 0
        seed = try words.unsigned()
        time = try words.time()
        stepTime = try words.time()
        strategy = try words.value()
        keepsGoing = try words.word() != 0
        countsTerminals = try words.word() != 0
        executable = try words.optional { words throws(DamagedMessage) in try words.text() }
        before = try words.message()
        taskCount = try words.count()
        division = try words.text()
        let limits = strategy.isRandom ? 1...Self.mostExecutions : Int.max...Int.max
        guard strategy.isDividedAmongMachines, limits.contains(executions), (1...Self.mostTasks).contains(taskCount),
            (1...Rules.mostSteps).contains(maximumSteps), Self.depths.contains(depth),
            Self.memory.contains(states.memory)
        else { throw DamagedMessage() }
    }

    static let mostTasks = 100_000
    /// The maximum number of executions of a random strategy: more than any search has time for.
    static let mostExecutions = 1 << 48
    // The limits that the options of `explore` have.
    private static let depths = 1...100
    private static let memory = 16 << 20...1_000_000 << 20
}

extension StrategyChoice {
    /// Whether a search with it can be divided into tasks.
    var isDividedAmongMachines: Bool {
        switch self {
        case .dpor, .graphs, .states, .random, .pct, .pos, .urw, .surw: true
        case .delay, .preempt, .dfs, .roundRobin: false
        }
    }
}

extension WordWriter {
    fileprivate mutating func add(parameters: [TraceHeader.Parameter]) {
        add(parameters) { words, parameter in
            words.add(parameter.name)
            words.add(parameter.value)
        }
    }
}

extension WordReader {
    fileprivate mutating func parameters() throws(DamagedMessage) -> [TraceHeader.Parameter] {
        try list { words throws(DamagedMessage) in
            TraceHeader.Parameter(name: try words.text(), value: try words.text())
        }
    }

    fileprivate mutating func unsigned() throws(DamagedMessage) -> UInt64 { UInt64(UInt(bitPattern: try word())) }
}

/// The first word of a program in a message, which says how the program is given.
private enum ProgramForm {
    static let text = 0
    static let compiled = 1
}

extension TraceHeader.Program: Message {
    package func write(to words: inout WordWriter) {
        switch self {
        case .text(let text):
            words.add(ProgramForm.text)
            words.add(text)
        case .compiled(let build):
            words.add(ProgramForm.compiled)
            words.add(build.package)
            words.add(build.version)
            words.add(build.digest) { $0.add($1) }
        }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.word() {
        case ProgramForm.text: self = .text(try words.text())
        case ProgramForm.compiled:
            self = .compiled(
                TraceHeader.Build(
                    package: try words.text(), version: try words.text(),
                    digest: try words.optional { words throws(DamagedMessage) in try words.text() }))
        default: throw DamagedMessage()
        }
    }
}
