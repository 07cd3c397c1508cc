import Authoring
import Execution
import Glibc
import Judging
import LabExecution
import LabProgram
import LabSyntax
import Library
import Text
import Trace

/// The `.lab` programs that a command line names, each read once: files, standard input, and the programs that come
/// with threadlab (its library).
package final class LabFiles: Sendable {
    /// What has been read so far.
    private struct Book {
        /// By path or library name: the program, or why it cannot be run.
        var files: [String: Result<LabFile, Complaint>] = [:]
        /// The error of the first file that had an error.
        var complaint: Complaint?
        var standardInput: [UInt8] = []
        var omitsWarnings = false
        /// By path: warnings that have not been printed yet.
        var warnings: [String: String] = [:]
        /// The task of `--against`. Nil: files are not submissions.
        var task: (path: String, content: LabTask)?
    }

    private let scenarios: [any Scenario.Type]
    /// The names of the command line's own options.
    private let options: Set<String>
    private let book = Guarded(Book())

    /// - Parameter options: the names of the command line's own options, which a file's parameters cannot have.
    package init(_ scenarios: [any Scenario.Type], options: Set<String>) {
        self.scenarios = scenarios
        self.options = options
    }

    package static let suffix = ".lab"

    package static func isLabFile(_ name: String) -> Bool { name.hasSuffix(suffix) }

    /// Whether the word names a `.lab` program: a path that ends in `.lab`, a path that the shell made for a pipe, `-`
    /// for standard input, or the name of a library program that no Swift scenario has.
    package func names(_ word: String) -> Bool {
        Self.isLabFile(word) || InputFile.isDescriptor(word) || word == InputFile.standardInput
            || libraryProgram(word) != nil
    }

    /// Whether the command line can set a parameter with this name.
    package func canSet(_ parameter: String) -> Bool { !options.contains(parameter) }

    /// The library program with this name. Nil: there is none, or a Swift scenario has the name.
    package func libraryProgram(_ word: String) -> LibraryProgram? {
        if let named = NamedScenario(word, among: scenarios), named.exists { return nil }
        return Library.program(named: word)
    }

    /// The error of the first file that had an error.
    package var complaint: Complaint? { book.withLock { $0.complaint } }

    /// Whether standard input has been read and is not a trace, whose first byte is `{`.
    var standardInputIsProgram: Bool {
        let bytes = standardInput
        return !bytes.isEmpty && bytes.first != UInt8(ascii: "{")
    }

    /// The bytes that were read from standard input.
    package var standardInput: [UInt8] { book.withLock { $0.standardInput } }

    /// Stops warnings about files that are read from now on.
    package func omitWarnings() { book.withLock { $0.omitsWarnings = true } }

    /// Makes all files submissions: they are judged by the claims and limits of this task, not by their own. Files that
    /// were read before, for their options, are read again.
    ///
    /// - Parameter path: the task's file, or the name of an exercise that comes with threadlab. Nil: nothing changes.
    package func judge(against path: String?) throws(Complaint) {
        guard let path else { return }
        let known = LibraryCourse().task(of: path)
        let source = if let known { known } else { try source(path) }
        do throws(LabTask.Problem) {
            let task = try LabTask(source)
            book.withLock { book in
                book.task = (path, task)
                book.files = [:]
                book.complaint = nil
                book.warnings = [:]
            }
        } catch {
            throw Complaint(error.message.contains("\n") ? error.message + "\n" : error.message)
        }
    }

    /// The file's text, and how it reads as a submission. Nil: there is no task.
    package func submission(_ path: String) throws(Complaint) -> (source: SourceText, reading: JudgedProgram.Reading)? {
        guard let task = book.withLock({ $0.task }) else { return nil }
        let source = try source(path)
        return (source, JudgedProgram.read(source, against: task.content))
    }

    var taskPath: String? { book.withLock { $0.task?.path } }

    /// The file, read and checked. Warnings go to standard error.
    ///
    /// - Parameter isSilent: whether the warnings are kept for a later call of this function that is not silent.
    package func file(_ path: String, isSilent: Bool = false) throws(Complaint) -> LabFile {
        let known = book.withLock { $0.files[path] }
        let result = known ?? Result { () throws(Complaint) in try read(path) }
        book.withLock { book in
            book.files[path] = result
            if case .failure(let complaint) = result { book.complaint = book.complaint ?? complaint }
        }
        if !isSilent, let text = book.withLock({ $0.warnings.removeValue(forKey: path) }) {
            StandardError.write(text + "\n")
        }
        switch result {
        case .success(let file): return file
        case .failure(let complaint): throw complaint
        }
    }

    /// The file's program with these parameters.
    package func configured(_ path: String, _ arguments: [(name: String, value: String)]) throws(Complaint)
        -> any Runnable
    {
        try configured(try file(path), arguments)
    }

    /// The program of a text that is not a file on this machine, with these parameters. Its warnings are not printed.
    func configured(
        _ source: SourceText, _ arguments: [(name: String, value: String)]
    ) throws(Complaint) -> any Runnable {
        try configured(LabFile(try program(source).program, scenarios: scenarios), arguments)
    }

    private func configured(
        _ file: LabFile, _ arguments: [(name: String, value: String)]
    ) throws(Complaint) -> any Runnable {
        do {
            return try file.configured(arguments)
        } catch let problem as LabFileProblem {
            throw Complaint(problem.message.printable)
        } catch let diagnostic as Diagnostic {
            throw Complaint(diagnostic.text(in: file.program.source) + "\n")
        } catch {
            throw Complaint("\(error)".printable, .failure)
        }
    }

    /// The program in a changed text of a file, with the parameters and the memory model of the original. Nil: the
    /// changed text has an error.
    package func version(_ source: SourceText, like original: any Runnable) -> LabVersion? {
        let reading = reading(of: source)
        guard let read = reading.program,
            let program = try? LabFile(read, scenarios: scenarios).configured(original.arguments),
            let program = try? original.model.supported(by: program)
        else { return nil }
        return LabVersion(program: program, warnings: Set(reading.diagnostics.map(\.message)))
    }

    /// The text, read as a program for this tool.
    package func reading(of source: SourceText) -> LabReading {
        source.read(builtIns: scenarios.map { $0.known }, options: options)
    }

    private func read(_ path: String) throws(Complaint) -> LabFile {
        if let (source, reading) = try submission(path) {
            switch reading {
            case .wrong(let text): throw Complaint(text.contains("\n") ? text + "\n" : text.printable)
            case .evading(let evasions):
                throw Complaint(evasions.map { $0.text(in: source) }.joined(separator: "\n\n") + "\n", .finding)
            case .program(let judged): return judged.file(task: taskPath)
            }
        }
        let (program, warnings) = try program(try source(path))
        book.withLock { if !warnings.isEmpty && !$0.omitsWarnings { $0.warnings[path] = warnings } }
        return LabFile(program, scenarios: scenarios)
    }

    private func program(_ source: SourceText) throws(Complaint) -> (program: Program, warnings: String) {
        guard source.isText else { throw Complaint("\(source.name.printable) is not a text file") }
        let reading = reading(of: source)
        let text = reading.diagnostics.map { $0.text(in: source) }.joined(separator: "\n\n")
        guard let program = reading.program else { throw Complaint(text + "\n") }
        return (program, text)
    }

    /// The text of the file or library program with this name. Nil: there is none, or the name is `-`.
    package func text(_ name: String) -> SourceText? { name == InputFile.standardInput ? nil : try? source(name) }

    private func source(_ word: String) throws(Complaint) -> SourceText {
        if let program = libraryProgram(word) { return SourceText(name: program.name, program.text) }
        do throws(Complaint) {
            // One byte more than the limit is enough for the reader to reject the file.
            let bytes = try InputFile(word).content(upTo: Limits.fileBytes + 1)
            if word == InputFile.standardInput { book.withLock { $0.standardInput = bytes } }
            return SourceText(name: word, bytes)
        } catch {
            let name = String(word.dropLast(Self.suffix.count))
            guard Self.isLabFile(word), let program = libraryProgram(name) else { throw error }
            throw Complaint("\(error.message); the program that comes with threadlab is called '\(program.name)'")
        }
    }
}

