import Course

/// A course that is written in a test.
struct MemoryCourse: CourseFiles {
    let name = "a course"
    var texts: [String: String]

    var paths: [String] { texts.keys.sorted() }
    func text(of path: String) -> String? { texts[path] }

    /// One lesson with a program, and what is added.
    static func lesson(_ text: String, program: String = Self.lostUpdate, adding files: [String: String] = [:]) -> Self
    {
        var texts = [
            "course.md": "# A course\n\nAbout threads.\n\n1. [Two threads](two-threads/lesson.md)\n",
            "two-threads/lesson.md": "# Two threads\nMinutes: 10\n\n" + text, "two-threads/program.lab": program,
        ]
        for (path, text) in files { texts["two-threads/" + path] = text }
        return Self(texts: texts)
    }

    static let lostUpdate = """
        scenario "lost update"
        shared count = 0
        thread adder[2] {
            let seen = count
            count = seen + 1
        }
        finally { assert count == 2 }
        expect race, assertion
        """

    /// The course, if nothing is wrong with it.
    var read: Course? {
        let (course, problems) = CourseReader.read(self)
        return problems.isEmpty ? course : nil
    }

    /// What is wrong with it, a line each.
    var problems: [String] { CourseReader.read(self).problems.map(\.text) }
}
