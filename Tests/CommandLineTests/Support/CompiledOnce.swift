import FoundationEssentials
import Glibc
import Support
import Synchronization
import Testing

/// Programs that several tests use, each compiled once in a run of the tests: by its source, the command and the flags.
///
/// Each test gets copies in a folder of its own. Reports name the source as if the program had been compiled there.
enum CompiledOnce {
    /// What is made of one file, by one or more commands of `threadlab cc`, in the file's folder.
    struct Program: Hashable {
        let file: String
        let source: String
        let commands: [[String]]
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

    /// The folder of all programs, removed when the process exits.
    private static let root: String = {
        var template = Array("/tmp/threadlab-tests-programs-XXXXXX".utf8CString)
        let path = String(cString: mkdtemp(&template)!)
        atexit { CompiledOnce.remove() }
        return path
    }()

    private static func remove() { try? FileManager.default.removeItem(atPath: root) }

    static func copy(of program: Program) throws -> TemporaryDirectory {
        let entry = entries.withLock { entries in
            let entry = entries[program] ?? Entry()
            entries[program] = entry
            return entry
        }
        let made = try entry.path { try compile(program) }
        let folder = try TemporaryDirectory()
        // Another process writes the copies: what this one has open for writing, its other children cannot run.
        try Invocation(program: "/bin/cp", arguments: ["-R", "\(made)/.", folder.path]).run().exits(with: 0)
        return folder
    }

    private static func compile(_ program: Program) throws -> String {
        var template = Array("\(root)/XXXXXX".utf8CString)
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
