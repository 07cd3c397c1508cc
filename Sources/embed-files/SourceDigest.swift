/// `embed-files --digest OUTPUT ROOT FOLDER...`: writes a Swift file with one digest of all sources in the folders. It
/// depends only on their bytes and their paths from ROOT: the same sources have the same digest on each machine.
enum SourceDigest {
    /// The suffixes of all sources: Swift, C and module maps. A module's folder has no other files.
    static let suffixes = [".swift", ".c", ".h", ".modulemap"]

    static func text(root: String, folders: [String]) -> String {
        let paths = folders.flatMap { EmbedFiles.files(in: $0) }.filter { path in
            suffixes.contains { path.hasSuffix($0) }
        }
        let files = paths.map { (path: EmbedFiles.name(of: $0, in: root), bytes: EmbedFiles.bytes(of: $0)) }
        let names = folders.map { EmbedFiles.literal(EmbedFiles.name(of: $0, in: root)) }
        return """
            // Written by embed-files. Do not edit.

            let engineDigest: StaticString = "\(word(files))"
            let engineFolders: [StaticString] = [\(names.joined(separator: ", "))]

            """
    }

    /// The digest of the files, as 64 hexadecimal digits: what `sha256sum FILES… | sha256sum` prints if the files are
    /// sorted by the bytes of their paths.
    static func word(_ files: [(path: String, bytes: [UInt8])]) -> String {
        word(ofLines: files.map { (path: $0.path, digest: SHA256.digest($0.bytes)) })
    }

    /// The digest of the files, by the digest of each.
    static func word(ofLines files: [(path: String, digest: [UInt8])]) -> String {
        let lines = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            .map { "\($0.digest.hexadecimal)  \($0.path)\n" }
        return SHA256.digest(Array(lines.joined().utf8)).hexadecimal
    }
}

extension [UInt8] {
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
