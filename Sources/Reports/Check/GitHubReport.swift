import Diagnosis
import Glibc
import Text
import Trace

/// The check report for GitHub Actions: an annotation for each failure, and a table for the summary of the job.
package struct GitHubReport {
    /// The path of the repository's root, with links resolved and a slash at the end. Nil: the root is not known, and
    /// names of files only lose a leading `./`.
    private let root: String?
    /// The folder, with a slash at the end, to which the names of the scenarios' files are relative.
    private let names: String

    /// - Parameters:
    ///   - root: the root of the repository, to which paths in GitHub's annotations are relative.
    ///   - names: the folder to which the names of the scenarios' files are relative. Nil: the working directory.
    package init(root: String? = nil, names: String? = nil) {
        self.root = root.flatMap(Self.realPath).map { $0 == "/" ? $0 : $0 + "/" }
        self.names = names.map { $0 == "/" ? $0 : $0 + "/" } ?? ""
    }

    /// For example `::error file=a.lab,line=5,title=a.lab::expected: completes; found: deadlock`.
    package func writeAnnotation(_ scenario: CheckedScenario, to sink: inout ByteSink) {
        guard scenario.isFailure else { return }
        let place = scenario.failurePlace
        let file = Label(path(place.file)).text
        let properties = [("file", file), ("line", "\(place.line)"), ("title", Label(scenario.name).text)]
        let list = properties.map { "\($0)=\($1.escapedForProperty)" }.joined(separator: ",")
        let text = ([scenario.headline] + CheckStory(scenario).lines.map(\.text)).deduplicated
            .map { Label($0).text }.joined(separator: "\n")
        sink.write("::error \(list)::\(text.escapedForMessage)")
        sink.endLine()
    }

    /// The path of a file for an annotation. It is relative to the repository's root if the file exists and is inside
    /// it, whether it was named by a relative path, an absolute path or a link. An existing file outside has its full
    /// path, and a file that does not exist has its name.
    private func path(_ file: String) -> String {
        let location = file.hasPrefix("/") ? file : names + file
        if let root, let path = Self.realPath(location) {
            return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
        }
        return file.hasPrefix("./") ? String(file.dropFirst(2)) : file
    }

    private static func realPath(_ path: String) -> String? {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        return resolved.map { String(cString: $0) }
    }

    /// Markdown: the totals, and a table of the failures.
    package func writeSummary(_ scenarios: [CheckedScenario], isInterrupted: Bool, to sink: inout ByteSink) {
        let tally = CheckTally(scenarios)
        put("### threadlab check: \(isInterrupted ? "interrupted: " : "")\(tally.description)", to: &sink)
        put("", to: &sink)
        let failures = scenarios.filter(\.isFailure)
        guard !failures.isEmpty else { return }
        put("| Scenario | Result |", to: &sink)
        put("|---|---|", to: &sink)
        for scenario in failures {
            put("| \(scenario.name.escapedForMarkdown) | \(scenario.headline.escapedForMarkdown) |", to: &sink)
        }
        put("", to: &sink)
    }

    private func put(_ line: String, to sink: inout ByteSink) {
        sink.write(line)
        sink.endLine()
    }
}

extension CheckedScenario {
    /// The failure in one line.
    var headline: String {
        switch verdict {
        case .asExpected, .notRun: ""
        case .mismatched(let flaws): BriefWords.contrast(self, flaws)
        case .evading(let differences): "not as the task requires: \(differences[0].message)"
        case .undecided(let flaws): EvidenceWords.sentence(flaws[0].mismatch)
        case .wrong(let text), .error(let text), .stale(let text), .lostProof(let text): text.firstLine
        }
    }

    /// The place of the failure. A failure of the whole file is placed at line 1.
    var failurePlace: Evidence.Place {
        let file = file ?? name
        switch verdict {
        case .mismatched(let flaws):
            for case .notAllowed(let sighting, _) in flaws.map(\.mismatch) {
                if let place = sighting.place { return place }
            }
        case .wrong: if let line { return Evidence.Place(file: file, line: line) }
        case .evading(let differences): return Evidence.Place(file: file, line: differences[0].line)
        case .asExpected, .undecided, .stale, .lostProof, .error, .notRun: break
        }
        return Evidence.Place(file: file, line: 1)
    }
}

extension [String] {
    /// The lines without those that equal the previous one.
    fileprivate var deduplicated: [String] {
        enumerated().filter { $0.offset == 0 || $0.element != self[$0.offset - 1] }.map(\.element)
    }
}

extension String {
    /// The text escaped for the message of a workflow command.
    fileprivate var escapedForMessage: String {
        replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    /// The text escaped for a property of a workflow command, such as `title`.
    fileprivate var escapedForProperty: String {
        escapedForMessage.replacing(":", with: "%3A").replacing(",", with: "%2C")
    }

    /// The text escaped for a cell of a table.
    fileprivate var escapedForMarkdown: String {
        var text = ""
        for scalar in Label(self).text.unicodeScalars {
            if "\\`*_[]<>|&#".unicodeScalars.contains(scalar) { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
