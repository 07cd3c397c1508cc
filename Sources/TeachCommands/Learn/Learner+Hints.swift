import Authoring
import Console
import Course
import LabSyntax
import Machine
import Reports
import Supervision
import Text
import Trace

/// `learn hint`: each call shows a little more. First come the hints of the exercise's author, then what the explorer
/// finds in the learner's own file: the place, the schedule, and the stepper just before the failure.
extension Learner {
    func hint(_ word: String?) throws -> ExitCode {
        var folder = try requireFolder()
        let exercise = try exercise(word)
        let shown = folder.progress.hints[exercise.path] ?? 0
        var lines = layout.wrap("\(number(of: exercise)) \(exercise.title), hint \(shown + 1)") + [""]
        if exercise.hints.indices.contains(shown) {
            lines += MarkdownPage(exercise.hints[shown]).text(width: session.textWidth).split(
                separator: "\n", omittingEmptySubsequences: false
            ).dropLast().map(String.init)
        } else {
            guard let computed = try computedHint(exercise, shown - exercise.hints.count) else {
                try StandardOutput.write(
                    "There are no more hints. '\(checkCommand(of: exercise))' says what is wrong now.\n")
                return .expected
            }
            lines += computed
        }
        try folder.note { $0.noteHint(exercise) }
        try StandardOutput.write(lines.map { $0 + "\n" }.joined())
        return .expected
    }

    /// The hint with this number, counted from 0, of those that the explorer finds. Nil: there are fewer.
    private func computedHint(_ exercise: Exercise, _ number: Int) throws -> [String]? {
        switch exercise.kind {
        case .break: return try hintAboutWay(exercise, number)
        case .property: return number == 0 ? try hintAboutMutant(exercise) : nil
        case .fix, .write, .faster: return try hintAboutFinding(exercise, number)
        case .swift: return number == 0 && swift.swift ? try hintAboutFinding(exercise, 0) : nil
        }
    }

    /// Hints about what is wrong in the learner's program: first the line, then a schedule that shows it, and then the
    /// command that steps to the moment before it.
    private func hintAboutFinding(_ exercise: Exercise, _ number: Int) throws -> [String]? {
        let path = file(of: exercise)
        let ruling = try judge(exercise, path)
        if ruling.isPassed { return layout.wrap("Your file passes now: '\(checkCommand(of: exercise))'.") }
        let sentence = layout.wrap(ruling.sentences.first ?? "") + ruling.details.prefix(1)
        switch number {
        case 0:
            guard let line = ruling.line else { return sentence }
            let text = String(decoding: try InputFile(path).content(upTo: Limits.fileBytes), as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.indices.contains(line - 1) else { return sentence }
            return sentence + layout.wrap("Look at \(path):\(line)") + ["    " + lines[line - 1].trimmed.printable]
        case 1:
            guard let text = ruling.schedule, let schedule = try? Schedule(parsing: text) else { return nil }
            let file = "\(path.quotedAsPath) --against \(taskName(exercise))"
            // A longer schedule does not help a reader, and does not fit on a screen.
            guard text.utf8.count <= Self.longestSchedule else {
                return layout.wrap(
                    "An order of \(schedule.stepCount) steps shows it. This command finds and prints it:")
                    + ["    \(session.program) explore \(file)"]
            }
            return layout.wrap("This order of steps shows it:")
                + ["    \(session.program) replay \(file) --schedule \(schedule)"]
        case 2:
            guard let text = ruling.schedule, text.utf8.count <= Self.longestSchedule,
                let schedule = try? Schedule(parsing: text)
            else { return nil }
            return layout.wrap("Step through it yourself, from just before it happens:")
                + [
                    "    \(session.program) play \(path.quotedAsPath) --against \(taskName(exercise)) --schedule \(schedule.beforeItsEnd)"
                ]
        default: return nil
        }
    }

    /// The maximum length of a schedule in a hint about a finding, in characters.
    private static let longestSchedule = 300

    /// Hints about the shortest schedule that reaches the goal of an exercise of the kind `break`: its length, half of
    /// it, and all but the last step.
    private func hintAboutWay(_ exercise: Exercise, _ number: Int) throws -> [String]? {
        guard let way = try goal(of: exercise, programFile(of: exercise)).shortest() else { return nil }
        let steps = way.stepCount
        switch number {
        case 0: return layout.wrap("The shortest way has \(steps) steps.")
        case 1: return layout.wrap("It begins so: \(way.prefix(ofSteps: steps / 2)).")
        case 2: return layout.wrap("All of it but the last step: \(way.prefix(ofSteps: steps - 1)).")
        default: return nil
        }
    }

    /// A hint for an exercise of the kind `property`: the first wrong version of the program for which the learner's
    /// claims also hold, as a diff.
    private func hintAboutMutant(_ exercise: Exercise) throws -> [String]? {
        let path = file(of: exercise)
        let source = SourceText(name: path, try InputFile(path).content(upTo: Limits.fileBytes + 1))
        let ruling: PropertyJudge.Ruling
        do {
            ruling = try PropertyJudge(exercise).judge(source)
        } catch let problem as UnansweredQuestion {
            return layout.wrap(problem.message)
        }
        guard ruling.refutation == nil, let survivor = ruling.survivors.first else { return nil }
        let mutant = exercise.mutants[survivor - 1].text
        let diff = UnifiedDiff(from: exercise.task, to: mutant, name: exercise.name + ".lab")
        // The first two lines of a diff name the files.
        return layout.wrap("Your claims hold for this wrong version, too:")
            + diff.lines.dropFirst(2).map { "    " + $0.printable }
    }

    /// The name of an exercise's task as a value of `--against`.
    func taskName(_ exercise: Exercise) -> String {
        courseFolder.map { "\($0)/\(exercise.path)/task.lab".quotedForShell } ?? exercise.path
    }
}

extension Schedule {
    /// The schedule without its last step.
    fileprivate var beforeItsEnd: Schedule { prefix(ofSteps: max(0, stepCount - 1)) }

    /// The first steps of the schedule. A choice between the alternatives of a step, such as which write a read sees,
    /// follows the step and belongs to it.
    fileprivate func prefix(ofSteps count: Int) -> Schedule {
        var left = count
        return Schedule(
            Array(
                choices.prefix { choice in
                    if !choice.isAlternative { left -= 1 }
                    return left >= 0
                }))
    }
}
