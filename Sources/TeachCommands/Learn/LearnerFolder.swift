import Console
import Course
import Glibc
import Text

/// A learner's folder: exercises to work on, and a file with the learner's progress.
struct LearnerFolder {
    /// The folder's path, as the user would type it.
    let path: String
    private(set) var progress: Progress

    /// The name of the file with the progress.
    static let file = ".threadlab-learn"

    private static let notes = SettingsFile.Kind(
        name: file, noun: "a file of notes", endsAtRepository: false, mostFolders: 8,
        advice: "work in a folder of your own")

    /// The learner's folder that is the working directory or the nearest one around it. Nil: there is none.
    static func around() throws(Complaint) -> LearnerFolder? {
        guard let found = try SettingsFile(nearest: Self.notes) else { return nil }
        let bytes = try InputFile(found.path).content(upTo: largest)
        return LearnerFolder(
            path: found.folder.isEmpty ? "." : String(found.folder.dropLast()),
            progress: try Progress(String(decoding: bytes, as: UTF8.self), of: found.path))
    }

    /// The maximum number of bytes that are read.
    private static let largest = 1 << 20

    /// The path of a file in the folder, as the user would type it.
    func file(_ name: String) -> String { path == "." ? name : "\(path)/\(name)" }

    /// A file of the folder that is to be written. The parameter `path` is a result of `file`.
    func newFile(_ path: String, for content: String) throws(Complaint) -> NewFile {
        try OutputFolder(self.path).file(at: path, for: content)
    }

    /// Changes the progress, and saves it.
    mutating func note(_ change: (inout Progress) -> Void) throws(Complaint) {
        var changed = progress
        change(&changed)
        guard changed != progress else { return }
        try newFile(file(Self.file), for: "your progress").write { $0.write(changed.text) }
        progress = changed
    }
}

/// A learner's progress, as lines of a text that people can read and change.
struct Progress: Equatable {
    /// The course's folder. Nil: the course that comes with threadlab.
    var course: String?
    /// The lessons whose page has been read.
    package private(set) var read: Set<String> = []
    /// The exercises that have been solved, by their paths.
    private(set) var solved: Set<String> = []
    /// By exercise: the number of hints that have been shown.
    private(set) var hints: [String: Int] = [:]

    private static let heading =
        "# Written by 'threadlab learn': what you have done in this folder. You can change it."

    init(course: String? = nil) { self.course = course }

    /// Reads the text of the file. Unknown lines are ignored.
    ///
    /// - Parameter path: the file's path, for messages.
    /// - Throws: if there is a line `checkout`, which would name code to build: the file may be a stranger's.
    init(_ text: String, of path: String) throws(Complaint) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { continue }
            let rest = String(words[1])
            switch words[0] {
            case "course": course = rest
            case "checkout":
                throw Complaint(
                    "\(path.printable):\(number + 1): a file of notes names no checkout, which is code: remove the line, and give --checkout"
                )
            case "read": read.insert(rest)
            case "solved": solved.insert(rest)
            case "hint": hints[rest, default: 0] += 1
            default: break
            }
        }
    }

    /// The text of the file.
    var text: String {
        var lines = [Self.heading]
        if let course { lines.append("course \(course)") }
        lines += read.sorted().map { "read \($0)" } + solved.sorted().map { "solved \($0)" }
        for (exercise, count) in hints.sorted(by: { $0.key < $1.key }) {
            lines += repeatElement("hint \(exercise)", count: count)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    mutating func noteRead(_ lesson: String) { read.insert(lesson) }
    mutating func noteSolved(_ exercise: Exercise, _ isSolved: Bool) {
        if isSolved { solved.insert(exercise.path) } else { solved.remove(exercise.path) }
    }
    mutating func noteHint(_ exercise: Exercise) { hints[exercise.path, default: 0] += 1 }

    mutating func forget(_ exercise: Exercise) {
        solved.remove(exercise.path)
        hints[exercise.path] = nil
    }
}
