import Text

/// The files of a course, from a folder or from the course that comes with threadlab.
package protocol CourseFiles: Sendable {
    /// The name of the folder in messages.
    var name: String { get }
    /// The sorted paths of all files, relative to the course's folder.
    var paths: [String] { get }
    /// The text of a file. Nil: there is no such file, or it cannot be read as a text.
    func text(of path: String) -> String?
    /// Why an existing file cannot be read, as a sentence without its full stop. Nil: the file does not exist.
    func refusal(of path: String) -> String?
}

extension CourseFiles {
    package func refusal(of path: String) -> String? {
        paths.contains(path) ? "it cannot be read as a text" : nil
    }

    /// The paths of the files directly in a folder.
    func files(in folder: String) -> [String] {
        paths.filter { $0.path(below: folder)?.hasSlash == false }
    }
}

/// A problem of a course, and its place.
package struct CourseProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file, relative to the course's folder.
    package let file: String
    /// The line, from 1. Nil: the whole file.
    package let line: Int?
    /// A sentence without its full stop.
    package let message: String
    /// Whether the file is an author's program for an exercise and has an error, so that the exercise cannot be judged.
    package let isWrongProgram: Bool

    package init(_ file: String, _ line: Int? = nil, _ message: String, isWrongProgram: Bool = false) {
        self.file = file
        self.line = line
        self.message = message
        self.isWrongProgram = isWrongProgram
    }

    package var description: String { text }

    package var text: String { "\(file.printable)\(line.map { ":\($0)" } ?? ""): \(message.printable)" }
}

/// The limits of a course's files, which may come from untrusted authors.
enum CourseLimits {
    /// Bytes of a file: 256 KiB.
    static let fileBytes = 1 << 18
    static let lineBytes = 4_000
    static let lessons = 100
    /// Exercises of a lesson.
    static let exercises = 30
    /// Options of a question.
    static let options = 12
}
