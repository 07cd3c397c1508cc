import Arguments
import Console
import Exploration
import Glibc
import Supervision
import Text

/// `threadlab work TASK…`, `threadlab work --merge RESULT…`: searches tasks that `explore --divide` has written, or
/// joins the results of all tasks.
package enum WorkAction: Action {
    package struct Options: OptionGroup {
        let tasks: Listed<[String]>
        let output: Listed<String?>
        let time: Listed<UInt64?>
        let memory: Listed<Int?>
        let jobs: Listed<Int>
        let merge: Listed<Bool>
        let merged: ListedGroup<SearchMerge.Options>

        package init(_ list: inout OptionList) {
            tasks = list.oneOrMore(
                "TASK", .file,
                "Tasks of a search, as 'explore --divide N --to DIR' writes them; with --merge, the results of all of them"
            )
            output = list.file("output", "The result of a single task, by default beside it: 3.result of 3.task")
            time = list.duration(
                "time", in: 1_000_000...86_400_000_000_000,
                "Time limit for all of them; what is begun and not done then becomes new tasks. By default there is none"
            )
            memory = list.integer(
                "memory", in: 16...1_000_000, placeholder: "MIB",
                "Maximum memory of a search process, in mebibytes; what is not done then becomes new tasks. A search by states ends there"
            )
            jobs = list.integer("jobs", in: 1...256, default: 1, "Number of search processes")
            merge = list.flag("merge", "Search nothing: join the results of all tasks")
            merged = list.group()
            list.exclude([[merge, output], [merge, time], [merge, memory], [merge, jobs]])
        }
    }

    package static let command = TypedCommand<Options>(
        "work", "Search the tasks of a divided search, or join their results",
        discussion: """
            Searches what each task names, one task after the other, and writes a result for --merge. The same command can be given again at any \
            time: a search that was killed continues with what it had not done, from a file beside the result \
            (3.result.progress), and one that is complete does nothing.

            With a limit, the work ends in time: what is left becomes new tasks in the folder of the result (3.1.task, \
            3.2.task, …), into which large parts are divided further. Together with their results, this one is complete. \
            A search by states is not continued: what it has seen is its result. A task that is too large for its limits and cannot be divided \
            stays as it was. Tasks for which no time is left are not begun, nor those \
            of several that another 'work' is doing.

            --merge writes what 'explore' would have found: a finding with its shortest schedule, or a proof if all tasks \
            together are one. If results are missing, doubled or of another search, nothing is written.

            Several tasks in one command cost less than a command for each, if they are small.

            The exit code of --merge is that of the whole search. Otherwise it is 0 if the results are written, whatever was found; 1 if a task was not begun, or stays as it was; 2 if the command line or the task is wrong; \
            3 if threadlab itself failed; and, if interrupted, 128 plus the signal: what was done is kept.
            """,
        examples: [
            Example("explore santa --strategy random --runs 10000 --divide 2 --to tasks", "on one machine"),
            Example("work tasks/1.task", "on another one; the result is tasks/1.result"),
            Example("work tasks/2.task --time 10m --output two", "at most ten minutes; the result is the file two"),
            Example("work tasks/1.task tasks/2.task", "both; what is complete is not done again"),
            Example("work --merge tasks/1.result two", "what all have found"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let paths = arguments.tasks
        if arguments.merge { return try SearchMerge.run(paths, arguments.merged, session) }
        if let option = arguments.merged.given.first {
            throw Complaint("work: \(option.spelling) is for \(arguments.options.merge.spelling)")
        }
        if let output = arguments.output, paths.count > 1 {
            throw Complaint(
                "\(arguments.options.output.spelling) \(output.printable) is for one task, and there are \(paths.count)"
            )
        }
        // All tasks are read first, so that a wrong file is found before the work on the first task takes its time.
        for path in paths { _ = try SearchTask.file.read(path) as SearchTask }
        let deadline = arguments.time.map(session.deadline)
        EndingWatch.begin(session.program)
        var isWhole = true
        for (number, path) in paths.enumerated() {
            let code = try work(on: path, isFirst: number == 0, until: deadline, arguments, session)
            if code == .finding { isWhole = false } else if code != .expected { return code }
        }
        return isWhole ? .expected : .finding
    }

    /// Prints why no work was done on the task.
    private static func leave(_ path: String, because reason: String) throws -> ExitCode {
        try StandardOutput.write("\(path.printable): \(reason)\n")
        return .finding
    }

    /// Does the work on one task, as far as it is not done.
    ///
    /// - Parameter isFirst: whether it is the first task of the command line, which is begun even without time.
    /// - Returns: `finding` if the work was not begun, or neither ended within its limits nor left new tasks.
    private static func work(
        on path: String, isFirst: Bool, until deadline: Deadline?, _ arguments: TypedArguments<Options>,
        _ session: Session
    ) throws -> ExitCode {
        let task: SearchTask = try SearchTask.file.read(path)
        let desk = try WorkDesk(task, arguments.output ?? resultPath(of: path))
        if let obstacle = desk.obstacle {
            if arguments.tasks.count == 1 { throw obstacle }
            return try leave(path, because: obstacle.message)
        }
        let known = try desk.state()
        if let state = known.state, known.isComplete {
            try StandardOutput.write(summary(desk, state, isOld: true))
            return .expected
        }
        // Work without time would only write its pieces as new tasks. Earlier work that has decided on new tasks, but
        // was ended before it wrote the result, needs no time.
        if !isFirst, let deadline, deadline.isOver, known.state?.rest == nil {
            return try leave(path, because: "there was no time for it")
        }
        var plan = try task.search.plan(session, from: path)
        // A quarter of the range stands for no limit, so that sums with it do not overflow.
        plan.time = deadline.map { max(1, $0.left) } ?? .max / 4
        let memory = arguments.memory.map { $0 << 20 }
        if task.search.strategy == .states {
            // A search by states ends by itself when it reaches its memory limit.
            plan.settings.states.memory = memory ?? plan.settings.states.memory
        } else {
            plan.memory = memory
        }
        plan.jobs = arguments.jobs
        return try work(desk, plan, from: known.state ?? ShareState())
    }

    private static func resultPath(of task: String) -> String {
        let stem = task.hasSuffix(SearchTask.suffix) ? String(task.dropLast(SearchTask.suffix.count)) : task
        return stem + WorkResult.suffix
    }

    private static func work(_ desk: WorkDesk, _ plan: SearchPlan, from state: ShareState) throws -> ExitCode {
        let (state, end) = try ExploreAction.withProgress(plan) { watch in
            try ShareSearch.run(plan, desk.task.pieces, from: state, mayLeave: desk.task.mayLeave, watch: watch) {
                state throws(SupervisionFailed) in
                try desk.save(state)
            }
        }
        switch end {
        case .interrupted(let signal): return .interrupted(by: signal)
        case .kept:
            try StandardOutput.write(
                "task \(desk.task.name): not done within its limits, and divided no further: give it more --time or --memory\n"
            )
            return .finding
        case .closed:
            try desk.finish(state)
            try StandardOutput.write(summary(desk, state, isOld: false))
            return .expected
        }
    }

    private static func summary(_ desk: WorkDesk, _ state: ShareState, isOld: Bool) -> String {
        let found = Set(state.done.flatMap { $0.report.findings.map(\.kind.rawValue) }).sorted()
        let counts = state.done.reduce(into: SearchCounts()) { $0 += $1.report.counts }
        let effort =
            desk.task.search.strategy == .states
            ? SearchAssessment.count(counts.states, "state") : SearchAssessment.count(counts.executions, "execution")
        var text = "task \(desk.task.name): \(effort)"
        if !found.isEmpty { text += ", found: \(found.joined(separator: ", "))" }
        if state.discrepancy != nil { text += ", the program is not repeatable or not controllable" }
        text += isOld ? "; was complete" : ""
        let rest = desk.task.rest(state).map(\.fileName)
        if !rest.isEmpty {
            let names = rest.count == 1 ? rest[0] : "\(rest[0]) … \(rest[rest.count - 1])"
            text += "; what is left is \(SearchAssessment.count(rest.count, "new task")): \(names)"
        }
        return text + "\n"
    }
}

/// The files of the work on a task: the result, the progress, and the new tasks for what was not done. At any moment
/// they say how far the work has come, so that work that was killed can continue.
struct WorkDesk {
    let task: SearchTask
    private let result: NewFile
    /// Nil: the result exists already, so there is nothing to do, or another process is at work on the task.
    private let lock: FileLock?
    /// Why no work can be done now. Nil: it can.
    let obstacle: Complaint?

    /// - Throws: if the files cannot be written.
    init(_ task: SearchTask, _ path: String) throws(Complaint) {
        self.task = task
        result = try NewFile(at: path, for: "the result", orElse: "name a file")
        let isComplete = access(result.path, F_OK) == 0
        lock = isComplete ? nil : try FileLock("\(result.path).lock")
        obstacle =
            lock != nil || isComplete
            ? nil
            : Complaint(
                "another 'work' is under way whose result is \(path.printable): wait for its end")
    }

    private var progress: NewFile { NewFile(path: "\(result.path).progress") }

    /// The state of earlier work on the task (nil: there was none), and whether that work has written its result.
    func state() throws(Complaint) -> (state: ShareState?, isComplete: Bool) {
        if access(result.path, F_OK) == 0 { return (try read(result), true) }
        guard access(progress.path, F_OK) == 0 else { return (nil, false) }
        return (try read(progress), false)
    }

    private func read(_ file: NewFile) throws(Complaint) -> ShareState {
        let known: WorkResult = try WorkResult.file.read(file.path)
        guard known.task.name == task.name, known.task.pieces == task.pieces,
            known.task.search.difference(from: task.search) == nil
        else { throw Complaint("\(file.path.printable) is of another task: name another file for the result") }
        return known.state
    }

    /// Writes the progress.
    func save(_ state: ShareState) throws(SupervisionFailed) {
        let content = WorkResult(task: task, state: state).content
        do throws(Complaint) {
            try progress.write(isDurable: true) { $0.write(content) }
        } catch {
            throw SupervisionFailed(error.message)
        }
    }

    /// Writes the new tasks, and then the result, which names them. If this process is killed in between, the next
    /// `work` finds in the progress what is left, and writes the same files.
    func finish(_ state: ShareState) throws(Complaint) {
        let folder = result.path.placeOfPath ?? ""
        for rest in task.rest(state) {
            let content = rest.content
            try NewFile(path: folder + rest.fileName).write(isDurable: true) { $0.write(content) }
        }
        let content = WorkResult(task: task, state: state).content
        try result.write(isDurable: true) { $0.write(content) }
        unlink(progress.path)
        lock?.remove()
    }
}

/// Keeps two processes from doing the same work. The lock ends with its process, however the process ends.
final class FileLock {
    private let path: String
    private let descriptor: Int32

    /// Nil: another process has the lock.
    init?(_ path: String) throws(Complaint) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw Complaint(WriteRefused("write \(path.printable)", errno))
        }
        guard lockf(descriptor, F_TLOCK, 0) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    func remove() { unlink(path) }
}
