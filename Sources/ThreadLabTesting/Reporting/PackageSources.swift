import Foundation
import Trace

/// The source files of the test's package, whose paths and lines reports show.
struct PackageSources {
    /// The package's folder. Nil: the sources are not on this machine.
    private let root: String?
    /// The paths relative to the package's folder, by file name.
    private let paths: [String: [String]]

    /// - Parameter test: the path of the test's file when it was compiled.
    init(around test: String) {
        root = Self.root(above: test)
        paths = root.map { Dictionary(grouping: Self.swiftFiles(in: $0), by: Self.name) } ?? [:]
    }

    /// The path of a file that a trace names, relative to the package's folder. Nil: the file is not in the package, or
    /// its name is ambiguous.
    func path(of file: String) -> String? {
        let candidates = paths[Self.name(file)] ?? []
        if candidates.count == 1 { return candidates[0] }
        // A file name from the compiler begins with the module, which has its own folder.
        let module = file.split(separator: "/").first
        let ofModule = candidates.filter { $0.split(separator: "/").contains { $0 == module } }
        return ofModule.count == 1 ? ofModule[0] : nil
    }

    /// The line without the blanks at its beginning. Nil: it is not available, or blank.
    func text(of site: TraceDocument.Site) -> String? {
        guard let root, let path = path(of: site.file),
            let text = try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(site.line - 1) else { return nil }
        let line = lines[site.line - 1].drop { $0.isWhitespace }
        return line.isEmpty ? nil : String(line)
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The nearest folder above the file that contains a package.
    private static func root(above file: String) -> String? {
        var parts = file.split(separator: "/").dropLast()
        while !parts.isEmpty {
            let folder = "/" + parts.joined(separator: "/")
            if FileManager.default.fileExists(atPath: folder + "/Package.swift") { return folder }
            parts.removeLast()
        }
        return nil
    }

    /// The Swift files in `Sources` and `Tests`, at most 10,000 of them: their paths relative to the package's folder.
    private static func swiftFiles(in root: String) -> [String] {
        var files: [String] = []
        for folder in ["Sources", "Tests"] {
            let list = FileManager.default.enumerator(atPath: "\(root)/\(folder)")
            while files.count < 10_000, let path = list?.nextObject() as? String {
                if path.hasSuffix(".swift") { files.append("\(folder)/\(path)") }
            }
        }
        return files
    }
}
