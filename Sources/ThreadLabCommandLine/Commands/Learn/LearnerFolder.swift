import Course
import Glibc
import Text

/// A learner's folder: exercises to work on, and a file that says what has been done.
struct LearnerFolder {
    /// Its path, as the user would type it.
    let path: String
    private(set) var progress: Progress

    static let file = ".threadlab-learn"

    /// The folder that the present folder is or is in. Nil: there is none.
    static func around() throws(Complaint) -> LearnerFolder? {
        var path = "."
        for _ in 0..<deepest {
            if access("\(path)/\(file)", F_OK) == 0 {
                let bytes = try InputFile("\(path)/\(file)").content(upTo: largest)
                return LearnerFolder(path: path, progress: Progress(String(decoding: bytes, as: UTF8.self)))
            }
            path = path == "." ? ".." : "../" + path
        }
        return nil
    }

    private static let deepest = 8
    private static let largest = 1 << 20

    func file(_ name: String) -> String { path == "." ? name : "\(path)/\(name)" }

    mutating func note(_ change: (inout Progress) -> Void) throws(Complaint) {
        var changed = progress
        change(&changed)
        guard changed != progress else { return }
        try NewFile(at: file(Self.file), for: "your progress", orElse: "work in a folder of your own").write {
            $0.write(changed.text)
        }
        progress = changed
    }
}

/// What a learner has done, as lines of a text that people can read and change.
struct Progress: Equatable {
    /// The course's folder. Nil: the course that comes with threadlab.
    var course: String?
    /// The folder of threadlab's sources, for exercises in Swift. Nil: it has not been named.
    var checkout: String?
    /// The lessons whose page has been read.
    private(set) var read: Set<String> = []
    /// The exercises that have been solved, by their paths.
    private(set) var solved: Set<String> = []
    /// By exercise: the number of hints that have been shown.
    private(set) var hints: [String: Int] = [:]

    private static let heading =
        "# Written by 'threadlab learn': what you have done in this folder. You can change it."

    init(course: String? = nil) { self.course = course }

    /// What it does not know is left out.
    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { continue }
            let rest = String(words[1])
            switch words[0] {
            case "course": course = rest
            case "checkout": checkout = rest
            case "read": read.insert(rest)
            case "solved": solved.insert(rest)
            case "hint": hints[rest, default: 0] += 1
            default: break
            }
        }
    }

    var text: String {
        var lines = [Self.heading]
        if let course { lines.append("course \(course)") }
        if let checkout { lines.append("checkout \(checkout)") }
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
