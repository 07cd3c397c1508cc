import Console
import Glibc
import Supervision
import Text

/// The output of a command that a lesson shows. The command is run for `learn --site`, whose pages show the output, and
/// for `learn lint`, which reports a command that does not work.
struct ToolOutput {
    let text: String
    /// What is wrong with the command, as a sentence without its full stop. Nil: nothing is.
    let problem: String?

    /// The limits for output on a page: longer output is cut off, and a command that takes longer is killed.
    private static let limits = ProgramOutput.Limits(bytes: 1 << 16, time: .seconds(60))

    /// Runs the tool without a terminal and without input.
    ///
    /// - Parameters:
    ///   - command: the command as the lesson shows it, with the tool's name.
    ///   - folder: the command's working directory.
    init(of command: String, in folder: String) throws(Complaint) {
        let words = [Self.executable, ProgramGate.Client.lessonMark] + command.shellWords.dropFirst()
        // The output is for a narrow page, whatever the user's terminal is.
        let kept = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL"].compactMap { (name: String) -> String? in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        let output: ProgramOutput
        do {
            output = try ProgramOutput(
                of: words, in: folder, environment: kept + ["COLUMNS=74", "NO_COLOR=1"], Self.limits)
        } catch {
            throw Complaint("cannot run a command: \(error.reason)", .failure)
        }
        text = output.text
        problem = Self.problem(output)
    }

    /// The problem of a command that failed. The exit code of a finding is not a problem, because a lesson may want to
    /// show one.
    private static func problem(_ output: ProgramOutput) -> String? {
        if output.end == .tooLong { return "the command takes longer than 60 seconds" }
        guard output.end.code > ExitCode.finding.rawValue else { return nil }
        let first = output.text.split(separator: "\n").first.map { ": \($0.printable)" } ?? ""
        return "the command ends with exit code \(output.end.code)\(first)"
    }

    private static var executable: String {
        guard let path = realpath("/proc/self/exe", nil) else { return "threadlab" }
        defer { free(path) }
        return String(cString: path)
    }
}
