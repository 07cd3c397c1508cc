import Course
import Glibc
import Text

/// `learn --watch`: the present exercise is judged each time that its file is saved.
extension Learner {
    /// Ends when all exercises are solved; a person ends it with Ctrl-C.
    func watch(_ words: [String]) throws -> ExitCode {
        var learner = self
        _ = try requireFolder()
        guard words.count <= 1 else { throw Complaint("learn --watch: name at most one exercise") }
        while let exercise = try words.first.map({ try learner.exercise($0) }) ?? learner.present {
            let path = learner.file(of: exercise)
            // What it would need is asked for before anything is watched.
            _ = try learner.bench(for: exercise)
            try learner.begin(exercise)
            var seen: FileVersion?
            while true {
                let version = FileVersion(path)
                if version != seen {
                    seen = version
                    if version != nil, try learner.judgeSaved(exercise, path) { break }
                }
                // Files on network shares send no notices, so it looks.
                usleep(Self.interval)
            }
            learner.folder = try LearnerFolder.around()
            if !words.isEmpty { return .expected }
        }
        try StandardOutput.write("All exercises are solved. Well done.\n")
        return .expected
    }

    /// In microseconds.
    private static let interval: UInt32 = 50_000

    private func begin(_ exercise: Exercise) throws {
        if session.terminal.isTerminal { try StandardOutput.write(Self.clear) }
        _ = try show(exercise)
        try StandardOutput.write("\nWatching \(file(of: exercise).printable). Ctrl-C ends it.\n")
    }

    /// - Returns: whether it is solved.
    private func judgeSaved(_ exercise: Exercise, _ path: String) throws -> Bool {
        do {
            return try check(exercise.name) == .expected
        } catch let complaint as Complaint where complaint.code == .usage {
            // A mistake in the file: the learner is about to correct it.
            _ = session.complain(complaint.message, complaint.code)
            return false
        }
    }

    private static let clear = "\u{1B}[2J\u{1B}[H"
}
