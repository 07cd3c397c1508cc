import Foundation
import Supervision
import Trace

/// The text of source lines that a report shows: from the file of the test, and from other files of its package.
struct PackageSources {
    /// By name, each with its path. Files of one name are left out, but for the test's own.
    private let paths: [String: String]

    /// - Parameter test: the path of the test's file when it was compiled.
    init(around test: String) {
        var paths: [String: String] = [:]
        var ambiguous: Set<String> = []
        if let root = Self.root(above: test) {
            for path in Self.swiftFiles(in: root) {
                let name = Self.name(path)
                if paths.updateValue(path, forKey: name) != nil { ambiguous.insert(name) }
            }
        }
        for name in ambiguous { paths[name] = nil }
        paths[Self.name(test)] = test
        self.paths = paths
    }

    /// The line without surrounding blanks. Nil if it is not known.
    func text(of site: TraceDocument.Site) -> String? {
        guard let path = paths[Self.name(site.file)], let text = try? String(contentsOfFile: path, encoding: .utf8)
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(site.line - 1) else { return nil }
        let line = lines[site.line - 1].drop { $0.isWhitespace }
        return line.isEmpty ? nil : String(line)
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The nearest folder above the file that contains a package. Nil if the sources are not on this machine.
    private static func root(above file: String) -> String? {
        var parts = file.split(separator: "/").dropLast()
        while !parts.isEmpty {
            let folder = "/" + parts.joined(separator: "/")
            if FileManager.default.fileExists(atPath: folder + "/Package.swift") { return folder }
            parts.removeLast()
        }
        return nil
    }

    /// At most some thousand.
    private static func swiftFiles(in root: String) -> [String] {
        var files: [String] = []
        for folder in ["Sources", "Tests"] {
            let list = FileManager.default.enumerator(atPath: "\(root)/\(folder)")
            while files.count < 10_000, let path = list?.nextObject() as? String {
                if path.hasSuffix(".swift") { files.append("\(root)/\(folder)/\(path)") }
            }
        }
        return files
    }
}

extension StepWatchdog.Settings {
    /// Those of a call of this library.
    ///
    /// - Parameter limit: the longest time without a step, in nanoseconds. Nil: the usual one; 0: any.
    static func explaining(_ call: String, at place: CallPlace, limit: UInt64?) -> Self {
        let test = "\(place.fileID):\(place.line)"
        var settings = Self { _ in "" }
        if let limit { settings.limit = limit }
        let time = settings.limit.readable
        // On real threads nothing is isolated.
        let isolation =
            call == "run"
            ? "" : "\n  - explore it with '.isolated', in processes of its own: an endless loop is then a finding"
        settings.message = { place in
            let thread = place.thread == 0 ? "The main thread" : "Thread \(place.thread), in the order of creation,"
            let since = place.line.map { "its operation at \($0.file):\($0.number)" } ?? "its beginning"
            return """
                threadlab: '\(call)' at \(test) has taken no step for \(time), so this process ends: nothing can \
                interrupt code that neither returns nor calls the lab.
                \(thread) has computed, or waited for something that is not of the lab, since \(since).
                What helps:\(isolation)
                  - put an operation of the lab into the loop, for example 'try Thread.yield()'
                  - if it only takes its time, set THREADLAB_STEP_TIME=10m; with 0s there is no limit

                """
        }
        return settings
    }
}
