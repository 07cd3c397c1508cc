import Authoring
import Synchronization
import Trace

/// The text of source lines, as far as the files exist. Each file is read once.
final class SourceLines: Sendable {
    /// The path of a built-in scenario's file when it was compiled; events contain only its last component.
    private let compiledFrom: String?
    private let files = Mutex<[String: [Substring]]>([:])

    private static let greatestSize = 1 << 22

    init(_ scenario: (any Runnable)?) { compiledFrom = (scenario as? ScenarioProgram)?.source }

    /// The line without surrounding blanks. Nil if the file does not exist or has no such line.
    @Sendable func text(of site: TraceDocument.Site) -> String? {
        let lines = files.withLock { files in
            if let known = files[site.file] { return known }
            let lines = read(site.file)
            files[site.file] = lines
            return lines
        }
        guard lines.indices.contains(site.line - 1) else { return nil }
        let text = lines[site.line - 1].drop { $0.isWhitespace }
        return text.isEmpty ? nil : String(text)
    }

    /// A trace may name any file; only source files are read.
    private func read(_ file: String) -> [Substring] {
        guard file.hasSuffix(".swift") || LabFiles.isLabFile(file) else { return [] }
        let name = file.split(separator: "/").last
        let path = compiledFrom?.split(separator: "/").last == name ? compiledFrom ?? file : file
        guard let bytes = try? InputFile(path).content(upTo: Self.greatestSize) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
