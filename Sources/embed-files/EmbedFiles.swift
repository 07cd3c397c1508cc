import Glibc

/// `embed-files OUTPUT ROOT FOLDER...`: makes files part of a program. It writes a Swift file with the texts of those
/// files in the folders whose names have one of the suffixes below, each under its path from ROOT. With `--digest` as
/// the first argument, the Swift file holds one digest of the folders' sources instead (`SourceDigest`). The build runs
/// this program (Sources/Embedding).
@main
enum EmbedFiles {
    /// The suffixes of programs, pages of the manual, and sources.
    private static let textSuffixes = [".lab", ".md", ".swift"]
    /// The suffixes of parts of an HTML page. Each of these files also gets a digest, by which the page's content
    /// security policy names it.
    private static let pageSuffixes = [".css", ".html", ".js"]

    static func main() {
        var words = CommandLine.arguments
        let isDigest = words.count > 1 && words[1] == "--digest"
        if isDigest { words.remove(at: 1) }
        guard words.count >= 3 else { fail("usage: embed-files [--digest] OUTPUT ROOT FOLDER...") }
        let (root, folders) = (words[2], Array(words.dropFirst(3)))
        write(isDigest ? SourceDigest.text(root: root, folders: folders) : embedded(root, folders), to: words[1])
    }

    /// The Swift file with the texts.
    private static func embedded(_ root: String, _ folders: [String]) -> String {
        var text = """
            // Written by embed-files. Do not edit.

            /// Paths from the package's root, in order, the texts of the files, and the digests of parts of a page.
            let embeddedFiles: [(path: StaticString, text: StaticString, digest: StaticString)] = [

            """
        let wanted = textSuffixes + pageSuffixes
        for path in folders.flatMap(files).sorted() where wanted.contains(where: path.hasSuffix) {
            let name = literal(name(of: path, in: root))
            let content = content(of: path)
            let isPart = pageSuffixes.contains(where: path.hasSuffix)
            let digest = isPart ? "sha256-" + SHA256.digest(Array(content.utf8)).base64 : ""
            text += "    (\(name), \(literal(content)), \(literal(digest))),\n"
        }
        return text + "]\n"
    }

    /// The path of a file relative to the root.
    static func name(of path: String, in root: String) -> String {
        guard path.hasPrefix(root + "/") else { fail("\(path) is not in \(root)") }
        return String(path.dropFirst(root.count + 1))
    }

    /// The paths of the files in a folder at any depth, without hidden ones.
    static func files(in folder: String) -> [String] {
        guard let directory = opendir(folder) else {
            fail("cannot read \(folder): \(String(cString: strerror(errno)))")
        }
        defer { closedir(directory) }
        var files: [String] = []
        while let entry = readdir(directory) {
            // 256 bytes are the size of `d_name`.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let path = "\(folder)/\(name)"
            if name.hasPrefix(".") { continue }
            // Some file systems do not report the type of an entry in `readdir`.
            var status = stat()
            guard stat(path, &status) == 0 else { fail("cannot read \(path): \(String(cString: strerror(errno)))") }
            files += status.st_mode & S_IFMT == S_IFDIR ? Self.files(in: path) : [path]
        }
        return files
    }

    /// The Swift literal, on one line: the compiler reads it as a single token.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": literal += "\\n"
            case "\t": literal += "\\t"
            case "\"", "\\": literal += "\\" + String(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    private static func content(of path: String) -> String {
        guard let text = String(validating: bytes(of: path), as: UTF8.self) else { fail("\(path) is not UTF-8") }
        return text
    }

    static func bytes(of path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { fail("cannot read \(path): \(String(cString: strerror(errno)))") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        guard ferror(file) == 0 else { fail("\(path) cannot be read") }
        return bytes
    }

    /// A file that already has this text is left alone, so that nothing that depends on it is built again.
    private static func write(_ text: String, to path: String) {
        if access(path, F_OK) == 0, bytes(of: path) == Array(text.utf8) { return }
        guard let file = fopen(path, "w") else { fail("cannot write \(path): \(String(cString: strerror(errno)))") }
        let written = fputs(text, file) >= 0
        guard fclose(file) == 0, written else { fail("cannot write \(path)") }
    }

    private static func fail(_ message: String) -> Never {
        let line = "embed-files: \(message)\n"
        _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
        exit(1)
    }
}
