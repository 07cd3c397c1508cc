import Console
import Course
import Glibc
import Text

/// `learn --watch`: judges the present exercise each time that its file is saved, and continues with the next one when
/// it is solved.
extension Learner {
    /// Ends when all exercises are solved, or the one that the word names. A user can end it with Ctrl-C.
    func watch(_ words: [String]) throws -> ExitCode {
        var learner = self
        _ = try requireFolder()
        guard words.count <= 1 else { throw Complaint("learn --watch: name at most one exercise") }
        while let exercise = try words.first.map({ try learner.exercise($0) }) ?? learner.present {
            let path = learner.file(of: exercise)
            // Throws before the watch begins if `--swift` or threadlab's sources are needed and missing.
            _ = try learner.bench(for: exercise)
            try learner.begin(exercise)
            var seen: FileVersion?
            while true {
                let version = FileVersion(path)
                if version != seen {
                    seen = version
                    if version != nil, try learner.judgeSaved(exercise, path) { break }
                }
                // Notifications of changes are not used, because network file systems send none.
                usleep(Self.interval)
            }
            learner.folder = try LearnerFolder.around()
            if !words.isEmpty { return .expected }
        }
        try StandardOutput.write("All exercises are solved. Well done.\n")
        return .expected
    }

    /// The time after which the file's version is read again, in microseconds.
    private static let interval: UInt32 = 50_000

    /// Shows the exercise.
    private func begin(_ exercise: Exercise) throws {
        if session.terminal.isTerminal { try StandardOutput.write(Self.clear) }
        _ = try show(exercise)
        try StandardOutput.write("\nWatching \(file(of: exercise).printable). Ctrl-C ends it.\n")
    }

    /// - Returns: whether the exercise is solved.
    private func judgeSaved(_ exercise: Exercise, _ path: String) throws -> Bool {
        do {
            return try check(exercise.name) == .expected
        } catch let complaint as Complaint where complaint.code == .usage {
            // For example, the file cannot be read now. The watch continues, because the learner can correct that.
            _ = session.complain(complaint.message, complaint.code)
            return false
        }
    }

    /// The control sequence that clears a terminal.
    private static let clear = "\u{1B}[2J\u{1B}[H"
}
