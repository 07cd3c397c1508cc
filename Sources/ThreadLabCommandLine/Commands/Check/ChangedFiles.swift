import Glibc
import Text

/// The files of a repository whose content is not that of an earlier revision, as git knows them.
struct ChangedFiles {
    /// From the repository's root.
    private let names: Set<String>

    /// - Parameter spelling: the option that names the revision, for messages.
    init(since revision: String, in folder: NamingFolder, _ spelling: String) throws(Complaint) {
        guard folder.isRepository else {
            throw Complaint("\(spelling) \(revision.printable): what is checked is not in a git repository")
        }
        guard !revision.hasPrefix("-") else {
            throw Complaint("\(spelling) \(revision.printable): not the name of a revision")
        }
        let git = Git(folder: folder.path)
        guard try git.output(["rev-parse", "--quiet", "--verify", revision + "^{commit}"]) != nil else {
            throw Complaint(
                "\(spelling) \(revision.printable): git knows no such revision; a shallow clone has few of them")
        }
        guard let changed = try git.output(["diff", "--name-only", "--no-renames", "-z", revision, "--"]),
            let new = try git.output(["ls-files", "--others", "--exclude-standard", "-z"])
        else { throw Complaint("\(spelling) \(revision.printable): git cannot compare the files") }
        names = Set((changed + new).split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    func contains(_ name: String) -> Bool { names.contains(name) }
    func contains(where isOne: (String) -> Bool) -> Bool { names.contains(where: isOne) }
}

/// The program git, in a repository.
private struct Git {
    let folder: String

    /// What it prints. Nil: it reports a failure.
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
        var words: [UnsafeMutablePointer<CChar>?] = (["git", "-C", folder] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, "git", &actions, nil, &words, environ)
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