extension Scenario {
    /// What a `.lab` file that runs this scenario can refer to.
    fileprivate static var known: KnownScenario {
        KnownScenario(
            name: name,
            parameters: parameters.compactMap { parameter in
                let form: KnownScenario.Parameter.Form? =
                    switch parameter.form {
                    case .integer: .integer
                    case .duration: .duration
                    case .flag: .words(["false", "true"])
                    case .choice(let choices): .words(choices.map(\.word))
                    // The language has neither fractions nor texts, so it cannot set such parameters.
                    case .number, .text: nil
                    }
                return form.map { KnownScenario.Parameter(name: parameter.name, form: $0) }
            })
    }
}

/// The files that paths lead to, `.lab` files or others with certain suffixes: the files themselves, and those in
/// folders, at any depth. Each file appears once, even if several links lead to it. In folders, names that begin with
/// a dot are skipped.
package struct LabSearch {
    private let suffixes: [String]
    /// The files in the order of the paths. The files of a folder are in alphabetical order.
    package private(set) var files: [String] = []
    /// Folders that cannot be read and files whose names cannot be used, each with the reason.
    package private(set) var complaints: [(path: String, message: String)] = []
    /// Folders from the command line that contain no program: probably wrong names.
    package private(set) var emptyFolders: [String] = []
    private var known: Set<Identity> = []
    /// Counts the files that were found, and the folders that were found again. A new folder alone does not count, so
    /// an unchanged number means that a path led to no program.
    private var foundCount = 0

    private struct Identity: Hashable {
        let device: dev_t
        let number: ino_t
    }

    package init(suffixes: [String] = [LabFiles.suffix]) { self.suffixes = suffixes }

    private func isWanted(_ name: String) -> Bool { suffixes.contains { name.hasSuffix($0) } }

    /// Adds a path from the command line, without checking that the file can be read or is what its name suggests.
    package mutating func add(_ path: String) {
        let before = (foundCount, complaints.count)
        enter(path)
        if (foundCount, complaints.count) == before { emptyFolders.append(path) }
    }

    /// Adds the file, or all files of the folder. A path that leads nowhere counts as a file: reading it reports that.
    private mutating func enter(_ path: String) {
        let (identity, isFolder) = target(of: path) ?? (nil, false)
        let isNew = identity.map { known.insert($0).inserted } ?? true
        if isNew && isFolder { return addFolder(path) }
        foundCount += 1
        if isNew { files.append(path) }
    }

    private mutating func addFolder(_ path: String) {
        guard let folder = opendir(path) else {
            let reason = String(cString: strerror(errno))
            complaints.append((path, "cannot read \(path): \(reason)"))
            return
        }
        var names: [String] = []
        let start = path.isPathOfFolder ? path : path + "/"
        while let entry = readdir(folder) {
            let found = Self.name(of: entry, in: folder)
            if found.name.hasPrefix(".") { continue }
            if found.isUTF8 {
                names.append(found.name)
            } else if found.isFolder || isWanted(found.name) {
                let path = start + found.name
                complaints.append((path, "cannot read \(path): its name is not UTF-8; rename it"))
            }
        }
        closedir(folder)
        for name in names.sorted() {
            let isFolder = target(of: start + name)?.isFolder ?? false
            if isFolder || isWanted(name) { enter(start + name) }
        }
    }

    /// The name of a folder's entry, and whether it is valid UTF-8. If it is not, no path can express it, so the result
    /// also says whether the entry is a folder; otherwise `isFolder` is false.
    private static func name(
        of entry: UnsafeMutablePointer<dirent>, in folder: OpaquePointer
    ) -> (name: String, isUTF8: Bool, isFolder: Bool) {
        withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { bytes in
                if let name = String(validatingCString: bytes) { return (name, true, false) }
                var status = stat()
                let isKnown = fstatat(dirfd(folder), bytes, &status, 0) == 0
                return (String(cString: bytes), false, isKnown && status.st_mode & S_IFMT == S_IFDIR)
            }
        }
    }

    /// The identity of the file or folder to which the path leads. Nil: it leads nowhere.
    private func target(of path: String) -> (identity: Identity?, isFolder: Bool)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (Identity(device: status.st_dev, number: status.st_ino), status.st_mode & S_IFMT == S_IFDIR)
    }
}

/// A `.lab` program that has been read from a changed text.
package struct LabVersion {
    package let program: any Runnable
    /// The warnings about the program, without their places.
    package let warnings: Set<String>
}
