import Arguments
import Console
import Glibc
import Supervision
import Text

/// `check --watch`: repeats the check when one of its files has changed.
struct CheckWatch {
    private let arguments: TypedArguments<CheckOptions>
    private let session: Session
    /// The time after which the files' versions are read again, in microseconds. Notifications of changes are not used,
    /// because network file systems send none.
    private static let interval: UInt32 = 100_000

    /// Throws if the check covers no file that can change.
    init(_ arguments: TypedArguments<CheckOptions>, _ session: Session) throws(Complaint) {
        self.arguments = arguments
        self.session = session
        let spelling = arguments.options.watch.spelling
        guard !arguments.paths.contains(InputFile.standardInput) else {
            throw Complaint("check \(spelling): standard input does not change: name files or folders")
        }
        guard try !files().isEmpty else {
            throw Complaint("check \(spelling): what is part of this program does not change: name files or folders")
        }
    }

    /// Runs until a signal arrives, or threadlab itself fails.
    func run() throws -> ExitCode {
        while true {
            let others = others
            let seen = versions(others)
            // Clears the screen, and moves the cursor to its beginning.
            if session.terminal.isTerminal { try StandardOutput.write("\u{1B}[2J\u{1B}[H") }
            let code = try SeparateCommand.run {
                do { return try CheckAction.check(arguments, in: session).rawValue } catch {
                    return session.complain(error).rawValue
                }
            }
            if let code = ExitCode(rawValue: code), code.isInterruption || code == .failure { return code }
            StandardError.write(
                "\(session.program): watching \(seen.count) \(seen.count == 1 ? "file" : "files"). Ctrl-C ends it.\n")
            while versions(others) == seen { usleep(Self.interval) }
        }
    }

    /// The files that the check covers at this moment. Files that are added to a folder are among them.
    private func files() throws(Complaint) -> [String] {
        let scope = CheckScope(arguments.paths) { !CheckUnit.known($0, session).isEmpty }
        let coverage = scope.coverage(
            builtIn: arguments.builtIn, filters: arguments.filter, exclusions: arguments.exclude)
        return try CheckUnit.all(scope, coverage, session).compactMap { $0.file?.path }
    }

    /// The versions of all files on which the check depends, by path. Nil: there is no such file.
    ///
    /// - Parameter others: those that are not checked themselves.
    private func versions(_ others: [String]) -> [String: FileVersion?] {
        var versions: [String: FileVersion?] = [:]
        // An error means that none of the files exists at the moment: the watch continues, because one may appear.
        let files = (try? files()) ?? []
        for path in files + others { versions[path] = .some(FileVersion(path)) }
        return versions
    }

    /// Files that are not checked themselves: the task, and the compiled programs that the checked files run.
    private var others: [String] {
        // Not the session's reader, which reads each file only once.
        let reader = LabFiles(session.scenarios, options: [])
        let files = ((try? files()) ?? []).filter(LabFiles.isLabFile)
        let calls = files.compactMap { path in
            (try? reader.file(path, isSilent: true))?.program.call.map { ProgramStart($0, in: path).path }
        }
        return calls + [arguments.against].compactMap(\.self)
    }
}
