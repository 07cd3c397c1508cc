import Arguments
import Authoring
import Console
import Glibc
import LabExecution
import LabSyntax
import Litmus
import Supervision
import Text
import Trace

/// `threadlab litmus NAME`: runs a small program on real threads, millions of times, and counts its outcomes, to show
/// what the processor's memory does.
package enum LitmusAction: Action {
    package struct Options: OptionGroup {
        let name: Listed<String>
        let rounds: Listed<Int>
        let time: Listed<UInt64>
        let threads: Listed<Placement>
        let format: Listed<OutputForm>
        let color: Listed<Terminal.ColorChoice>

        package init(_ list: inout OptionList) {
            name = list.one("NAME", .scenario, "A program from 'show', a .lab file, or - for standard input")
            rounds = list.integer(
                "rounds", in: 1...1_000_000_000_000, default: 1_000_000, "Number of rounds")
            time = list.duration(
                "time", in: 1_000_000...86_400_000_000_000, default: DurationText.write(UsualTime.measuring),
                "Time limit for the rounds; the same for the search for what a memory model allows")
            threads = list.choice(
                "threads",
                [
                    (Placement.pinned, "each thread keeps to a processor, of its own if there are enough"),
                    (.free, "the operating system decides"),
                ], default: .pinned, placeholder: "PLACEMENT", "Where threads run")
            format = list.outputForm()
            color = list.color()
        }
    }

    /// Where threads run.
    enum Placement: String { case pinned, free }

    package static let command = TypedCommand<Options>(
        "litmus", "Count the outcomes of millions of rounds on real threads",
        discussion: """
            Shows what the processor's memory does. All threads of a round start together and run the plain instructions of \
            the processor: a relaxed store is a single store, and nothing is recorded. An outcome consists of the values that \
            the program's claims name, or of all its values, at the end of a round. A table says how often each outcome \
            occurred, and which memory models allow it: sc (sequential consistency), tso (the store buffers of x86), \
            and rc11 (C++ and Swift).

            Only programs in .lab files can be run in this way, with atomics, shared cells, plain mutexes, loops and \
            'await'; parameters have their defaults. Claims are not judged: 'check' does that. A round in which threads wait forever is a deadlock; one in \
            which a loop takes longer than 50 ms is unfinished.

            The exit code is 3 if there is an outcome that the memory model of the processor forbids: then threadlab or the \
            machine has an error.
            """,
        examples: [
            Example("litmus store-buffering", "the outcomes of a million rounds"),
            Example("litmus store-buffering --rounds 100000 --threads free", "fewer rounds, and threads that move"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        let measured = Result { try measure(arguments, session, signals) }
        // Restored before the report, because a pager needs the signals, too.
        signals.restore()
        let (report, code): (LitmusReport, ExitCode)
        do {
            (report, code) = try measured.get()
        } catch let interruption as Interrupted {
            return session.complain("interrupted before the first round", .interrupted(by: interruption.signal))
        }
        if arguments.format == .json {
            try StandardOutput.write { report.writeJSON(to: &$0) }
        } else {
            let options = session.reportOptions(arguments.color)
            try StandardOutput.page(session.pager) { report.write(options, to: &$0) }
        }
        return code
    }

    /// Searches what each memory model allows, runs the rounds, and compares.
    private static func measure(
        _ arguments: TypedArguments<Options>, _ session: Session, _ signals: BlockedSignals
    ) throws -> (LitmusReport, ExitCode) {
        let test = try LitmusTest(try session.configured(arguments.name, arguments), session)
        // Searches fork, so they come before threads are started.
        let models = try ModelTable { try test.allowedOutcomes($0, time: arguments.time) }
        var plan = LitmusRun.Plan()
        plan.rounds = arguments.rounds
        plan.isPinned = arguments.threads == .pinned
        plan.seed = RecordingClock.nanoseconds()
        let run = try LitmusMeasurement(test.program, plan, time: arguments.time, signals)
        let report = LitmusReport(test.scenario.label, test.program, plan, run, models)
        if report.contradiction != nil { return (report, .failure) }
        return (report, run.signal.map { .interrupted(by: $0) } ?? .expected)
    }
}

/// Runs rounds of a program until all are done, the time is over, or a signal arrives.
struct LitmusMeasurement {
    let result: LitmusRun.Result
    private(set) var signal: Int32?
    private(set) var isOutOfTime = false

    /// - Parameters:
    ///   - time: the limit, in nanoseconds.
    ///   - signals: the signals that end the rounds.
    init(
        _ program: LitmusProgram, _ plan: LitmusRun.Plan, time: UInt64, _ signals: BlockedSignals
    ) throws(Complaint) {
        var line = StatusLine()
        defer { line.clear() }
        var signal: Int32?
        var isOutOfTime = false
        do throws(LitmusRun.Failed) {
            result = try LitmusRun.run(program, plan) { rounds in
                if signal != nil { return true }
                signal = signals.wait(nanoseconds: 0)
                isOutOfTime = line.elapsed >= time
                if line.isDue {
                    let left = Int((Double(time) - Double(line.elapsed)) / 1e9)
                    line.show("\(max(0, left)) s left, \(rounds.grouped) of \(plan.rounds.grouped) rounds")
                }
                return signal != nil || isOutOfTime
            }
        } catch {
            throw Complaint("the rounds cannot be run: \(error.reason)", .failure)
        }
        self.signal = signal
        self.isOutOfTime = isOutOfTime && result.histogram.rounds < plan.rounds
    }
}
