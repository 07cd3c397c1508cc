import Glibc

/// Files of the repository that tests compare with the code.
package enum Repository {
    package static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

    package static func text(of path: String) -> String? {
        guard let file = fopen("\(root)/\(path)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The files of a folder, at any depth, whose names have this ending.
    package static func files(in folder: String, ending: String) -> [String] {
        paths(in: folder, ending: ending).compactMap(text)
    }

    /// Their paths, in no particular order.
    package static func paths(in folder: String, ending: String) -> [String] {
        guard let directory = opendir("\(root)/\(folder)") else { return [] }
        defer { closedir(directory) }
        var paths: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let path = "\(folder)/\(name)"
            if name.hasSuffix(ending) { paths.append(path) }
            if !name.hasPrefix("."), !name.hasSuffix(ending) { paths += Self.paths(in: path, ending: ending) }
        }
        return paths
    }

    /// The blocks of a Markdown file that are marked with a language.
    package static func blocks(of language: String, in path: String) -> [String] {
        (text(of: path) ?? "").split(separator: "\n```\(language)\n", omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: "\n```\n", maxSplits: 1, omittingEmptySubsequences: false).first }
            .map { $0 + "\n" }
    }
}
