import Glibc
import Judging
import LabSyntax
import Text

/// The tasks of a course or of a folder of tasks, in the order of their names.
struct GradedTasks {
    struct Entry {
        let name: String
        let path: String
        let task: LabTask
    }

    let entries: [Entry]

    private static let taskFile = "task.lab"
    private static let exerciseFile = "exercise.md"
    private static let greatestExercise = 1 << 20
    /// What is not judged by holding a submission to a task.
    private static let otherKinds = ["break", "property"]

    init(_ path: String) throws(Complaint) {
        var search = LabSearch()
        search.add(path)
        if let complaint = search.complaints.first { throw Complaint(complaint.message.printable) }
        let root = path.hasSuffix("/") ? path : path + "/"
        var entries: [Entry] = []
        for file in search.files {
            let words = file.hasPrefix(root) ? file.dropFirst(root.count).split(separator: "/") : []
            guard let last = words.last else { throw Complaint("'\(path.printable)' is not a folder of tasks") }
            let name: String
            if last == Self.taskFile, words.count > 1 {
                name = String(words[words.count - 2])
                if Self.isOfOtherKind(file) { continue }
            } else if words.count == 1 {
                name = String(last.dropLast(LabFiles.suffix.count))
            } else {
                continue
            }
            if let twin = entries.first(where: { $0.name == name }) {
                throw Complaint("\(twin.path.printable) and \(file.printable) are two tasks of the same name")
            }
            entries.append(Entry(name: name, path: file, task: try Self.read(file)))
        }
        if entries.isEmpty {
            throw Complaint("no task in '\(path.printable)': a task is a file NAME.lab, or task.lab in a folder NAME")
        }
        self.entries = entries.sorted { $0.name < $1.name }
    }

    /// An exercise of a course can be of a kind whose answers are no programs.
    private static func isOfOtherKind(_ file: String) -> Bool {
        let exercise = file.dropLast(taskFile.count) + exerciseFile
        guard access(String(exercise), F_OK) == 0,
            let bytes = try? InputFile(String(exercise)).content(upTo: greatestExercise, "an exercise")
        else { return false }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let kind = lines.first { $0.hasPrefix("Kind:") }?.dropFirst(5).split(separator: " ").first
        return kind.map { otherKinds.contains(String($0)) } ?? false
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

/// The folders of students, in the order of their names, and the submissions in them.
struct GradedStudents {
    struct Entry {
        let name: String
        /// By the name of the task: the file. A file at any depth counts; of two, the one nearer to the folder.
        let submissions: [String: String]
    }

    let entries: [Entry]

    init(_ paths: [String]) throws(Complaint) {
        var entries: [Entry] = []
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw Complaint("'\(path.printable)' is not a folder: name one for each student")
            }
            var search = LabSearch()
            search.add(path)
            var submissions: [String: String] = [:]
            for file in search.files.sorted(by: {
                ($0.split(separator: "/").count, $0) < ($1.split(separator: "/").count, $1)
            }) {
                guard let last = file.split(separator: "/").last else { continue }
                let name = String(last.dropLast(LabFiles.suffix.count))
                submissions[name] = submissions[name] ?? file
            }
            entries.append(Entry(name: Self.name(path), submissions: submissions))
        }
        let names = entries.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw Complaint(
                "two folders are called '\(twice.printable)': their students cannot be told from each other")
        }
        self.entries = entries.sorted { $0.name < $1.name }
    }

    private static func name(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return parts.last.map(String.init) ?? path
    }
}
