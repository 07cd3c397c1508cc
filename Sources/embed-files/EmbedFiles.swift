import Glibc

/// `embed-files OUTPUT ROOT FOLDER...`: writes a Swift file that holds the texts of the files in the folders that have
/// one of the suffixes below, each under its path from ROOT. Run by the build (Sources/Embedding).
@main
enum EmbedFiles {
    /// Programs, pages of the manual, and sources.
    private static let texts = [".lab", ".md", ".swift"]
    /// Parts of a page of HTML, which also get the digests with which a policy names them.
    private static let pageParts = [".css", ".html", ".js"]

    static func main() {
        let words = CommandLine.arguments
        guard words.count >= 3 else { fail("usage: embed-files OUTPUT ROOT FOLDER...") }
        var text = """
            // Written by embed-files. Do not edit.

            /// Paths from the package's root, in order, the texts of the files, and the digests of parts of a page.
            let embeddedFiles: [(path: StaticString, text: StaticString, digest: StaticString)] = [

            """
        for path in words.dropFirst(3).flatMap(files).sorted() {
            guard path.hasPrefix(words[2] + "/") else { fail("\(path) is not in \(words[2])") }
            let name = literal(String(path.dropFirst(words[2].count + 1)))
            let content = content(of: path)
            let isPart = pageParts.contains(where: path.hasSuffix)
            let digest = isPart ? "sha256-" + SHA256.digest(Array(content.utf8)).base64 : ""
            text += "    (\(name), \(literal(content)), \(literal(digest))),\n"
        }
        write(text + "]\n", to: words[1])
    }

    /// At any depth.
    private static func files(in folder: String) -> [String] {
        guard let directory = opendir(folder) else {
            fail("cannot read \(folder): \(String(cString: strerror(errno)))")
        }
        defer { closedir(directory) }
        var files: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let path = "\(folder)/\(name)"
            if name.hasPrefix(".") { continue }
            if entry.pointee.d_type == DT_DIR { files += Self.files(in: path) }
            if (texts + pageParts).contains(where: name.hasSuffix) { files.append(path) }
        }
        return files
    }

    /// On one line: the compiler reads it as a single token.
    private static func literal(_ text: String) -> String {
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
        guard let file = fopen(path, "r") else { fail("cannot read \(path): \(String(cString: strerror(errno)))") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        guard ferror(file) == 0, let text = String(validating: bytes, as: UTF8.self) else {
            fail("\(path) cannot be read, or is not UTF-8")
        }
        return text
    }

    private static func write(_ text: String, to path: String) {
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
