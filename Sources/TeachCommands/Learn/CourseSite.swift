import Authoring
import Console
import Course
import Machine
import Reports
import RunCommands
import Supervision
import Text
import Trace

/// A course as pages for a browser (`learn --site`): an index, a page for each lesson, and a page for each level. A
/// level is an exercise of the kind `break`: the reader steps a program until it reaches a goal, such as a deadlock.
struct CourseSite {
    private let learner: Learner
    private let course: Course
    /// The path of a folder with the lessons' programs, in which the commands that lessons show are run.
    private let workshop: String

    init(_ learner: Learner, workshop: String) {
        self.learner = learner
        course = learner.course
        self.workshop = workshop
    }

    /// The pages, with their paths in the site.
    ///
    /// - Parameter watch: called before each lesson.
    func pages(watch: (Lesson) throws -> Void) throws -> [(path: String, text: String)] {
        var pages = [("index.html", text(of: index))]
        for (number, lesson) in course.lessons.enumerated() {
            try watch(lesson)
            var levels: [String: String] = [:]
            for exercise in lesson.exercises where exercise.kind == .break {
                guard let level = try level(exercise) else { continue }
                let path = "\(lesson.name)/\(exercise.name).html"
                levels[exercise.name] = "\(exercise.name).html"
                pages.append((path, level))
            }
            pages.append(("\(lesson.name)/index.html", text(of: try page(lesson, number, levels))))
        }
        return pages
    }

    private func text(of page: SitePage) -> String {
        var sink = ByteSink()
        page.write(to: &sink)
        return String(decoding: sink.bytes, as: UTF8.self)
    }

    // MARK: - The index

    private var index: SitePage {
        var html = "<h1>\(safe(course.title))</h1>\n"
        html += MarkdownPage(course.introduction).html { _ in nil }
        html += "<h2>Lessons</h2>\n<ol class=\"lessons\">\n"
        for (number, lesson) in course.lessons.enumerated() {
            html += "<li><a href=\"\(lesson.name)/index.html\">\(number + 1). \(safe(lesson.title))</a>"
            html += "<span class=\"score\" data-score=\"\(lesson.name)\" data-questions=\"\(lesson.questions.count)\">"
            html += "\(lesson.minutes) minutes</span></li>\n"
        }
        html += "</ol>\n"
        return SitePage(title: course.title, course: course.title, name: "", content: html)
    }

    // MARK: - A lesson

    /// - Parameter levels: by the name of an exercise: the address of its level, relative to the lesson's page.
    private func page(_ lesson: Lesson, _ number: Int, _ levels: [String: String]) throws -> SitePage {
        var html = "<h1>\(safe(lesson.title))</h1>\n"
        html += "<p class=\"facts\">Lesson \(number + 1) of \(course.lessons.count), \(lesson.minutes) minutes</p>\n"
        var asked = 0
        for block in lesson.blocks {
            switch block {
            case .text(let markdown):
                html += MarkdownPage(Lesson.withoutExercises(markdown)).html { address($0) }
            case .program(let program): html += figure(program.file, program.code)
            case .run(let command, let line):
                html += try figure(command, output(of: command, lesson, line), isOutput: true)
            case .question(let question):
                asked += 1
                html += try self.question(question, lesson, asked).html
            }
        }
        if !lesson.exercises.isEmpty {
            html += (lesson.headsExercises ? "" : "<h2>Exercises</h2>\n") + exercises(lesson, levels)
        }
        var page = SitePage(title: lesson.title, course: course.title, name: lesson.name, content: html)
        page.previous = number == 0 ? .init(course.title, to: "../index.html") : link(to: number - 1)
        page.next = course.lessons.indices.contains(number + 1) ? link(to: number + 1) : nil
        return page
    }

    private func link(to number: Int) -> ProgramPage.Link {
        ProgramPage.Link(course.lessons[number].title, to: "../\(course.lessons[number].name)/index.html")
    }

