import Console
import Glibc
import Text

/// For `check --changed-since`: the files of a git repository whose content differs from that of an earlier revision.
///
/// The repository may be a stranger's, and its configuration can name programs that git starts: filters, hooks, file
/// watchers, pagers, diff programs, and transports for missing objects. So git is asked only for what needs none of
/// them: the files of a revision with their hashes, and the hashes of present files. As filters are not run, a file
/// whose stored content a filter made counts as changed.
struct ChangedFiles {
    private let git: Git
    private let folder: NamingFolder
    /// By name from the repository's root: the hash of each regular file in the revision.
    private let hashes: [String: String]

    /// - Parameter spelling: the option that names the revision, for messages.
    init(since revision: String, in folder: NamingFolder, _ spelling: String) throws(Complaint) {
        func refuse(_ reason: String) -> Complaint { Complaint("\(spelling) \(revision.printable): \(reason)") }
        guard folder.isRepository else { throw refuse("what is checked is not in a git repository") }
        guard !revision.hasPrefix("-") else { throw refuse("not the name of a revision") }
        let git = Git(folder: folder.path)
        let words = ["rev-parse", "--quiet", "--verify", "--end-of-options", revision + "^{commit}"]
        guard let commit = try git.output(words)?.split(separator: UInt8(ascii: "\n")).first else {
            throw refuse("git knows no such revision; a shallow clone has few of them")
        }
        let name = String(decoding: commit, as: UTF8.self)
        guard let tree = try git.output(["ls-tree", "-r", "-z", "--full-tree", name]) else {
            throw refuse("git cannot list the files of this revision")
        }
        self.git = git
        self.folder = folder
        hashes = Self.hashes(in: tree)
    }

    /// Reads lines of the form `MODE TYPE HASH<tab>NAME`, each with a zero byte after it. Only regular files are kept,
    /// whose modes begin with 100: no links and no submodules.
    private static func hashes(in tree: [UInt8]) -> [String: String] {
        var hashes: [String: String] = [:]
        for entry in tree.split(separator: 0) {
            guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { continue }
            let facts = String(decoding: entry[..<tab], as: UTF8.self).split(separator: " ")
            guard facts.count == 3, facts[0].hasPrefix("100") else { continue }
            hashes[String(decoding: entry[(tab + 1)...], as: UTF8.self)] = String(facts[2])
        }
        return hashes
    }

    /// The names in the revision for which the predicate holds.
    func names(where isWanted: (String) -> Bool) -> [String] { hashes.keys.filter(isWanted) }

    /// The files that have changed, are new, or no longer exist.
    ///
    /// - Parameter names: the files' names from the repository's root.
    func changed(among names: [String]) throws(Complaint) -> Set<String> {
        var changed = Set(names)
        var rest = names.filter { hashes[$0] != nil && isRegular($0) }[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.mostAtOnce))
            rest = rest.dropFirst(some.count)
            let output = try git.output(["hash-object", "--no-filters", "--"] + some) ?? []
            let lines = output.split(separator: UInt8(ascii: "\n"))
            guard lines.count == some.count else {
                throw Complaint("git cannot compare the files in \(folder.path.printable)")
            }
            for (name, line) in zip(some, lines) where hashes[name] == String(decoding: line, as: UTF8.self) {
                changed.remove(name)
            }
        }
        return changed
    }

    /// The maximum number of names that one command gets as arguments.
    private static let mostAtOnce = 200

    private func isRegular(_ name: String) -> Bool {
        var status = stat()
        return lstat(folder.location(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

/// Runs git in a repository, such that it starts no other program.
private struct Git {
    let folder: String

    private static let options = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
    /// git must not fetch missing objects.
    private static let variables = [
        "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
    ]

    /// What git prints. Nil: git reports a failure.
    func output(_ arguments: [String]) throws(Complaint) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw refusal(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] =
            (["git"] + Self.options + ["-C", folder] + arguments).map { strdup($0) } + [nil]
        // Placed before the inherited variables: of two values for one variable, `getenv` returns the first.
        var variables: [UnsafeMutablePointer<CChar>?] = Self.variables.map { strdup($0) }
        var place = environ
        while let variable = place.pointee {
            variables.append(strdup(variable))
            place += 1
        }
        variables.append(nil)
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, "git", &actions, nil, &words, &variables)
        close(ends[1])
        guard failure == 0 else { throw refusal(failure) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(ends[0], &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            bytes += chunk.prefix(count)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status == 0 ? bytes : nil
    }

    private func refusal(_ failure: Int32) -> Complaint {
        Complaint("cannot run git: \(String(cString: strerror(failure)))")
    }
}
