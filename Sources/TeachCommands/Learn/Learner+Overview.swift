import Console
import Course
import Text

/// `learn`, `learn list`, `learn next` and `learn EXERCISE`: where the learner is, and what comes next.
extension Learner {
    /// How much is done, and the commands that continue. Without a learner's folder: what the course is about.
    func showPlace() throws -> ExitCode {
        var lines = layout.wrap(
            "\(course.title): \(course.lessons.count) lessons, \(course.exercises.count) exercises.")
        if folder != nil {
            lines += [""] + progressLines
        } else {
            lines +=
                [""]
                + MarkdownPage(course.introduction).text(width: session.textWidth).split(
                    separator: "\n", omittingEmptySubsequences: false
                ).dropLast().map(String.init)
            lines +=
                [""]
                + layout.columns([
                    (command("init my-course"), "makes a folder with the exercises"),
                    (command("1"), "shows the first lesson"),
                    (command("list"), "lists the lessons and exercises"),
                ])
        }
        try StandardOutput.write(lines.map { $0 + "\n" }.joined())
        return .expected
    }

    private var progressLines: [String] {
        let solved = course.exercises.count(where: isSolved)
        guard let present, let lesson = lesson(present.lesson) else {
            return layout.wrap("All \(solved) exercises are solved. Well done.")
        }
        let own = lesson.exercises.count(where: isSolved)
        return layout.wrap(
            "Solved: \(solved) of \(course.exercises.count). You are in lesson \(number(of: lesson)), '\(lesson.title)': "
                + "\(own) of its \(lesson.exercises.count) exercises are solved.")
            + [""]
            + layout.columns([
                (command("\(number(of: lesson))"), "the lesson"),
                (command("next"), "the next exercise: \(present.title)"),
                (checkCommand(of: present), "judges \(file(of: present))"),
                (command("hint"), "helps, a little more each time"),
            ])
    }

    /// Lists all lessons and exercises.
    func list() throws -> ExitCode {
        var rows: [(left: String, right: String)] = []
        for (index, lesson) in course.lessons.enumerated() {
            rows.append(("\(index + 1)  \(lesson.title)", "\(lesson.minutes) min  \(lesson.name)"))
            for (place, exercise) in lesson.exercises.enumerated() {
                let mark = folder == nil ? "" : isSolved(exercise) ? "* " : "- "
                rows.append(
                    (
                        "   \(mark)\(index + 1).\(place + 1) \(exercise.title)",
                        "\(exercise.minutes) min  \(exercise.name) (\(exercise.kind.rawValue))"
                    ))
            }
        }
        let lines = layout.columns(rows)
        let legend = folder == nil ? [] : ["", "* is solved, - is not."]
        try StandardOutput.page(session.pager, (lines + legend).map { $0 + "\n" }.joined())
        return .expected
    }

    /// Shows the lesson of the present exercise or, if that has been read, the exercise.
    func showNext() throws -> ExitCode {
        let folder = try requireFolder()
        guard let present, let lesson = lesson(present.lesson) else { return try showPlace() }
        if !folder.progress.read.contains(lesson.name) { return try show(lesson, withAnswers: false) }
        return try show(present)
    }

    /// Shows what an exercise asks for.
    func show(_ exercise: Exercise) throws -> ExitCode {
        let kind = exercise.kind.rawValue
        var lines =
            layout.wrap("\(number(of: exercise)) \(exercise.title) (\(kind), \(exercise.minutes) minutes)") + [""]
        lines += MarkdownPage(exercise.text).text(width: session.textWidth).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast().map(String.init)
        lines.append("")
        if folder == nil {
            lines += layout.wrap("To work on it: '\(command("init my-course"))' makes a folder with all exercises.")
        } else {
            let change = exercise.kind == .break ? command("play \(exercise.name)") : "change \(file(of: exercise))"
            lines += layout.columns([
                (change, exercise.kind == .break ? "lets you choose each step" : ""),
                (checkCommand(of: exercise), "judges it"), (command("hint"), "helps"),
            ])
        }
        try StandardOutput.write(lines.map { $0 + "\n" }.joined())
        return .expected
    }

    /// Shows the lesson or the exercise that the word names.
    func show(_ word: String, withAnswers: Bool) throws -> ExitCode {
        switch try subject(word) {
        case .lesson(let lesson): return try show(lesson, withAnswers: withAnswers)
        case .exercise(let exercise): return try show(exercise)
        }
    }
}
