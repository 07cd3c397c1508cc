import Glibc
import Supervision
import Text

/// What a command of a lesson prints, and how it ends: for pages that show it, and for the linter of courses.
struct ToolOutput {
    let text: String
    /// Why no page should show it, as a sentence without its full stop. Nil: it is as it should be.
    let problem: String?

    /// Longer output is cut off: it is for a page. A command that takes longer is ended: a page waits for it.
    private static let limits = ProgramOutput.Limits(bytes: 1 << 16, time: .seconds(60))

    /// Runs the tool without a terminal and without input.
    ///
    /// - Parameters:
    ///   - command: as the lesson shows it, with the tool's name.
    ///   - folder: where it runs.
    init(of command: String, in folder: String) throws(Complaint) {
        let words = [Self.executable, LessonCommand.mark] + command.shellWords.dropFirst()
        // Output for a narrow page, whatever the terminal is.
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

    /// A finding is what a lesson may want to show; anything else is a mistake.
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
