import Glibc
import Support
import Testing

/// A reader that types command lines in a folder with `scenarios` in it.
struct Reader {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        // A few programs will do: others check them all.
        try directory.directory("scenarios")
        for path in Repository.paths(in: "scenarios/basics", ending: ".lab") {
            let text = try #require(Repository.text(of: path))
            _ = try directory.write("scenarios/\(path.split(separator: "/").last!)", Array(text.utf8))
        }
        // Where the completion scripts go.
        for folder in [
            ".local", ".local/share", ".local/share/bash-completion", ".local/share/bash-completion/completions",
        ] {
            try directory.directory(folder)
        }
    }

    /// The line works: the tool accepts it, and does not fail.
    func type(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        var shell = Invocation(program: "/bin/sh", arguments: ["-c", Self.limited(line)]).inDirectory(directory.path)
            .with("HOME", directory.path)
        let folder = Programs.threadlab.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        shell.environment["PATH"] = folder + ":/usr/bin:/bin"
        let ended = try shell.run(sourceLocation: sourceLocation)
        #expect(
            ended.code == 0 || ended.code == 1, "'\(line)' exits with \(ended.code ?? -1): \(ended.errors)",
            sourceLocation: sourceLocation)
        #expect(!ended.errors.contains("threadlab: "), "'\(line)': \(ended.errors)", sourceLocation: sourceLocation)
    }

    /// Searches and endless runs are given a second: of an option given twice the last one counts.
    private static func limited(_ line: String) -> String {
        let words = line.split(separator: " ")
        guard words.count > 1 else { return line }
        let limit =
            switch words[1] {
            case "explore": " --time 1s"
            case "check" where !line.contains("--merge"): " --time 1s"
            case "run" where !line.contains("--runs"): " --timeout 1s"
            default: ""
            }
        let end = line.firstRange(of: " > ")?.lowerBound ?? line.endIndex
        return line[..<end] + limit + line[end...]
    }
}
