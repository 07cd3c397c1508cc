import Console
import Course
import Glibc
import Supervision
import Text

/// `learn --site`: writes the course as pages. Also the temporary folder in which the commands that lessons show are
/// run.
extension Learner {
    func writeSite(_ path: String) throws -> ExitCode {
        guard access(path, F_OK) != 0 else {
            throw Complaint("\(path.printable) already exists: choose another name")
        }
        let pages = try inWorkshop { workshop in
            try CourseSite(self, workshop: workshop).pages { lesson in
                if session.terminal.isTerminal { StandardError.write("\(lesson.title)\n") }
            }
        }
        try NewFolder(path: path).create(pages)
        try StandardOutput.write(
            layout.wrap("\(path.printable) has \(pages.count) pages. Open \(path.printable)/index.html.")
                .map { $0 + "\n" }.joined())
        return .expected
    }

    /// Calls the body with the path of a temporary folder, which has a folder with the programs of each lesson. Then
    /// removes the temporary folder.
    func inWorkshop<Result>(_ body: (String) throws -> Result) throws -> Result {
        let parent = try TemporaryFolder.make("threadlab-learn")
        defer { parent.remove() }
        let folder = NewFolder(path: parent.path + "/course")
        let files = course.lessons.flatMap { lesson in
            course.files.paths.filter {
                $0.path(below: lesson.name)?.hasSlash == false && $0.hasSuffix(".lab")
            }
        }
        try folder.create(files.map { ($0, course.files.text(of: $0) ?? "") })
        return try body(folder.path)
    }
}
