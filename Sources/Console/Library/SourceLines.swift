import Authoring
import Execution
import LabExecution
import LabProgram
import LabSyntax
import Library
import Text
import Trace

/// The text of the source lines to which a run's events refer, as far as it is available. Each file is read once.
package final class SourceLines: Sendable {
    /// The program that was run, if it is a `.lab` program. Its text is the one that ran.
    private let program: SourceText?
    /// The path of a Swift scenario's file (`Scenario.source`). Events contain only the file's name.
    private let compiledFrom: String?
    private let scope: SourceScope
    private let files = Guarded<[String: [Substring]]>([:])

    /// The number of bytes that are read of a file. The rest of a larger one is ignored.
    private static let greatestSize = 1 << 22

    /// - Parameter scope: the files in events whose text may be shown.
    package init(_ scenario: (any Runnable)?, _ scope: SourceScope) {
        self.scope = scope
        program = (scenario as? LabScenario)?.program.source
        compiledFrom = (scenario as? ScenarioProgram)?.source
    }

    /// All lines of a file, named as in events. If its text is not available, the result is a single empty line.
    @Sendable package func lines(of file: String) -> [Substring] {
        files.withLock { files in
            if let known = files[file] { return known }
            let lines = read(file).split(separator: "\n", omittingEmptySubsequences: false)
            files[file] = lines
            return lines
        }
    }

    /// The line without its indentation. Nil: the file's text is not available, or the line is blank or does not exist.
    @Sendable package func text(of site: TraceDocument.Site) -> String? {
        let lines = lines(of: site.file)
        guard lines.indices.contains(site.line - 1) else { return nil }
        let text = lines[site.line - 1].drop { $0.isWhitespace }
        return text.isEmpty ? nil : String(text)
    }

    private func read(_ file: String) -> String {
        if let program, program.name == file { return String(decoding: program.bytes, as: UTF8.self) }
        if let compiledFrom, compiledFrom.lastNameOfPath == file.lastNameOfPath {
            return Self.builtIn(compiledFrom) ?? content(of: compiledFrom)
        }
        return scope.allows(file) ? content(of: file) : ""
    }

    /// The text of a scenario that is part of the tool.
    static func builtIn(_ source: String) -> String? { Library.path(ofFile: source).flatMap(Library.text) }

    /// The hash of a scenario's source file. Nil: neither the tool nor this machine has the file.
    static func digest(of compiledFrom: String) -> String? {
        guard let text = try? wholeFile(compiledFrom) else { return nil }
        return FNV1a.word(text.utf8)
    }

    /// - Throws: a `Complaint` if neither the tool nor this machine has the file.
    package static func wholeFile(_ compiledFrom: String) throws(Complaint) -> String {
        if let text = builtIn(compiledFrom) { return text }
        return String(decoding: try InputFile(compiledFrom).content(upTo: greatestSize), as: UTF8.self)
    }

    /// The suffixes of Swift, C and C++ files.
    private static let suffixes = [
        ".swift", ".c", ".h", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl",
        ".tcc",
    ]

    /// A trace may name any file; only source files are read.
    private func content(of file: String) -> String {
        guard Self.suffixes.contains(where: { file.hasSuffix($0) }) || LabFiles.isLabFile(file) else { return "" }
        guard let bytes = try? InputFile(file).content(upTo: Self.greatestSize) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The files whose text may be shown with a run, and so become part of a page that is passed on.
package enum SourceScope {
    /// The run is made by this command, so its own program names the files.
    case ownRun
    /// The run comes from a file, whose events may name any file. Only files below this folder may be shown, with links
    /// resolved.
    case below(String)

    /// The scope of a saved trace: the working directory.
    package static var savedTrace: SourceScope { .below(".") }

    func allows(_ file: String) -> Bool {
        guard case .below(let folder) = self else { return true }
        guard let root = NamingFolder.resolved(folder), let place = NamingFolder.resolved(file) else { return false }
        return OutputFolder.contains(root, place)
    }
}

/// The lines of a scenario's Swift file that name one of its variants: its declaration, its description, and the code
/// that depends on it. They are found by the name alone, however the file is written.
package enum VariantLines {
    /// The text with line numbers, and `>` before the lines that name the variant.
    ///
    /// - Parameter variant: the variant's name on the command line.
    package static func marked(_ variant: String, in text: String) -> String {
        let name = caseName(of: variant)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        let width = String(lines.count).count
        return lines.enumerated().map { index, line in
            let number = String(index + 1)
            let margin =
                (names(line, name) ? "> " : "  ") + String(repeating: " ", count: width - number.count) + number
            return line.isEmpty ? margin + "\n" : "\(margin)  \(line)\n"
        }.joined()
    }

    /// The Swift name of a variant: `oppositeOrders` for `opposite-orders`.
    private static func caseName(of variant: String) -> String {
        let words = variant.split(separator: "-")
        return words.dropFirst().reduce(words.first.map { String($0) } ?? "") {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }

    /// Whether the line contains `.name`, not as a member of something, or declares the case.
    private static func names(_ line: Substring, _ name: String) -> Bool {
        let declares = line.drop { $0 == " " }.hasPrefix("case ")
        var rest = line
        while let range = rest.firstRange(of: name) {
            let before = line[..<range.lowerBound]
            rest = line[range.upperBound...]
            if rest.first.map(isPartOfName) == true { continue }
            switch before.last {
            case ".": if before.dropLast().last.map({ isPartOfName($0) || ")]?!".contains($0) }) != true { return true }
            // After a colon or an equals sign, the name is a word of a type or a raw value, not a case.
            case " ", "`": if declares && !before.contains(where: { ":=".contains($0) }) { return true }
            default: break
            }
        }
        return false
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
