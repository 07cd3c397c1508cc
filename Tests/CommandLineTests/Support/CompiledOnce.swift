import FoundationEssentials
import Glibc
import Support
import Synchronization
import Testing
import Text

/// Programs that several tests use, each compiled once for a build of threadlab: by its source, the command and the
/// flags. They are kept beside that build, for other runs of the tests.
///
/// Each test gets copies in a folder of its own. Reports name the source as if the program had been compiled there.
enum CompiledOnce {
    /// What is made of one file, by one or more commands of `threadlab cc`, in the file's folder.
    struct Program: Hashable {
        let file: String
        let source: String
        let commands: [[String]]

        /// The name of the folder in which it is kept: the same in each run.
        var key: String {
            FNV1a.word(([file, source] + commands.map { $0.joined(separator: "\0") }).joined(separator: "\u{1}").utf8)
        }
    }

    private final class Entry: Sendable {
        private let folder = Mutex<Result<String, any Error>?>(nil)

        /// The folder with the program. Of several threads that ask for it, one compiles it and the others wait.
        func path(_ make: () throws -> String) throws -> String {
            try folder.withLock { known in
                let result = known ?? Result(catching: make)
                known = result
                return try result.get()
            }
        }
    }

    private static let entries = Mutex<[Program: Entry]>([:])

    /// The folder of the programs that this build has compiled. Those of other builds are removed.
    private static let folder: String = {
        let all = Programs.kept
        let own = "\(all)/\(build)"
        for name in TemporaryDirectory.names(in: all) where name != build {
            try? FileManager.default.removeItem(atPath: "\(all)/\(name)")
        }
        mkdir(all, 0o755)
        mkdir(own, 0o755)
        return own
    }()

    /// What a compiled program consists of besides its source: the sizes and times of what compiles and links it, which
    /// a build changes.
    private static let build = FNV1a.word(
        ([Programs.threadlab, Programs.runtime, CProgram.clang, "/usr/bin/gcc"]).map { path in
            var status = stat()
            let isThere = stat(path, &status) == 0
            return isThere ? "\(path) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)" : path
        }.joined(separator: "\n").utf8)

    static func copy(of program: Program) throws -> TemporaryDirectory {
        let entry = entries.withLock { entries in
            let entry = entries[program] ?? Entry()
            entries[program] = entry
            return entry
        }
        let made = try entry.path { try kept(program) }
        let folder = try TemporaryDirectory()
        // Another process writes the copies: what this one has open for writing, its other children cannot run.
        try Invocation(program: "/bin/cp", arguments: ["-R", "\(made)/.", folder.path]).run().exits(with: 0)
        return folder
    }

    /// The folder in which the program is kept. It appears with all that is in it, so that a run that is ended leaves
    /// no half of a program.
    private static func kept(_ program: Program) throws -> String {
        let path = "\(folder)/\(program.key)"
        if access(path, F_OK) == 0 { return path }
        let made = try compile(program)
        // Another run may have been faster.
        if rename(made, path) != 0 {
            try? FileManager.default.removeItem(atPath: made)
            try #require(access(path, F_OK) == 0, "cannot keep \(path)")
        }
        return path
    }

    private static func compile(_ program: Program) throws -> String {
        var template = Array("\(folder)/new-XXXXXX".utf8CString)
        let path = String(cString: try #require(mkdtemp(&template)))
        try Files.write("\(path)/\(program.file)", Array(program.source.utf8))
        for command in program.commands {
            let isLink = !command.contains(program.file)
            let words = ["cc", "--"] + command + (isLink ? [] : ["-fdebug-prefix-map=\(path)=."])
            let ended = try Invocation(program: Programs.threadlab, arguments: words).inDirectory(path).wide.run()
                .exits(with: 0)
            if !program.file.hasSuffix(".cpp") { _ = ended.isSilent() }
        }
        return path
    }
}
