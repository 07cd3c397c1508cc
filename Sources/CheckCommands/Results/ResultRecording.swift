import Arguments
import Console
import Reports
import Supervision
import Text

/// Collects the results of a check, and writes them to the file of `--result`.
struct ResultRecording {
    private let file: NewFile
    private let subjects: [CheckReports.Subject]
    private var result: CheckResult
    /// The results by the numbers of the subjects. Nil: there is none yet.
    private var entries: [CheckResult.Entry?]

    /// Only this number of bytes of a file is hashed.
    private static let mostHashed = 1 << 31

    init(
        _ path: String, _ selection: CheckSelection, _ subjects: [CheckReports.Subject],
        _ arguments: TypedArguments<CheckOptions>, _ session: Session
    ) throws(Complaint) {
        file = try NewFile(at: path, for: "the result", orElse: "name a file")
        self.subjects = subjects
        result = CheckResult(
            settings: try Self.settings(arguments, session), shard: selection.shard, scope: selection.coverage,
            names: selection.units.map(\.name), parts: selection.parts, duration: 0, isInterrupted: false, entries: [])
        entries = Array(repeating: nil, count: subjects.count)
    }

    /// The options on which the result depends, with their values. For an option that names a file, the value contains
    /// a hash of the file's content, because the file can differ between machines.
    private static func settings(
        _ arguments: TypedArguments<CheckOptions>, _ session: Session
    ) throws(Complaint) -> [CheckResult.Setting] {
        let options = arguments.options
        func digest(_ path: String) throws(Complaint) -> String {
            FNV1a.word(try InputFile(path).content(upTo: mostHashed))
        }
        let balance = try arguments.balance.map { path throws(Complaint) in try digest(path) }
        let task = try arguments.against.map { path throws(Complaint) in
            session.files.text(path).map { "\(path) (\(FNV1a.word($0.bytes)))" } ?? path
        }
        let values: [(any OptionName, String?)] = [
            (options.native, arguments.native ? "given" : nil),
            (options.controlled, arguments.controlled ? "given" : nil),
            (options.runs, arguments.runs.map { String($0) }), (options.seed, String(arguments.seed)),
            (options.time, DurationText.write(arguments.time)),
            (options.totalTime, arguments.totalTime.map { DurationText.write($0) }),
            (options.memory, String(arguments.memory)),
            (options.model, arguments.model?.rawValue ?? "auto"),
            (options.spurious, arguments.spurious.map { String($0) }),
            (options.requireProof, arguments.requireProof ? "given" : nil),
            (options.against, task), (options.balance, balance),
        ]
        return [CheckResult.Setting(name: "the program", value: session.program)]
            + values.map { CheckResult.Setting(name: $0.0.spelling, value: $0.1 ?? "not given") }
    }

    /// Records the result of the subject with this number.
    mutating func note(_ number: Int, _ scenario: CheckedScenario, _ trace: [UInt8]) {
        let subject = subjects[number]
        entries[number] = CheckResult.Entry(
            unit: subject.unit, condition: subject.condition, scenario: scenario, trace: trace)
    }

    /// Writes the file. Scenarios without a result count as not run.
    ///
    /// - Parameter duration: the duration of the check, in nanoseconds.
    func write(duration: UInt64, isInterrupted: Bool) throws(Complaint) {
        var result = result
        result.duration = duration
        result.isInterrupted = isInterrupted
        result.entries = zip(subjects, entries).map { subject, entry in
            entry
                ?? CheckResult.Entry(
                    unit: subject.unit, condition: subject.condition, scenario: CheckedScenario(subject.name, .notRun),
                    trace: [])
        }
        try result.write(to: file)
    }
}
