import Glibc

/// A program of the system that makes a file from others.
struct OutsideProgram {
    let name: String
    /// The package that has it.
    let package: String
    /// What needs it, such as "a drawing needs Graphviz", for messages.
    let need: String
    /// What the user could do instead.
    let instead: String

    /// Runs it, and waits for its end. What it prints goes to standard error.
    func run(_ arguments: [String]) throws(Complaint) {
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, name, nil, nil, &words, environ) == 0 else {
            throw Complaint(
                "\(need), and there is no program '\(name)': install the package \(package), or \(instead)", .failure)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { throw Complaint("\(need), but '\(name)' ended with status \(status)", .failure) }
    }

    /// Makes a file: the program writes it next to its place, and then it is renamed.
    ///
    /// - Parameter arguments: the words for the program, given the path to which it is to write.
    func make(_ file: NewFile, _ arguments: (String) -> [String]) throws(Complaint) {
        let suffix = file.path.lastIndex(of: ".").map { String(file.path[$0...]) } ?? ""
        let made = "\(file.path).\(getpid())\(suffix.contains("/") ? "" : suffix)"
        do throws(Complaint) {
            try run(arguments(made))
            guard rename(made, file.path) == 0 else { throw file.complaint(errno) }
        } catch {
            unlink(made)
            throw error
        }
    }
}
