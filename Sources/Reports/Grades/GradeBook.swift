import Diagnosis

/// The results of the submissions of a class.
package struct GradeBook: Sendable {
    /// One student's submission of one task.
    package struct Grade: Sendable {
        package var student: String
        package var task: String
        /// Nil: there is no submission.
        package var assessment: Assessment?
        /// The text of the submission, if it can be shown.
        package var text: String?

        package init(student: String, task: String, assessment: Assessment? = nil, text: String? = nil) {
            self.student = student
            self.task = task
            self.assessment = assessment
            self.text = text
        }
    }

    /// The students and the tasks, in the order of rows and columns.
    package var students: [String]
    package var tasks: [String]
    /// The grades, ordered by student, then by task.
    package var grades: [Grade]

    package init(students: [String], tasks: [String], grades: [Grade]) {
        self.students = students
        self.tasks = tasks
        self.grades = grades
    }

    /// The grades of the student with this number, from 0.
    func row(_ student: Int) -> ArraySlice<Grade> { grades[student * tasks.count..<(student + 1) * tasks.count] }

    /// The problems, the most frequent first, with the numbers of submissions and the tasks in which they occurred.
    var mistakes: [(code: String, count: Int, tasks: [String])] {
        var known: [String: (count: Int, tasks: [String])] = [:]
        for grade in grades {
            guard let code = grade.assessment?.code else { continue }
            known[code, default: (0, [])].count += 1
            if known[code]?.tasks.contains(grade.task) == false { known[code]?.tasks.append(grade.task) }
        }
        return known.map { mistake in
            (mistake.key, mistake.value.count, tasks.filter { mistake.value.tasks.contains($0) })
        }.sorted {
            ($1.count, $0.code) < ($0.count, $1.code)
        }
    }

    /// The meaning of a code, in a few words.
    static func meaning(_ code: String) -> String {
        if let finding = FindingCode(word: code) { return finding.title }
        return switch code {
        case "possible": "something that must be possible is not"
        case "not-seen": "something that must occur cannot"
        case "busy-waiting": "a thread waits by looping"
        case "undecided": "a limit of the judge was reached"
        case "not-run": "a submission in Swift, which only --swift runs"
        case "test": "a test failed"
        case "schedule": "the schedule does not reach what it should"
        case "claims": "the claims reject the right program, or accept a wrong one"
        case "errors": "the file has errors"
        case "given": "what the task gives is changed or missing"
        case "thread": "a thread is missing, different, or not the task's"
        case "parameter": "a parameter is changed or missing"
        case "claim": "what the task's claims name is changed or missing"
        case "name": "a declaration takes a name that the task uses"
        case "start": "a thread is started, joined or detached in another way"
        case "progress": "a 'progress' is added or missing"
        case "limit": "a limit of the task is not kept"
        default: ""
        }
    }
}

extension GradeBook.Grade {
    /// The stable word for scripts.
    var outcome: String { assessment?.outcome.rawValue ?? "missing" }

    var isPassed: Bool { assessment?.outcome == .passed }
}
