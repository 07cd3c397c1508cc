import Authoring
import LabExecution
import LabProgram
import LabSyntax
import Library
import Synchronization
import Trace

/// The text of source lines, as far as it is known. Each file is read once.
final class SourceLines: Sendable {
    /// The program that was run, if it is a `.lab` program: its text is the one that ran.
    private let program: SourceText?
    /// Where a Swift scenario's file is (`Scenario.source`); events contain only its last component.
    private let compiledFrom: String?
    private let files = Mutex<[String: [Substring]]>([:])

    private static let greatestSize = 1 << 22

    init(_ scenario: (any Runnable)?) {
        program = (scenario as? LabScenario)?.program.source
        compiledFrom = (scenario as? ScenarioProgram)?.source
    }

    /// All lines of a file as it names itself in events. Empty if it does not exist.
    @Sendable func lines(of file: String) -> [Substring] {
        files.withLock { files in
            if let known = files[file] { return known }
            let lines = read(file).split(separator: "\n", omittingEmptySubsequences: false)
            files[file] = lines
            return lines
        }
    }

    /// The line without surrounding blanks. Nil if the file does not exist or has no such line.
    @Sendable func text(of site: TraceDocument.Site) -> String? {
        let lines = lines(of: site.file)
        guard lines.indices.contains(site.line - 1) else { return nil }
        let text = lines[site.line - 1].drop { $0.isWhitespace }
        return text.isEmpty ? nil : String(text)
    }

    private func read(_ file: String) -> String {
        if let program, program.name == file { return String(decoding: program.bytes, as: UTF8.self) }
        if let compiledFrom, compiledFrom.split(separator: "/").last == file.split(separator: "/").last {
            return Self.builtIn(compiledFrom) ?? content(of: compiledFrom)
        }
        return content(of: file)
    }

    /// The text of a scenario that is part of the tool.
    static func builtIn(_ source: String) -> String? { Library.path(ofFile: source).flatMap(Library.text) }

    /// - Throws: a `Complaint` if neither the tool nor this machine has the file.
    static func wholeFile(_ compiledFrom: String) throws(Complaint) -> String {
        if let text = builtIn(compiledFrom) { return text }
        return String(decoding: try InputFile(compiledFrom).content(upTo: greatestSize), as: UTF8.self)
    }

    /// A trace may name any file; only source files are read.
    private func content(of file: String) -> String {
        guard file.hasSuffix(".swift") || LabFiles.isLabFile(file) else { return "" }
        guard let bytes = try? InputFile(file).content(upTo: Self.greatestSize) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