    private func figure(_ caption: String, _ text: String, isOutput: Bool = false) -> String {
        "<figure><figcaption>\(isOutput ? "<code>\(safe(caption))</code>" : safe(caption))</figcaption>"
            + "<pre\(isOutput ? " class=\"output\"" : "") tabindex=\"0\"><code>\(safe(text))</code></pre></figure>\n"
    }

    private func output(of command: String, _ lesson: Lesson, _ line: Int) throws(Complaint) -> String {
        let output = try ToolOutput(of: command, in: "\(workshop)/\(lesson.name)")
        guard let problem = output.problem else { return output.text }
        throw Complaint(
            "\(lesson.path):\(line): \(problem)".printable, learner.codeOfCourseMistake)
    }

    private func question(_ question: Question, _ lesson: Lesson, _ number: Int) throws(Complaint) -> SiteQuestion {
        let answer = try learner.answer(question, lesson)
        let options = answer.options.map { option in
            SiteQuestion.Option(
                text: inline(question.isCode ? "`\(option.text)`" : option.text), isRight: option.isRight,
                evidence: option.schedule.map { safe(question.replay($0)) })
        }
        let reason = (question.reason.map { inline($0) + " " } ?? "") + "(Looked at: \(safe(answer.extent)).)"
        return SiteQuestion(
            number: number, text: inline(question.text), options: options, isOneOfMany: question.isYesOrNo,
            reason: reason)
    }

    // MARK: - Exercises

    private func exercises(_ lesson: Lesson, _ levels: [String: String]) -> String {
        lesson.exercises.map { exercise in
            var html = "<section class=\"exercise\"><h3>\(safe(exercise.title)) <span class=\"kind\">"
            html += "\(exercise.kind.rawValue), \(exercise.minutes) minutes</span></h3>\n"
            html += MarkdownPage(exercise.text).html { address($0) }
            if let level = levels[exercise.name] {
                html += "<p><a href=\"\(level)\">Play it</a></p>\n"
            } else {
                html +=
                    "<details><summary>The program</summary>" + figure(exercise.submission, exercise.task)
                    + (exercise.tests.isEmpty ? "" : figure(SwiftPackageText.testFile, exercise.tests)) + "</details>\n"
                html += "<p class=\"command\">Solve it on your machine: <code>threadlab learn init my-course</code>, "
                let allowed = exercise.kind == .swift ? " --swift" : ""
                html += "then <code>threadlab learn check \(exercise.name)\(allowed)</code>.</p>\n"
            }
            for (number, hint) in exercise.hints.enumerated() {
                html +=
                    "<details><summary>Hint \(number + 1)</summary>" + MarkdownPage(hint).html { address($0) }
                    + "</details>\n"
            }
            return html + "</section>\n"
        }.joined()
    }

    /// The page of a level. Nil: the program cannot have one, for example because it has too many states.
    private func level(_ exercise: Exercise) throws -> String? {
        let judge: ScheduleJudge
        do throws(UnansweredQuestion) {
            judge = try ScheduleJudge(exercise, file: exercise.name + ".lab")
        } catch {
            throw Complaint(error.message, learner.codeOfCourseMistake)
        }
        // A page contains the states under sequential consistency, and only such runs are paths through them.
        guard judge.model == .sc else { return nil }
        let program = try PagedProgram(judge.runnable, Rules(), learner.session)
        guard let map = try? program.map(isGoal: { engine in { judge.isReached(in: engine) } }) else { return nil }
        let goal: ProgramGoal.Choice? =
            switch judge.goal {
            case .outcome(let word): OutcomeKind(rawValue: word).map { .outcome($0) }
            case .state(let condition): .marked("Reach a state in which \(condition)")
            }
        guard let goal, var page = ProgramPage(map, of: program, level: goal, title: exercise.title) else { return nil }
        page.file = PageFile(name: exercise.name + ".lab", text: exercise.task)
        page.intro = [exercise.text.split(separator: "\n").joined(separator: " ")]
        page.previous = ProgramPage.Link("Back to the lesson", to: "index.html")
        var sink = ByteSink()
        page.write(to: &sink)
        return String(decoding: sink.bytes, as: UTF8.self)
    }

    // MARK: - Words

    /// The address for a link in a lesson. Nil: the link leads to no page.
    private func address(_ link: String) -> String? {
        if link.hasPrefix("https://") { return link }
        if link.hasPrefix("../"), link.hasSuffix("/lesson.md") {
            return String(link.dropLast("lesson.md".count)) + "index.html"
        }
        return nil
    }

    private func inline(_ markdown: String) -> String { MarkdownPage.inline(markdown[...]) { address($0) } }

    /// Escapes the text for HTML. Line ends stay; other control characters are made visible.
    private func safe(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.printable.escapedForXML }
            .joined(separator: "\n")
    }
}
