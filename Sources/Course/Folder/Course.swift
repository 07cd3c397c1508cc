/// A course: a sequence of lessons, each with programs, questions and exercises. docs/courses.md describes its files.
package struct Course: Sendable {
    package let title: String
    /// Markdown: the text before the list of lessons.
    package let introduction: String
    package let lessons: [Lesson]
    package let files: any CourseFiles

    /// All exercises, in the order of the lessons.
    package var exercises: [Exercise] { lessons.flatMap(\.exercises) }
}

/// A page of text with programs to run and questions to think about, and exercises after it.
package struct Lesson: Sendable {
    /// The name of its folder: `two-threads`.
    package let name: String
    package let title: String
    /// The minutes that it takes, without its exercises.
    package let minutes: Int
    package let blocks: [Block]
    package let exercises: [Exercise]

    package enum Block: Sendable {
        /// Markdown.
        case text(String)
        /// The text of one of the lesson's programs.
        case program(LessonProgram)
        /// A command to try, as it is typed, and its line in the lesson's file. Pages show its output.
        case run(String, line: Int)
        case question(Question)
    }

    /// A lesson's text without the list of links to its exercises, for pages that show the exercises themselves.
    package static func withoutExercises(_ markdown: String) -> String {
        let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { $0.wholeMatch(of: /\d+\. +\[.*\]\([a-z0-9-]+\/exercise\.md\)/) == nil }.joined(
            separator: "\n")
    }

    /// Whether its last block is a text with the heading "Exercises".
    package var headsExercises: Bool {
        guard case .text(let text)? = blocks.last else { return false }
        return text.split(separator: "\n").contains("## Exercises")
    }

    package var questions: [Question] {
        blocks.compactMap { if case .question(let question) = $0 { question } else { nil } }
    }

    /// The programs that its page shows or asks about, each once.
    package var programs: [LessonProgram] {
        var names: Set<String> = []
        let shown = blocks.compactMap { block -> LessonProgram? in
            switch block {
            case .program(let program): program
            case .question(let question): question.program
            case .text, .run: nil
            }
        }
        return shown.filter { names.insert($0.file).inserted }
    }

    /// The path of its page, relative to the course's folder.
    package var path: String { "\(name)/lesson.md" }
}

/// A `.lab` program of a lesson.
package struct LessonProgram: Sendable {
    /// The name of its file, in the lesson's folder.
    package let file: String
    package let text: String

    /// The program without the comment before it, which may contain the answer to a question.
    package var code: String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return String(lines.drop { $0.hasPrefix("///") || $0.isBlank }.joined(separator: "\n")[...].trimmed)
    }
}

/// Something for a learner to do, which the explorer or tests judge.
package struct Exercise: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// Correct a program.
        case fix
        /// Write what is missing.
        case write
        /// Find a schedule with which the program reaches a goal, such as a deadlock.
        case `break`
        /// Find the claims that distinguish a right program from wrong ones.
        case property
        /// Allow more concurrency, and keep the program correct.
        case faster
        /// Correct or write a class in Swift, which tests explore.
        case swift
    }

    /// What a schedule must reach in an exercise of the kind `break`.
    package enum Goal: Equatable, Sendable {
        /// An outcome's word: `deadlock`.
        case outcome(String)
        /// A condition that must be true in some state.
        case state(String)
    }

    /// The name of its folder: `add-a-lock`.
    package let name: String
    /// The name of the lesson's folder. Empty: the exercise belongs to no lesson.
    package let lesson: String
    package let title: String
    package let kind: Kind
    /// The minutes that it takes.
    package let minutes: Int
    /// The finding that the learner's program shows at the beginning, in one word, as the author promises it. Nil:
    /// nothing is promised.
    package let failure: String?
    /// For the kind `break`.
    package let goal: Goal?
    /// Markdown: the task.
    package let text: String
    /// Markdown: hints, each saying more than the one before.
    package let hints: [String]
    /// The text with which the learner begins.
    package let task: String
    /// For the kind `swift`: the tests that judge it. Empty for other kinds.
    package let tests: String
    /// For the kind `property`: wrong versions of the program, in the order of their file names.
    package let mutants: [CourseText]
    /// Submissions that pass.
    package let solutions: [CourseText]
    /// Submissions that fail.
    package let mistakes: [CourseText]

    /// The path of its folder, relative to the course's folder. It also identifies the exercise in messages and in the
    /// learner's progress.
    package var path: String { lesson.isEmpty ? name : "\(lesson)/\(name)" }

    /// The name of the file that the learner changes.
    package var submission: String {
        switch kind {
        case .fix, .write, .property, .faster: name + ".lab"
        case .break: name + ".schedule"
        case .swift: name + ".swift"
        }
    }

    /// The path of the file that the learner changes, relative to the lesson's folder in the learner's folder.
    package var place: String { kind == .swift ? "\(name)/Sources/\(submission)" : submission }

    /// The name of the file with which the learner begins, and the suffix of solutions and mistakes.
    package static func taskFile(_ kind: Kind) -> (name: String, suffix: String) {
        kind == .swift ? ("task.swift", ".swift") : ("task.lab", ".lab")
    }
}

/// A file of a course.
package struct CourseText: Sendable {
    package let path: String
    package let text: String
}
