import Arguments
import Console
import Glibc
import Machine
import Reports
import Supervision
import Text

/// Checks compiled programs, and `.lab` files that run them. A compiled program shares its process with threadlab's
/// engine, so for each of them this command starts another `threadlab check --result FILE`, and reads its result.
struct ProgramChecks {
    /// The result of one such command.
    struct Done {
        /// The file's number in the check.
        let number: Int
        let scenario: CheckedScenario
        /// The trace of its failure, as it is saved.
        let trace: [UInt8]
    }

    /// A command that has not ended yet.
    private struct Running {
        let number: Int
        let file: CheckedFile
        let program: StartedProgram
        /// The path of the file to which the command writes its result.
        let result: String
        /// What the command has printed.
        var output: [UInt8] = []
        /// When the command is killed if it has not ended by itself.
        var end: ContinuousClock.Instant
    }

    /// The files, each with its number in the check.
    private let files: [(number: Int, file: CheckedFile)]
    private let plan: CheckPlan
    /// The maximum number of commands at a time.
    private let jobs: Int
    /// The memory model of `--model`. Nil: each program's own.
    private let model: MemoryModel?
    /// The folder of `--cache` for proofs.
    private let cache: String?
    /// The number of bytes that are kept of a command's output.
    private static let mostOutput = 1 << 16
    /// A command that has not ended by itself is killed when this has passed after 1.1 times its time.
    private static let grace = Duration.milliseconds(900)
    /// What a command's time includes besides its `--time`, in nanoseconds: its start and its end, which it does not
    /// measure. If its time is short, this is only a quarter of it.
    private static let timeToBegin: UInt64 = 500_000_000
    /// The minimum `--time` of a command, in nanoseconds.
    private static let leastTime: UInt64 = 1_000_000

    init(
        _ files: [(number: Int, file: CheckedFile)], _ plan: CheckPlan, jobs: Int, model: MemoryModel?, cache: String?
    ) {
        self.cache = cache
        self.files = files
        self.plan = plan
        self.jobs = jobs
        self.model = model
    }

