import Text

/// Reads a course's files. It collects all problems, so that an author sees them together.
package struct CourseReader {
    let files: any CourseFiles
    package private(set) var problems: [CourseProblem] = []

    /// The file with the course's title and its list of lessons.
    private static let page = "course.md"

    private init(_ files: any CourseFiles) { self.files = files }

    /// - Returns: the course, without the parts that have errors. Nil: no course could be read.
    package static func read(_ files: any CourseFiles) -> (course: Course?, problems: [CourseProblem]) {
        var reader = CourseReader(files)
        return (reader.course(), reader.problems)
    }

    /// Reads one exercise, and ignores the rest of the folder.
    ///
    /// - Parameter folder: the exercise's folder, relative to that of the files.
    package static func exercise(
        _ folder: String, in files: any CourseFiles
    ) throws(CourseProblem) -> Exercise {
        var reader = CourseReader(files)
        let parts = folder.namesOfPath.map(String.init)
        if let exercise = reader.exercise(parts.last ?? "", parts.dropLast().joined(separator: "/")) { return exercise }
        throw reader.problems.last ?? CourseProblem(folder, nil, "it cannot be read")
    }

    mutating func report(_ file: String, _ line: Int? = nil, _ message: String) {
        problems.append(CourseProblem(file, line, message))
    }

    /// The lines of a file. Nil: they cannot be read or are too long.
    mutating func lines(of path: String) -> [Substring]? {
        guard let text = text(of: path) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if let place = lines.firstIndex(where: { $0.utf8.count > CourseLimits.lineBytes }) {
            report(path, place + 1, "this line is longer than \(CourseLimits.lineBytes) bytes")
            return nil
        }
        return lines
    }

    /// The text of a file. Nil: it cannot be read, is too long, or has characters that a terminal must not get.
    mutating func text(of path: String) -> String? {
        guard let text = files.text(of: path)?.replacing("\r\n", with: "\n") else {
            report(path, nil, files.refusal(of: path) ?? "there is no such file")
            return nil
        }
        guard text.utf8.count <= CourseLimits.fileBytes else {
            report(path, nil, "it is longer than \(CourseLimits.fileBytes >> 10) KiB")
            return nil
        }
        // Every text that is shown of a course is read here, so it is harmless on a terminal.
        if let place = text.unicodeScalars.firstIndex(where: { $0.isHazardous && $0 != "\n" && $0 != "\t" }) {
            let line = text[..<place].utf8.count { $0 == UInt8(ascii: "\n") } + 1
            report(path, line, "it has a character that is not shown: \(String(text.unicodeScalars[place]).printable)")
            return nil
        }
        return text
    }

    // MARK: - The course's page

    private mutating func course() -> Course? {
        guard let lines = lines(of: Self.page) else { return nil }
        guard let head = PageHead(lines, fields: []) else {
            report(Self.page, 1, "it does not begin with a title: '# My course'")
            return nil
        }
        var introduction: [Substring] = []
        var lessons: [Lesson] = []
        var names: Set<String> = []
        for (index, line) in zip(lines.indices, lines).dropFirst(head.end) {
            guard let link = line.wholeMatch(of: /\d+\. +\[(.+)\]\((.+)\)/) else {
                if lessons.isEmpty { introduction.append(line) }
                continue
            }
            guard let folder = folder(of: String(link.2), index + 1), names.insert(folder).inserted else { continue }
            guard names.count <= CourseLimits.lessons else {
                report(Self.page, index + 1, "a course has at most \(CourseLimits.lessons) lessons")
                break
            }
            guard let lesson = lesson(folder) else { continue }
            if lesson.title != link.1 {
                report(Self.page, index + 1, "the lesson's own title is '\(lesson.title)'")
            }
            lessons.append(lesson)
        }
        if lessons.isEmpty && problems.isEmpty {
            report(Self.page, nil, "it lists no lessons: '1. [The first one](first/lesson.md)'")
        }
        return Course(
            title: String(head.title), introduction: introduction.joined(separator: "\n"), lessons: lessons,
            files: files)
    }

    /// The folder of the lesson to which a link leads.
    private mutating func folder(of link: String, _ line: Int) -> String? {
        guard let match = link.wholeMatch(of: /([a-z0-9][a-z0-9-]*)\/lesson\.md/) else {
            report(
                Self.page, line,
                "a lesson's link is 'FOLDER/lesson.md', with a folder of lower-case letters, digits and '-', which does not begin with '-'"
            )
            return nil
        }
        return String(match.1)
    }
}
