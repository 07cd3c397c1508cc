import Machine
import Text

/// Reads lessons and the special blocks in them: programs, commands and questions.
extension CourseReader {
    mutating func lesson(_ name: String) -> Lesson? {
        let path = "\(name)/lesson.md"
        guard let lines = lines(of: path) else { return nil }
        guard let head = PageHead(lines, fields: ["Minutes"]) else {
            report(path, 1, "it does not begin with a title: '# Two threads, one counter'")
            return nil
        }
        let minutes = minutes(head, path)
        let parts = MarkdownParts(lines[head.end...])
        if let line = parts.openBlock { report(path, line, "this block has no end") }
        let blocks = parts.parts.compactMap { block($0.part, name, path, $0.line) }
        let lesson = Lesson(
            name: name, title: String(head.title), minutes: minutes, blocks: blocks, exercises: exercises(of: name))
        // In the learner's folder, the exercise and the program would be the same file.
        for exercise in lesson.exercises where lesson.programs.contains(where: { $0.file == exercise.name + ".lab" }) {
            report("\(exercise.path)/exercise.md", nil, "a program of the lesson has the same name")
        }
        return lesson
    }

    /// The number in the line `Minutes: 10`. 0: it is missing or invalid, which has been reported.
    mutating func minutes(_ head: PageHead, _ path: String) -> Int {
        guard let field = head["Minutes"] else {
            report(path, 2, "it does not say how long it takes: 'Minutes: 10'")
            return 0
        }
        guard let minutes = Int(field.value), (1...240).contains(minutes) else {
            report(path, field.line, "'Minutes' is a number from 1 to 240")
            return 0
        }
        return minutes
    }

    /// Reads a part of a lesson. Nil: it has an error, which has been reported.
    private mutating func block(
        _ part: MarkdownParts.Part, _ lesson: String, _ path: String, _ line: Int
    ) -> Lesson.Block? {
        switch part {
        case .text(let lines): return .text(lines.joined(separator: "\n"))
        case .block(kind: "program", let lines):
            return program(lines.joined(separator: "\n"), lesson, path, line).map { .program($0) }
        case .block(kind: "run", let lines):
            guard let command = lines.first, lines.count == 1 else {
                report(path, line, "a 'run' block has one line: the command")
                return nil
            }
            guard command.hasPrefix("threadlab ") else {
                report(path, line, "a command begins with 'threadlab'")
                return nil
            }
            // A learner copies the command into a shell.
            if let sign = command.first(where: { "$`\\;&|<>(){}*?!~#'\"".contains($0) }) {
                report(path, line, "a command has no sign of the shell, such as \(sign)")
                return nil
            }
            return .run(String(command), line: line)
        case .block(kind: "question", let lines): return question(lines, lesson, path, line).map { .question($0) }
        case .block(let kind, let lines):
            return .text((["```" + kind] + lines + ["```"]).joined(separator: "\n"))
        }
    }

    /// Reads a program of the lesson.
    ///
    /// - Parameters:
    ///   - path: the file that names it, for messages.
    ///   - line: the line there.
    mutating func program(_ file: String, _ lesson: String, _ path: String, _ line: Int) -> LessonProgram? {
        let file = String(file[...].trimmed)
        guard file.wholeMatch(of: /[a-z0-9][a-z0-9-]*\.lab/) != nil else {
            report(path, line, "a program is a file of the lesson's folder, like 'lost-update.lab'")
            return nil
        }
        return text(of: "\(lesson)/\(file)").map { LessonProgram(file: file, text: $0) }
    }

    // MARK: - Questions

    private mutating func question(
        _ lines: [Substring], _ lesson: String, _ path: String, _ line: Int
    ) -> Question? {
        var fields: [Substring: Substring] = [:]
        var options: [String] = []
        // The block's own line, `line`, precedes the lines of the question.
        for (number, text) in lines.enumerated() where !text.isBlank {
            if text.hasPrefix("- ") {
                options.append(String(text.dropFirst(2).trimmed))
                continue
            }
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, Self.fields.contains(String(parts[0])) else {
                let known = Self.fields.joined(separator: ", ")
                report(path, line + 1 + number, "a line of a question is '- OPTION', or one of \(known) with a ':'")
                return nil
            }
            fields[parts[0]] = parts[1].trimmed
        }
        guard let file = fields["program"], let text = fields["ask"] else {
            report(path, line, "a question needs 'program:' and 'ask:'")
            return nil
        }
        guard let program = program(String(file), lesson, path, line),
            let kind = kind(of: fields, path, line)
        else { return nil }
        if case .can = kind { options = ["yes", "no"] }
        guard (2...CourseLimits.options).contains(options.count), Set(options).count == options.count else {
            report(path, line, "a question has 2 to \(CourseLimits.options) different options, each after '- '")
            return nil
        }
        guard let model = MemoryModel(rawValue: String(fields["model"] ?? "sc")) else {
            report(path, line, "'model:' is sc, tso or rc11")
            return nil
        }
        return Question(
            program: program, kind: kind, model: model, text: String(text), options: options,
            reason: fields["because"].map { String($0) }, line: line)
    }

    /// The names of a question's lines other than options.
    private static let fields = ["program", "ask", "values", "possible", "ends", "can", "steps", "model", "because"]

    /// The kind of a question, by the one line that determines it.
    private mutating func kind(of fields: [Substring: Substring], _ path: String, _ line: Int) -> Question.Kind? {
        var kinds: [Question.Kind] = []
        if let values = fields["values"] {
            if let place = values.wholeMatch(of: /(.+) at "(.+)" of (\S+)/) {
                kinds.append(
                    .values(
                        String(place.1), at: Question.ProgramPlace(text: String(place.2), thread: String(place.3))))
            } else {
                kinds.append(.values(String(values), at: nil))
            }
        }
        if let possible = fields["possible"] {
            if possible == "end" { kinds.append(.possibleEnd) }
            if possible == "state" { kinds.append(.possibleState) }
        }
        if fields["ends"] != nil { kinds.append(.ends) }
        if let outcome = fields["can"] { kinds.append(.can(String(outcome))) }
        if let schedule = fields["steps"] { kinds.append(.steps(after: String(schedule))) }
        guard let kind = kinds.first, kinds.count == 1 else {
            report(
                path, line,
                "a question has one of 'values: EXPRESSION', 'possible: end', 'possible: state', 'ends:', "
                    + "'can: OUTCOME', 'steps: SCHEDULE'")
            return nil
        }
        return kind
    }
}
