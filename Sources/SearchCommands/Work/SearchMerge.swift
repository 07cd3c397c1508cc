import Arguments
import Console
import Exploration
import Supervision
import Text

/// `work --merge`: joins the results of a search's tasks to the result that one machine would have found. Reports an
/// error if results are missing, occur twice, or belong to another search.
enum SearchMerge {
    typealias Part = (path: String, result: WorkResult)

    /// The options for reports on the whole search.
    struct Options: OptionGroup {
        let save: Listed<String?>
        let format: Listed<OutputForm>
        let color: Listed<Terminal.ColorChoice>

        init(_ list: inout OptionList) {
            list.head("With --merge")
            save = list.file("save", placeholder: "DIR", "Save the trace of each finding in this folder")
            format = list.outputForm()
            color = list.color()
        }
    }

    static func run(
        _ paths: [String], _ arguments: TypedArguments<Options>, _ session: Session
    ) throws -> ExitCode {
        let parts = try paths.map { path throws(Complaint) in
            let bytes = try SealedFile.bytes(of: path, as: "a result")
            if SealedFile.checkResult.marks(bytes) {
                throw Complaint(
                    "\(path.printable) is of a check: '\(session.program) check --merge' joins it with the others")
            }
            return try Part(path, WorkResult.file.read(bytes, of: path))
        }
        guard let first = parts.first else { throw Complaint("work --merge: name results") }
        for part in parts.dropFirst() {
            guard let difference = part.result.task.search.difference(from: first.result.task.search) else { continue }
            throw Complaint(
                "\(part.path.printable) and \(first.path.printable) are of different searches: \(difference)")
        }
        try requireAll(parts)
        let search = first.result.task.search
        let plan = try search.plan(session, from: first.path)
        do {
            let result = try joined(parts, plan, search.before)
            return try write(result, plan, search, arguments, session)
        } catch let failure as SupervisionFailed {
            guard let bug = failure.bug else { throw failure }
            throw misfit(parts, bug)
        }
    }

    /// The complaint about results whose findings do not occur when they are repeated here: they cannot be of this
    /// program.
    ///
    /// - Parameter difference: what was different.
    private static func misfit(_ parts: [Part], _ difference: String) -> Complaint {
        let found = parts.filter { $0.result.state.done.contains { !$0.report.findings.isEmpty } }
        let paths = (found.isEmpty ? parts : found).prefix(3).map { $0.path.printable }
        return Complaint(
            "\(paths.joined(separator: ", ")): no result of this program: \(difference); work on its tasks again")
    }

    /// Explains the findings, and writes the report on the whole search.
    private static func write(
        _ result: SearchResult, _ plan: SearchPlan, _ search: DividedSearch,
        _ options: TypedArguments<Options>, _ session: Session
    ) throws -> ExitCode {
        let folder = try options.save.map { path throws(Complaint) in try TraceFolder(path) }
        let (found, findings) = try SearchSupervisor.explain(result, plan, telling: telling(plan, options))
        let original = try session.program(of: search.header)
        let aftermath = SearchAftermath(plan: plan, original: original, program: session.program) {
            session.files.canSet($0)
        } configured: { parameters in
            var header = search.header
            header.parameters = parameters.map { .init(name: $0.name, value: $0.value) }
            return try? session.program(of: header)
        }
        let report = try aftermath.report(found, findings)
        switch options.format {
        case .json: try StandardOutput.write { report.writeJSON(to: &$0) }
        case .text:
            let reportOptions = session.terminal.reportOptions(options.color)
            try StandardOutput.page(session.pager) { report.write(reportOptions, to: &$0) }
        }
        try folder?.save(report.findings, of: plan.scenario)
        return report.assessment.code(report.findings)
    }

    /// Whether findings are explained. In text, the table of outcomes replaces them: it has a schedule for each
    /// outcome.
    private static func telling(
        _ plan: SearchPlan, _ options: TypedArguments<Options>
    ) -> SearchSupervisor.Telling {
        !plan.goal.countsTerminals || options.format == .json || options.save != nil ? .all : .none
    }

    /// The maximum number of missing tasks that a message names.
    private static let mostNamed = 10

    /// Throws unless there is one result for each task of the search, and for each new task that the work on one of
    /// them has left.
    private static func requireAll(_ parts: [Part]) throws(Complaint) {
        var known: [String: String] = [:]
        for (path, result) in parts {
            if let other = known.updateValue(path, forKey: result.task.name) {
                throw Complaint(
                    "\(other.printable) and \(path.printable) are both of task \(result.task.name): name one")
            }
        }
        let count = parts.first?.result.task.search.taskCount ?? 0
        let needed =
            (1...max(1, count)).map { "\($0)" } + parts.flatMap { $0.result.task.rest($0.result.state).map(\.name) }
        let missing = needed.filter { known[$0] == nil }
        if let name = missing.first {
            let shown = missing.prefix(mostNamed).joined(separator: ", ")
            let rest = missing.count > mostNamed ? " and \(missing.count - mostNamed) more" : ""
            throw Complaint(
                missing.count == 1
                    ? "the result of task \(name) is missing"
                    : "the results of these tasks are missing: \(shown)\(rest)")
        }
        let others = Set(known.keys).subtracting(needed)
        if let name = others.min(), let path = known[name] {
            throw Complaint(
                "\(path.printable) is of task \(name), which is not left by the work on another one: leave it out")
        }
    }

    /// The joined result. Names of tasks only help to say what is missing; the parts of the search decide whether the
    /// results are complete.
    private static func joined(
        _ parts: [Part], _ plan: SearchPlan, _ before: UnitReport
    ) throws -> SearchResult {
        let pieces = parts.flatMap { part in part.result.pieces.map { (path: part.path, piece: $0) } }
        var result: SearchResult
        do throws(JoinedSearch.Flaw) {
            let isGivenUp = parts.contains { $0.result.state.endsProcesses || $0.result.state.discrepancy != nil }
            result = try JoinedSearch.result(plan, before: before, pieces.map(\.piece), isGivenUp: isGivenUp)
        } catch .withoutGraphs {
            throw SupervisionFailed.withoutGraphs(plan)
        } catch {
            throw Complaint(text(error) { pieces[$0].path.printable })
        }
        result.discrepancy = parts.lazy.compactMap(\.result.state.discrepancy).first
        if !result.isOver, parts.contains(where: \.result.state.endsProcesses) { result.stop = .fatalEnds }
        return result
    }

    private static func text(_ flaw: JoinedSearch.Flaw, _ path: (Int) -> String) -> String {
        let start = "the results are not of one search"
        switch flaw {
        case .parts(.missing): return "\(start): some executions are in none of them"
        case .parts(.doubled(let one, let other)), .parts(.inside(let one, of: let other)),
            .doubledUnits(let one, let other):
            return "\(start): \(path(one)) and \(path(other)) have the same executions"
        case .parts(.unrelated(let one, let other)):
            return "\(start): \(path(one)) and \(path(other)) were divided differently"
        case .parts(.meaningless(let one)): return "\(start): \(path(one)) has a part that no search has"
        case .missingUnits(let units):
            return "\(start): none has the executions of units \(units.lowerBound) to \(units.upperBound - 1)"
        case .withoutGraphs: return "\(start): there is no graph"
        case .contradiction(let one, let kind):
            return "\(start): one visited all states and saw no \(kind.rawValue), but \(path(one)) has found one"
        case .notSearched(let one): return "\(path(one)) is not complete: work on its task again"
        }
    }
}
