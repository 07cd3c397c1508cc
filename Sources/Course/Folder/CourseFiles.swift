import Text

/// The files of a course: those of a folder, or those that come with threadlab.
package protocol CourseFiles: Sendable {
    /// What messages call the folder.
    var name: String { get }
    /// The paths of all files, from the course's folder, in order.
    var paths: [String] { get }
    /// The text of a file. Nil: there is no such file, or it cannot be read as a text.
    func text(of path: String) -> String?
    /// Why a file that is there cannot be read, as a sentence without its full stop. Nil: it is not there.
    func refusal(of path: String) -> String?
}

extension CourseFiles {
    package func refusal(of path: String) -> String? {
        paths.contains(path) ? "it cannot be read as a text" : nil
    }

    /// The paths of the files in a folder, without those of its folders.
    func files(in folder: String) -> [String] {
        paths.filter { $0.path(below: folder)?.hasSlash == false }
    }
}

/// What is wrong with a course, and where.
package struct CourseProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// From the course's folder.
    package let file: String
    /// From 1. Nil: the whole file.
    package let line: Int?
    /// A sentence without its full stop.
    package let message: String
    /// Whether the file is a program of an exercise that has an error: then the exercise is no exercise.
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

/// The limits of a course's files: they may come from strangers.
enum CourseLimits {
    static let fileBytes = 1 << 18
    static let lineBytes = 4_000
    static let lessons = 100
    static let exercises = 30
    static let questions = 30
    static let options = 12
}
