import Authoring
import Console
import Diagnosis
import Glibc
import Reports
import Supervision
import Text
import Trace

/// The folder of `check --html`: a page for each failure that can be shown, and an index of all results.
struct CheckPages {
    private let folder: OutputFolder
    /// The folder whose source files pages may show.
    private let sources: String
    /// The names of the pages.
    private let names: TraceNames
    /// Where the index is written.
    private let index: NewFile
    /// By the number of a scenario: the name of its page.
    private var pages: [Int: String] = [:]

    /// - Parameters:
    ///   - units: the names of all scenarios of the check.
    ///   - sources: the folder whose source files pages may show: the check's. Results of other machines may name any
    ///     file, and pages are passed on.
    init(_ path: String, units: [String], sources: String) throws(Complaint) {
        folder = try OutputFolder(making: path, for: "pages")
        self.sources = sources
        // A program may be called "index", but its page may not.
        names = TraceNames(units, besides: ["index"], suffix: ".html")
        index = try folder.file("index.html", for: "the index")
    }

    /// Writes the page of a failure.
    ///
    /// - Parameters:
    ///   - content: the trace, as it is saved.
    ///   - number: the number of the scenario in the check.
    mutating func save(
        _ content: [UInt8], _ number: Int, as subject: CheckReports.Subject, _ session: Session
    ) throws {
        let name = names.name(subject.unit, subject.condition)
        var trace = TracePart(try TraceReader.read(content)).trace
        let scenario = session.shownProgram(of: trace.header)
        var examination = Examination(judgesLockOrder: scenario?.judgesLockOrder ?? false)
        examination.consume(trace.events[...])
        let words = Names(trace)
        if trace.omitted == 0 {
            trace.outcome = trace.outcome ?? examination.outcome(in: words, guide: scenario?.guide)
        }
        var options = ReportOptions()
        options.findings = examination.findings(in: words).filter(FindingSelection.important.includes)
        options.source = SourceLines(scenario, .below(sources)).text
        try PageDestination(folder.file(name, for: "the page")).save(trace, of: scenario, options)
        pages[number] = name
    }

    func writeIndex(_ results: [CheckedScenario]) throws(Complaint) {
        let rows = results.enumerated().map { (scenario: $0.element, page: pages[$0.offset]) }
        try index.write { CheckIndexPage(rows).write(to: &$0) }
    }
}

/// The summary of a job of GitHub Actions: a file to which every step appends Markdown.
struct JobSummary {
    private static let variable = "GITHUB_STEP_SUMMARY"

    private let path: String

    /// Nil outside of GitHub Actions.
    init?() {
        guard let path = getenv(Self.variable).map({ String(cString: $0) }), !path.isEmpty else { return nil }
        self.path = path
    }

    /// The root of the job's repository. Nil: unknown.
    static var root: String? { getenv("GITHUB_WORKSPACE").map { String(cString: $0) } ?? repository }

    /// The nearest folder around the working directory that is a checkout of git. Nil: there is none.
    private static var repository: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        var folder = String(cString: path)
        while access("\(folder)/.git", F_OK) != 0 {
            guard let around = folder.folderOfPath else { return nil }
            folder = around
        }
        return folder
    }

    func append(_ scenarios: [CheckedScenario], isInterrupted: Bool) throws(Complaint) {
        let text = ByteSink.collect { GitHubReport().writeSummary(scenarios, isInterrupted: isInterrupted, to: &$0) }
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw complaint(errno) }
        defer { close(descriptor) }
        let failure = StandardOutput.write(Array(text.utf8), to: descriptor)
        if failure != 0 { throw complaint(failure) }
    }

    private func complaint(_ failure: Int32) -> Complaint {
        Complaint(WriteRefused("write \(Self.variable) '\(path.printable)'", failure))
    }
}

/// File names for the traces or pages of scenarios, made from the scenarios' names: `labs-queue.trace` for
/// `labs/queue.lab`. They consist of ASCII letters and digits, dots, hyphens, underscores and, before a memory model, a
/// plus sign. They are all different.
package struct TraceNames {
    /// The maximum length of a name without its number and suffix.
    private static let longest = 100

    /// By the number of a scenario: the file name without the suffix.
    private let stems: [String]
    private let suffix: String

    /// - Parameter taken: names that must not be used.
    package init(_ scenarios: [String], besides taken: Set<String> = [], suffix: String = ".trace") {
        var taken = taken
        // By stem: the last number that was tried. With it, many scenarios with the same stem take no longer than
        // others.
        var numbers: [String: Int] = [:]
        stems = scenarios.map { scenario in
            let stem = Self.stem(scenario)
            var name = stem
            var number = numbers[stem] ?? 1
            while !taken.insert(name).inserted {
                number += 1
                name = "\(stem)-\(number)"
            }
            numbers[stem] = number
            return name
        }
        self.suffix = suffix
    }

    /// - Parameters:
    ///   - number: the scenario's index among the names of the initializer.
    ///   - condition: the memory model with which the subject's name ends. Empty: none.
    package func name(_ number: Int, _ condition: String = "") -> String {
        // A stem contains no plus sign, so the condition makes the name unique.
        stems[number] + (condition.isEmpty ? "" : "+\(condition)") + suffix
    }

    private static func stem(_ scenario: String) -> String {
        let name = LabFiles.isLabFile(scenario) ? scenario.dropLast(LabFiles.suffix.count) : scenario[...]
        let safe = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        // A name must not begin with a dot, which hides it, or a hyphen, which makes it an option.
        let stem = String(safe.drop { ".-".contains($0) }.prefix(longest))
        return stem.isEmpty ? "scenario" : stem
    }
}
