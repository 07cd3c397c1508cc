import Course
import Testing

/// What is read from a course's folder, and what is said of a wrong one.
@Suite struct CourseReadingTests {
    @Test func `A lesson has text, programs, commands and questions in their order`() throws {
        let course = try #require(
            MemoryCourse.lesson(
                """
                Look:

                ```program
                program.lab
                ```

                ```run
                threadlab run program.lab --seed 3
                ```

                ```question
                program: program.lab
                ask: What can `count` be?
                values: count
                - 1
                - 2
                because: One can be lost.
                ```
                """
            ).read)
        #expect(course.title == "A course" && course.introduction.contains("About threads."))
        let lesson = try #require(course.lessons.first)
        #expect(lesson.name == "two-threads" && lesson.title == "Two threads" && lesson.minutes == 10)
        let kinds = lesson.blocks.map { block in
            switch block {
            case .text: "text"
            case .program(let program): program.file
            case .run(let command, _): command
            case .question(let question): question.text
            }
        }
        #expect(kinds == ["text", "program.lab", "threadlab run program.lab --seed 3", "What can `count` be?"])
        #expect(lesson.questions.first?.options == ["1", "2"] && lesson.questions.first?.reason == "One can be lost.")
    }

    @Test func `An exercise has its kind, its task, its hints, and what must pass and must not`() throws {
        let course = try #require(
            MemoryCourse.lesson(
                "Text",
                adding: [
                    "add-a-lock/exercise.md":
                        "# Add a lock\nKind: fix\nMinutes: 5\nFails: race\n\nDo it.\n\n## Hint\nWhich?\n\n## Hint\nWhere?\n",
                    "add-a-lock/task.lab": MemoryCourse.lostUpdate, "add-a-lock/solution.lab": "a",
                    "add-a-lock/solution-2.lab": "b", "add-a-lock/wrong-1.lab": "c",
                ]
            ).read)
        let exercise = try #require(course.exercises.first)
        #expect(exercise.path == "two-threads/add-a-lock" && exercise.title == "Add a lock" && exercise.kind == .fix)
        #expect(exercise.failure == "race" && exercise.text == "Do it." && exercise.hints == ["Which?", "Where?"])
        #expect(exercise.solutions.map(\.text) == ["b", "a"] && exercise.mistakes.map(\.text) == ["c"])
        #expect(exercise.submission == "add-a-lock.lab")
    }

    @Test(arguments: [
        ("```program\nother.lab\n```", "two-threads/other.lab: there is no such file"),
        (
            "```program\n../secret.lab\n```",
            "two-threads/lesson.md:4: a program is a file of the lesson's folder, like 'lost-update.lab'"
        ),
        ("```run\na\nb\n```", "two-threads/lesson.md:4: a 'run' block has one line: the command"),
        ("```program\nprogram.lab", "two-threads/lesson.md:4: this block has no end"),
        (
            "```question\nprogram: program.lab\nask: What?\n- 1\n- 2\n```",
            "two-threads/lesson.md:4: a question has one of 'values: EXPRESSION', 'possible: end', 'possible: state', "
                + "'ends:', 'can: OUTCOME', 'steps: SCHEDULE'"
        ),
        (
            "```question\nprogram: program.lab\nask: What?\nvalues: count\n- 1\n- 1\n```",
            "two-threads/lesson.md:4: a question has 2 to 12 different options, each after '- '"
        ),
        (
            "```question\nwhat: ever\n```",
            "two-threads/lesson.md:5: a line of a question is '- OPTION', or one of program, ask, values, possible, ends, "
                + "can, steps, model, because with a ':'"
        ),
    ])
    func `What is wrong is said with its file and its line`(text: String, problem: String) {
        #expect(MemoryCourse.lesson(text).problems == [problem])
    }

    @Test func `A course without its page is no course`() {
        #expect(MemoryCourse(texts: [:]).problems == ["course.md: there is no such file"])
        #expect(
            MemoryCourse(texts: ["course.md": "# A course\n"]).problems == [
                "course.md: it lists no lessons: '1. [The first one](first/lesson.md)'"
            ])
    }
}
