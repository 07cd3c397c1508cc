import Glibc
import Reports
import Text
import Trace

/// The summary of a job of GitHub Actions: a file to which every step appends Markdown.
struct JobSummary {
    private static let variable = "GITHUB_STEP_SUMMARY"

    private let path: String

    /// Nil outside of GitHub Actions.
    init?() {
        guard let path = getenv(Self.variable).map({ String(cString: $0) }), !path.isEmpty else { return nil }
        self.path = path
    }

    /// The working directory, from the root of the job's repository, with its slash. Empty: it is the root, or elsewhere.
    static var folder: String {
        guard let root = getenv("GITHUB_WORKSPACE").map({ String(cString: $0) }), let path = getcwd(nil, 0) else {
            return ""
        }
        defer { free(path) }
        let folder = String(cString: path) + "/"
        return folder.hasPrefix(root + "/") ? String(folder.dropFirst(root.count + 1)) : ""
    }

    func append(_ scenarios: [CheckedScenario], isInterrupted: Bool) throws(Complaint) {
        let text = ByteSink.collect { GitHubReport().writeSummary(scenarios, isInterrupted: isInterrupted, to: &$0) }
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw complaint(errno) }
        defer { close(descriptor) }
        let failure = StandardOutput.write(Array(text.utf8), to: descriptor)
        if failure != 0 { throw complaint(failure) }
    }

    private func complaint(_ failure: Int32) -> Complaint {
        Complaint("cannot write \(Self.variable) '\(path.printable)': \(String(cString: strerror(failure)))", .failure)
    }
}
