import Console
import Course
import Glibc
import Judging
import LabSyntax
import Text

/// The tasks for `learn grade`, in the order of their names. The folder is a course, or contains tasks: `NAME.lab`, or
/// `task.lab` in a folder NAME.
struct GradedTasks {
    struct Entry {
        enum Content {
            /// A task whose submissions are programs, and its path.
            case task(LabTask, String)
            /// An exercise whose submissions are schedules, claims, or files in Swift.
            case exercise(Exercise)
        }

        let name: String
        let path: String
        let content: Content

        /// The name of the file that a student hands in.
        var submission: String {
            switch content {
            case .task: name + LabFiles.suffix
            case .exercise(let exercise): exercise.submission
            }
        }
    }

    let entries: [Entry]

    private static let taskFiles = ["task.lab", "task.swift"]
    private static let exerciseFile = "exercise.md"

    init(_ path: String) throws(Complaint) {
        var search = LabSearch(suffixes: [LabFiles.suffix] + Self.taskFiles)
        search.add(path)
        if let complaint = search.complaints.first { throw Complaint(complaint.message.printable) }
        let root = path.isPathOfFolder ? path : path + "/"
        var reader = ExerciseFolders(root: root)
        var entries: [Entry] = []
        for file in search.files {
            let words = file.path(below: root)?.namesOfPath ?? []
            guard let last = words.last else { throw Complaint("'\(path.printable)' is not a folder of tasks") }
            let name: String
            var exercise: Exercise?
            if Self.taskFiles.contains(String(last)), words.count > 1 {
                name = String(words[words.count - 2])
                let folder = words.dropLast().joined(separator: "/")
                let isExercise = access(root + folder + "/" + Self.exerciseFile, F_OK) == 0
                // A Swift file alone says nothing about how it is judged.
                guard isExercise || last.hasSuffix(LabFiles.suffix) else { continue }
                if isExercise { exercise = try reader.read(folder) }
            } else if words.count == 1, last.hasSuffix(LabFiles.suffix) {
                name = String(last.dropLast(LabFiles.suffix.count))
            } else {
                continue
            }
            if let twin = entries.first(where: { $0.name == name }) {
                throw Complaint("\(twin.path.printable) and \(file.printable) are two tasks of the same name")
            }
            entries.append(Entry(name: name, path: file, content: try Self.content(file, exercise)))
        }
        if entries.isEmpty {
            throw Complaint("no task in '\(path.printable)': a task is a file NAME.lab, or task.lab in a folder NAME")
        }
        self.entries = entries.sorted { $0.name < $1.name }
    }

    private static func content(_ path: String, _ exercise: Exercise?) throws(Complaint) -> Entry.Content {
        switch exercise?.kind {
        case .break?, .property?, .swift?: return exercise.map { .exercise($0) }!
        case .fix?, .write?, .faster?, nil: return .task(try read(path), path)
        }
    }

    private static func read(_ path: String) throws(Complaint) -> LabTask {
        let bytes = try InputFile(path).content(upTo: Limits.fileBytes + 1)
        do throws(LabTask.Problem) {
            return try LabTask(SourceText(name: path, bytes))
        } catch {
            throw Complaint(error.message.contains("\n") ? error.message + "\n" : error.message)
        }
    }
}

/// Reads exercises of a course, which are found in the folder of tasks.
private struct ExerciseFolders {
    let root: String
    /// The course's files, read when the first exercise is found.
    private var files: FolderCourse?

    init(root: String) { self.root = root }

    /// - Parameter folder: the exercise's path from the root.
    mutating func read(_ folder: String) throws(Complaint) -> Exercise {
        let files = if let known = self.files { known } else { try FolderCourse(root) }
        self.files = files
        do {
            return try CourseReader.exercise(folder, in: files)
        } catch {
            throw Complaint("\(root.printable)\(error.text)")
        }
    }
}

/// The folders of students, in the order of their names, and the submissions in them.
struct GradedStudents {
    struct Entry {
        let name: String
        /// By file name: the path of the submission. Files at any depth count. Of several with the same name, the least
        /// deep one counts, and of several at that depth the first in alphabetical order.
        let submissions: [String: String]
        /// The folder's absolute path, with links resolved.
        fileprivate let place: String

        /// Whether the path, with links resolved, leads to a file in the folder. A link could lead to another student's
        /// work, or to a file of the teacher.
        func has(_ path: String) -> Bool {
            guard let whole = realpath(path, nil) else { return false }
            defer { free(whole) }
            return String(cString: whole).path(below: place) != nil
        }
    }

    let entries: [Entry]

    init(_ paths: [String]) throws(Complaint) {
        var entries: [Entry] = []
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw Complaint("'\(path.printable)' is not a folder: name one for each student")
            }
            var search = LabSearch(suffixes: [LabFiles.suffix, ".schedule", ".swift"])
            search.add(path)
            var submissions: [String: String] = [:]
            for file in search.files.sorted(by: {
                ($0.namesOfPath.count, $0) < ($1.namesOfPath.count, $1)
            }) {
                guard let last = file.lastNameOfPath else { continue }
                submissions[String(last)] = submissions[String(last)] ?? file
            }
            guard let place = realpath(path, nil) else {
                throw Complaint("cannot read \(path.printable): \(String(cString: strerror(errno)))")
            }
            defer { free(place) }
            entries.append(
                Entry(name: Self.name(path), submissions: submissions, place: String(cString: place)))
        }
        let names = entries.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw Complaint(
                "two folders are called '\(twice.printable)': their students cannot be told from each other")
        }
        self.entries = entries.sorted { $0.name < $1.name }
    }

    private static func name(_ path: String) -> String {
        let parts = path.namesOfPath.filter { $0 != "." }
        return parts.last.map(String.init) ?? path
    }
}
