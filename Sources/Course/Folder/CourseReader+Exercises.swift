import Text

/// Reads the exercises of a lesson: folders with an `exercise.md`.
extension CourseReader {
    mutating func exercises(of lesson: String) -> [Exercise] {
        let names = exerciseFolders(lesson)
        if names.count > CourseLimits.exercises {
            report("\(lesson)/lesson.md", nil, "a lesson has at most \(CourseLimits.exercises) exercises")
        }
        return names.prefix(CourseLimits.exercises).compactMap { exercise($0, lesson) }
    }

    /// The folders of a lesson's exercises: first those to which its page links, in that order, which is from easy to
    /// hard; then the others by name.
    private func exerciseFolders(_ lesson: String) -> [String] {
        let suffix = "/exercise.md"
        let names = files.paths.compactMap { path -> String? in
            guard path.hasSuffix(suffix), let name = path.path(below: lesson)?.dropLast(suffix.count) else {
                return nil
            }
            return name.hasSlash ? nil : String(name)
        }
        let page = files.text(of: "\(lesson)/lesson.md") ?? ""
        let linked = page.matches(of: /\]\(([a-z0-9-]+)\/exercise\.md\)/).map { String($0.1) }
        let first = linked.filter(names.contains)
        return first + names.filter { !first.contains($0) }.sorted()
    }

    /// Reads an exercise. Nil: it cannot be read, which has been reported.
    ///
    /// - Parameters:
    ///   - name: the exercise's folder, in that of the lesson.
    ///   - lesson: the lesson's folder. Empty: the exercise is directly in the folder of the files.
    mutating func exercise(_ name: String, _ lesson: String) -> Exercise? {
        let folder = lesson.isEmpty ? name : "\(lesson)/\(name)"
        let path = folder + "/exercise.md"
        guard name.wholeMatch(of: /[a-z0-9][a-z0-9-]*/) != nil else {
            report(
                path, nil, "a folder's name has lower-case letters, digits and '-', and does not begin with '-'")
            return nil
        }
        guard let lines = lines(of: path) else { return nil }
        guard let head = PageHead(lines, fields: ["Kind", "Minutes", "Fails", "Goal"]) else {
            report(path, 1, "it does not begin with a title: '# Add a lock'")
            return nil
        }
        guard let kind = head["Kind"].flatMap({ Exercise.Kind(rawValue: String($0.value)) }) else {
            let kinds = Exercise.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            report(path, head["Kind"]?.line ?? 2, "it does not say its kind: 'Kind: K', one of \(kinds)")
            return nil
        }
        let (taskFile, suffix) = Exercise.taskFile(kind)
        guard let task = text(of: "\(folder)/\(taskFile)") else { return nil }
        guard let tests = tests(kind, name, folder) else { return nil }
        let (text, hints) = sections(lines[head.end...])
        if hints.isEmpty { report(path, nil, "it has no hint: a heading '## Hint', and a question below it") }
        return Exercise(
            name: name, lesson: lesson, title: String(head.title), kind: kind, minutes: minutes(head, path),
            failure: head["Fails"].map { String($0.value) }, goal: goal(head, kind, path), text: text, hints: hints,
            task: task, tests: tests, mutants: texts(folder + "/mutants", suffix) { _ in true },
            solutions: texts(folder, suffix) { $0.hasPrefix("solution") },
            mistakes: texts(folder, suffix) { $0.hasPrefix("wrong") })
    }

    /// The tests of an exercise in Swift; empty for other kinds. Nil: the tests are missing, or the folder's name
    /// cannot be a module's, which has been reported.
    private mutating func tests(_ kind: Exercise.Kind, _ name: String, _ folder: String) -> String? {
        guard kind == .swift else { return "" }
        guard name.first?.isLetter == true else {
            report(
                folder + "/exercise.md", nil,
                "the folder of an exercise in Swift begins with a letter: its module is named after it")
            return nil
        }
        return text(of: "\(folder)/\(SwiftPackageText.testFile)")
    }

    private mutating func goal(_ head: PageHead, _ kind: Exercise.Kind, _ path: String) -> Exercise.Goal? {
        guard kind == .break else { return nil }
        guard let goal = head["Goal"] else {
            report(path, nil, "an exercise of the kind 'break' has a goal: 'Goal: deadlock' or 'Goal: state CONDITION'")
            return nil
        }
        let state = "state "
        if goal.value.hasPrefix(state) { return .state(String(goal.value.dropFirst(state.count).trimmed)) }
        return .outcome(String(goal.value))
    }

    /// Divides the text of an exercise into the task and the hints. Each hint begins with the heading `## Hint`.
    private func sections(_ lines: ArraySlice<Substring>) -> (text: String, hints: [String]) {
        var sections: [[Substring]] = [[]]
        for line in lines {
            if line == "## Hint" { sections.append([]) } else { sections[sections.count - 1].append(line) }
        }
        let texts = sections.map { String($0.joined(separator: "\n")[...].trimmed) }
        return (texts[0], Array(texts.dropFirst()))
    }

    /// The files in a folder whose names end with the suffix and meet the condition.
    private mutating func texts(_ folder: String, _ suffix: String, _ isWanted: (Substring) -> Bool) -> [CourseText] {
        files.files(in: folder).filter { path in
            path.hasSuffix(suffix) && isWanted(path.dropFirst(folder.count + 1))
        }.compactMap { path in text(of: path).map { CourseText(path: path, text: $0) } }
    }
}
