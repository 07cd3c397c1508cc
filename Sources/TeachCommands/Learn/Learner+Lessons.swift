import Arguments
import Console
import Course
import Glibc
import Text

/// The text of a lesson in a terminal, which stops at each question until the reader has answered it. If input or
/// output is not a terminal, the text has the questions without answers; with `--answers`, it has both.
extension Learner {
    func show(_ lesson: Lesson, withAnswers: Bool) throws -> ExitCode {
        let asks = !withAnswers && session.terminal.isTerminal && isatty(STDIN_FILENO) == 1
        let number = number(of: lesson)
        var text = layout.wrap("\(number) \(lesson.title.uppercased()) (\(lesson.minutes) minutes)").joined(
            separator: "\n")
        text += "\n"
        var questionNumber = 0
        var tally = QuizTally()
        for block in lesson.blocks {
            switch block {
            case .text(let markdown):
                text += "\n" + MarkdownPage(Lesson.withoutExercises(markdown)).text(width: session.textWidth)
            case .program(let program): text += "\n" + listing(of: program)
            case .run(let command, _):
                text +=
                    "\n" + (layout.wrap("Try:") + ["    " + typed(command, lesson).printable]).joined(separator: "\n")
                    + "\n"
            case .question(let question):
                questionNumber += 1
                let sheet = QuestionSheet(question, number: questionNumber, layout)
                text += "\n" + sheet.text
                guard asks || withAnswers else { continue }
                try StandardOutput.write(text)
                text = ""
                let guess = asks ? try sheet.ask() : nil
                try StandardOutput.write(
                    sheet.text(of: try answer(question, lesson), guess: guess, tally: &tally) {
                        typed(question.replay($0), lesson)
                    })
            }
        }
        text += "\n" + ending(of: lesson, tally, hasAnswers: asks || withAnswers)
        try StandardOutput.write(text)
        if var folder { try folder.note { $0.noteRead(lesson.name) } }
        return .expected
    }

    /// The answer to the question, which the explorer finds.
    func answer(_ question: Question, _ lesson: Lesson) throws(Complaint) -> Answer {
        do {
            return try question.answer()
        } catch {
            throw Complaint(
                "\(lesson.path):\(question.line): \(error.message)", codeOfCourseMistake)
        }
    }

    private func listing(of program: LessonProgram) -> String {
        let lines = program.code.split(separator: "\n", omittingEmptySubsequences: false)
        return "    \(program.file)\n\n" + lines.map { $0.isEmpty ? "\n" : "    \($0.printable)\n" }.joined()
    }

    /// The command, with the names of the lesson's programs replaced by paths that can be typed here.
    func typed(_ command: String, _ lesson: Lesson) -> String {
        var words = command.split(separator: " ").map(String.init)
        if words.first == "threadlab" { words[0] = session.program }
        return words.map { word in
            guard course.files.text(of: "\(lesson.name)/\(word)") != nil else { return word }
            return path(of: word, lesson).quotedForShell
        }.joined(separator: " ")
    }

    /// The path of a lesson's program: in the learner's folder, or else in the course's.
    private func path(of program: String, _ lesson: Lesson) -> String {
        let name = "\(Self.folderName(lesson, number(of: lesson)))/\(program)"
        return folder?.file(name) ?? courseFolder.map { "\($0)/\(lesson.name)/\(program)" } ?? name
    }

    /// The end of a lesson: its exercises, and how many questions were answered right.
    private func ending(of lesson: Lesson, _ tally: QuizTally, hasAnswers: Bool) -> String {
        let number = number(of: lesson)
        var lines = lesson.exercises.isEmpty ? [] : exercises(of: lesson)
        if tally.answered > 0 { lines += layout.wrap("You were right \(tally.right) of \(tally.answered) times.") }
        if !hasAnswers, !lesson.questions.isEmpty {
            lines += layout.wrap("'\(command("\(number) --answers"))' shows the answers, with a schedule for each.")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func exercises(of lesson: Lesson) -> [String] {
        let number = number(of: lesson)
        let rows = lesson.exercises.enumerated().map { place, exercise in
            let mark = folder == nil ? "" : isSolved(exercise) ? "* " : "- "
            return ("\(mark)\(number).\(place + 1) \(exercise.title)", exercise.kind.rawValue)
        }
        let next = folder == nil ? command("init my-course") : command("next")
        return (lesson.headsExercises ? [] : layout.wrap("Exercises:")) + layout.columns(rows) + [""]
            + layout.wrap("'\(next)' " + (folder == nil ? "makes a folder with them." : "begins with the next one."))
    }
}

/// How many questions were answered, and how many of the answers were right.
struct QuizTally {
    var answered = 0
    var right = 0
}
