import Diagnosis

/// What the submissions of a class turned out to be.
package struct GradeBook: Sendable {
    /// One student's submission of one task.
    package struct Grade: Sendable {
        package var student: String
        package var task: String
        /// Nil: there is none.
        package var checked: CheckedScenario?
        /// Its text, if it can be shown.
        package var text: String?

        package init(student: String, task: String, checked: CheckedScenario?, text: String? = nil) {
            self.student = student
            self.task = task
            self.checked = checked
            self.text = text
        }
    }

    /// In the order of the rows and columns.
    package var students: [String]
    package var tasks: [String]
    /// By student, then by task.
    package var grades: [Grade]

    package init(students: [String], tasks: [String], grades: [Grade]) {
        self.students = students
        self.tasks = tasks
        self.grades = grades
    }

    func row(_ student: Int) -> ArraySlice<Grade> { grades[student * tasks.count..<(student + 1) * tasks.count] }

    /// What went wrong in how many submissions, the most frequent first, and with how many tasks.
    var mistakes: [(code: String, count: Int, tasks: [String])] {
        var known: [String: (count: Int, tasks: [String])] = [:]
        for grade in grades {
            guard let code = grade.code else { continue }
            known[code, default: (0, [])].count += 1
            if known[code]?.tasks.contains(grade.task) == false { known[code]?.tasks.append(grade.task) }
        }
        return known.map { mistake in
            (mistake.key, mistake.value.count, tasks.filter { mistake.value.tasks.contains($0) })
        }.sorted {
            ($1.count, $0.code) < ($0.count, $1.code)
        }
    }

    /// What a code stands for, in a few words.
    static func meaning(_ code: String) -> String {
        if let finding = FindingCode(word: code) { return finding.title }
        return switch code {
        case "possible": "something that must be possible is not"
        case "not-seen": "something that must occur cannot"
        case "busy-waiting": "a thread waits by looping"
        case "not-decided": "a limit of the judge was reached"
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
    package var outcome: String { checked?.word ?? "missing" }

    var isPassed: Bool { if case .asExpected? = checked?.verdict { true } else { false } }

    /// What is wrong, as a stable word. Nil: nothing, or there is no submission.
    var code: String? {
        switch checked?.verdict {
        case .asExpected?, .notRun?, nil: nil
        case .mismatched?: flaw.map { Self.code($0.mismatch) }
        case .evading(let differences)?: differences.first?.code
        case .notDecided?: "not-decided"
        case .wrong?, .stale?: "errors"
        case .error?: "error"
        }
    }

    /// What says most: a race is the cause of what else happens.
    private var flaw: CheckedScenario.Flaw? {
        switch checked?.verdict {
        case .mismatched(let flaws)?, .notDecided(let flaws)?: flaws.first { $0.isOfRace } ?? flaws.first
        case .asExpected?, .evading?, .wrong?, .error?, .stale?, .notRun?, nil: nil
        }
    }

    /// In one line.
    var message: String {
        switch checked?.verdict {
        case .evading(let differences)?: differences.first?.message ?? ""
        case .mismatched?, .notDecided?:
            flaw.map { flaw in
                if case .notAllowed(let sighting, _) = flaw.mismatch { return sighting.outcome.summary }
                return EvidenceWords.sentence(flaw.mismatch)
            } ?? ""
        case .wrong(let text)?, .error(let text)?, .stale(let text)?: text.firstLine
        case .asExpected?, .notRun?, nil: ""
        }
    }

    /// The line that it is about, if it is about one.
    var line: Int? {
        switch checked?.verdict {
        case .evading(let differences)?: return differences.first?.line
        case .mismatched?:
            switch flaw?.mismatch {
            case .notAllowed(let sighting, _)?: return sighting.place?.line
            case .busyWaiting(.found(_, _, let place), _)?: return place?.line
            case .busyWaiting, .outcomeNotSeen, .stateNotSeen, .warningNotSeen, .notRepeatable, .notProved, nil:
                return nil
            }
        case .wrong(let text)?:
            let parts = text.firstLine.split(separator: ":")
            return parts.lazy.compactMap { Int($0) }.first
        case .asExpected?, .notDecided?, .error?, .stale?, .notRun?, nil: return nil
        }
    }
}

extension GradeBook.Grade {
    private static func code(_ mismatch: Mismatch) -> String {
        switch mismatch {
        case .notAllowed(let sighting, _):
            FindingCode.allCases.first { $0.outcome == sighting.outcome.kind }?.rawValue
                ?? sighting.outcome.kind.rawValue
        case .stateNotSeen(let state, _): state.hasPrefix("possible ") ? "possible" : "not-seen"
        case .outcomeNotSeen, .warningNotSeen: "not-seen"
        case .busyWaiting: "busy-waiting"
        case .notRepeatable: "not-repeatable"
        case .notProved: "not-decided"
        }
    }
}

extension CheckedScenario.Flaw {
    fileprivate var isOfRace: Bool {
        if case .notAllowed(let sighting, _) = mismatch { sighting.outcome.kind == .race } else { false }
    }
}
