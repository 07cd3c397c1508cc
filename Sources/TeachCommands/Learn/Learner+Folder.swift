import Console
import Course
import Glibc
import Text

/// `learn init` and `learn reset`, which create the files that a learner works on.
extension Learner {
    /// Creates a folder with a file of progress, a README, and the files of all exercises, by lesson.
    func createFolder(_ path: String?) throws -> ExitCode {
        guard let path else {
            throw Complaint("learn init: name a new folder, as in '\(command("init my-course"))'")
        }
        if let folder {
            throw Complaint("learn init: you are in a folder of exercises already (\(folder.path)): leave it first")
        }
        var files: [(path: String, text: String)] = [
            (LearnerFolder.file, try notes().text), ("README.md", readme),
        ]
        if let manifest = try manifest() { files.append(("Package.swift", manifest)) }
        for (index, lesson) in course.lessons.enumerated() {
            let name = Self.folderName(lesson, index + 1)
            for program in lesson.programs { files.append(("\(name)/\(program.file)", program.text)) }
            for exercise in lesson.exercises { files += start(of: exercise).map { ("\(name)/\($0.file)", $0.text) } }
        }
        try NewFolder(path: path).create(files)
        let lines =
            layout.wrap("\(path.printable) has the \(course.exercises.count) exercises. Begin:")
            + layout.columns([("cd \(path.quotedForShell)", ""), (command(""), "")])
        try StandardOutput.write(lines.map { $0 + "\n" }.joined())
        return .expected
    }

    /// The path in a form that means the same in any folder.
    private func absolute(_ path: String?) throws(Complaint) -> String? {
        guard let path else { return nil }
        guard let whole = realpath(path, nil) else {
            throw Complaint("cannot read \(path.printable): \(String(cString: strerror(errno)))")
        }
        defer { free(whole) }
        return String(cString: whole)
    }

    /// The progress at the beginning.
    private func notes() throws(Complaint) -> Progress {
        Progress(course: try absolute(courseFolder))
    }

    /// The files with which an exercise begins, with their paths in the lesson's folder.
    private func start(of exercise: Exercise) -> [(file: String, text: String)] {
        switch exercise.kind {
        case .fix, .write, .property, .faster: [(exercise.place, exercise.task)]
        case .swift:
            [(exercise.place, exercise.task), ("\(exercise.name)/Tests/\(SwiftPackageText.testFile)", exercise.tests)]
        case .break: startOfBreaking(exercise)
        }
    }

    /// The program of an exercise of the kind `break`, and an empty schedule with comments that say how to fill it in.
    private func startOfBreaking(_ exercise: Exercise) -> [(file: String, text: String)] {
        let goal =
            switch exercise.goal {
            case .outcome(let word): "a run that ends in '\(word)'"
            case .state(let condition): "a state in which \(condition)"
            case nil: ""
            }
        let judge = try? ScheduleJudge(exercise, file: exercise.name + ".lab")
        let threads = judge?.threads ?? []
        let model = judge?.model ?? .sc
        // Without the last line, if the threads are not known.
        let lines = [
            "\(number(of: exercise)) \(exercise.title): find \(goal).",
            "Choose each step: \(command("play \(exercise.name)"))",
            "Or write the schedule below: 1x2,2,0 is two steps of thread 1, one of thread 2, one of main.",
            model == .sc
                ? nil
                : "Its runs follow the memory model \(model.rawValue): 2=1 is a step of thread 2 on the write before the newest.",
            "The threads: " + threads.enumerated().map { "\($0.offset) is \($0.element)" }.joined(separator: ", ")
                + ".",
        ].dropLast(threads.isEmpty ? 1 : 0).compactMap(\.self)
        return [
            (exercise.name + ".lab", exercise.task), (exercise.submission, lines.map { "# \($0)\n" }.joined()),
        ]
    }

    /// Begins an exercise again: its files are as at first, and its progress is forgotten.
    func reset(_ word: String?) throws -> ExitCode {
        var folder = try requireFolder()
        guard let word else {
            throw Complaint("learn reset: name the exercise to begin again, as in '\(command("reset 1.1"))'")
        }
        let exercise = try self.exercise(word)
        let path = file(of: exercise)
        let place = path.dropLast(exercise.place.count)
        try OutputFolder(folder.path).requireInside(path) { "cannot write \(path.printable): \($0)" }
        // The learner's text is kept in a file beside it, which replaces the one of an earlier reset.
        if access(path, F_OK) == 0, rename(path, path + ".old") != 0 {
            throw Complaint("cannot rename \(path.printable): \(String(cString: strerror(errno)))")
        }
        for file in start(of: exercise) {
            try folder.newFile(place + file.file, for: "the exercise").write { $0.write(file.text) }
        }
        try folder.note { $0.forget(exercise) }
        try StandardOutput.write(
            layout.wrap("\(path.printable) is as at the beginning; what you had is in \(path.printable).old.")
                .map { $0 + "\n" }.joined())
        return .expected
    }

    /// The exercise that a word names. Nil: the present one.
    func exercise(_ word: String?) throws(Complaint) -> Exercise {
        guard let word else {
            guard let present else { throw Complaint("learn: all exercises are solved; name one") }
            return present
        }
        guard case .exercise(let exercise) = try subject(word) else {
            throw Complaint(
                "learn: '\(word.printable)' is a lesson; name one of its exercises, such as '\(word.printable).1'")
        }
        return exercise
    }

    private var readme: String {
        """
        # \(course.title)

        The exercises. In this folder:

        ```sh
        \(command(""))          # where you are
        \(command("next"))     # the next lesson or exercise
        \(command("check"))    # judges your file, over all interleavings
        \(command("hint"))     # helps, a little more each time
        \(command("--watch"))  # checks each time you save
        ```

        What you have done is noted in `\(LearnerFolder.file)`, here in this folder, and nowhere else.

        """
    }
}