    /// Runs the commands, several at a time.
    ///
    /// - Parameter note: receives each result, and returns whether to continue.
    /// - Returns: the signal that interrupted the check, or nil.
    func run(_ note: (Done) throws -> Bool) throws -> Int32? {
        if files.isEmpty { return nil }
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP, SIGTSTP])
        defer { signals.restore() }
        let folder = try TemporaryFolder.make("threadlab")
        defer { folder.remove() }
        var waiting = files[...]
        let budget = TimeBudget(total: plan.totalTime, most: plan.time, jobs: jobs)
        var running: [Running] = []
        defer {
            for one in running {
                one.program.signal(SIGKILL)
                _ = one.program.wait()
            }
        }
        var continues = true
        while !running.isEmpty || continues && !waiting.isEmpty {
            while continues, running.count < jobs, let next = waiting.popFirst() {
                if budget.isOver() {
                    let scenario = withoutTime(next.file)
                    continues = try note(Done(number: next.number, scenario: scenario, trace: []))
                } else {
                    let time = budget.share(of: waiting.count + 1, isFirst: false)
                    running.append(try start(next.number, next.file, for: time, in: folder.path))
                }
            }
            if let signal = signals.wait(nanoseconds: 0) {
                if signal != SIGTSTP { return signal }
                let time = StartedProgram.stop(running.map(\.program))
                for index in running.indices { running[index].end += time }
            }
            for index in try awaitEnds(&running).reversed() {
                let one = running.remove(at: index)
                let done = finish(one)
                if try !note(done) { continues = false }
            }
        }
        return nil
    }

    /// The result for a file for which there was no time, or whose command was killed because its time was over.
    private func withoutTime(_ file: CheckedFile) -> CheckedScenario {
        let result = TrialResult.withoutTime
        let flaws = result.evidence.map {
            CheckedScenario.Flaw(.nothingSeen(in: $0), command: "check \(file.path.quotedAsPath)")
        }
        return CheckedScenario("", .undecided(flaws), evidence: result.evidence, duration: result.duration)
    }

    /// Starts the command for a file, which has this time, in nanoseconds.
    private func start(
        _ number: Int, _ file: CheckedFile, for time: UInt64, in folder: String
    ) throws(Complaint) -> Running {
        let result = "\(folder)/\(number)"
        do throws(ProgramNotStarted) {
            return Running(
                number: number, file: file,
                program: try StartedProgram(words(file, result, for: time), in: ".", keepsErrors: true),
                result: result, end: .now + .nanoseconds(Int64(time)) + .nanoseconds(Int64(time / 10)) + Self.grace)
        } catch {
            throw Complaint("cannot start threadlab again: \(error.reason)", .failure)
        }
    }

    /// The path of this executable, with links resolved: not `/proc/self/exe`, because the command calls the tool by
    /// the last name of its path.
    private static var tool: String {
        guard let path = realpath("/proc/self/exe", nil) else { return "/proc/self/exe" }
        defer { free(path) }
        return String(cString: path)
    }

    /// The words of the command.
    private func words(_ file: CheckedFile, _ result: String, for time: UInt64) -> [String] {
        let options = CheckAction.command.options
        func word(_ option: any OptionName, _ value: String) -> String { "\(option.spelling)=\(value)" }
        let own = max(Self.leastTime, time - min(time / 4, Self.timeToBegin))
        var words = [
            Self.tool, CheckAction.declaration.name, options.ignoresFile.spelling, options.controlled.spelling,
            word(options.jobs, "1"), word(options.seed, String(plan.seed)),
            word(options.time, DurationText.write(own)), word(options.model, model?.rawValue ?? "auto"),
            word(options.memory, String(plan.processMemory >> 20)),
            options.reports.content.quiet.spelling, word(options.reports.content.result, result),
        ]
        if plan.executions < .max { words.append(word(options.runs, String(plan.executions))) }
        if let spurious = plan.spurious { words.append(word(options.spurious, String(spurious))) }
        if let cache { words.append(word(options.cache, cache)) }
        if plan.needsProof { words.append(options.requireProof.spelling) }
        return words + ["--", file.path]
    }

    /// Waits at most 50 ms for output, reads it, and kills the commands whose time is over.
    ///
    /// - Returns: the positions of the commands that have ended.
    private func awaitEnds(_ running: inout [Running]) throws -> [Int] {
        var wanted = running.map { pollfd(fd: $0.program.output, events: Int16(POLLIN), revents: 0) }
        poll(&wanted, nfds_t(wanted.count), 50)
        for index in running.indices where ContinuousClock.now > running[index].end {
            running[index].program.signal(SIGKILL)
        }
        return wanted.indices.filter { index in
            running[index].program.receiveAll(into: &running[index].output, upTo: Self.mostOutput)
        }
    }

    /// The result of a command that has ended. If it has written none, the result says why.
    private func finish(_ one: Running) -> Done {
        let end = one.program.wait()
        defer { unlink(one.result) }
        guard let result = try? CheckResult(file: one.result), let entry = result.entries.first else {
            // The command was killed because its time was over, which says nothing about the program.
            if ContinuousClock.now > one.end, end == .signal(SIGKILL) {
                return Done(number: one.number, scenario: withoutTime(one.file), trace: [])
            }
            let said = String(decoding: one.output, as: UTF8.self).split(separator: "\n").last.map(String.init)
            let text = said ?? "its check \(end.words) without a word"
            return Done(
                number: one.number,
                scenario: CheckedScenario("", end.code == ExitCode.usage.rawValue ? .wrong(text) : .error(text)),
                trace: [])
        }
        return Done(number: one.number, scenario: entry.scenario, trace: entry.trace)
    }
}
