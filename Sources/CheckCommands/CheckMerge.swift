import Arguments
import Console
import Glibc
import Text

/// `threadlab check --merge RESULT…`: writes the reports that one machine would have written, from the results of a
/// divided check.
enum CheckMerge {
    static func run(_ arguments: TypedArguments<CheckOptions>, in session: Session) throws -> ExitCode {
        try requireReports(arguments)
        var parts: [ResultMerge.Part] = []
        for path in arguments.paths {
            let bytes = try SealedFile.bytes(of: path, as: "a result")
            if SealedFile.searchResult.marks(bytes) {
                throw Complaint(
                    "\(path.printable) is of a search: '\(session.program) work --merge' joins it with the others")
            }
            let result: CheckResult = try CheckResult.file.read(bytes, of: path)
            try result.requireTraces(path)
            parts.append((path, result))
        }
        let joined = try ResultMerge.joined(parts)
        let file = try arguments.reports.result.map { path throws(Complaint) in
            try NewFile(at: path, for: "the result", orElse: "name a file")
        }
        let folder = NamingFolder(around: ["."])
        let subjects = joined.entries.map { entry in
            CheckReports.Subject(
                name: entry.scenario.name, unit: entry.unit, condition: entry.condition,
                file: entry.scenario.file.map { CheckedFile(named: $0, in: folder) })
        }
        var reports = try CheckReports(
            arguments.reports, units: joined.names, subjects, others: [], joined.scope, folder, owns: { _ in true },
            session)
        try reports.start()
        for (number, entry) in joined.entries.enumerated() {
            _ = try reports.note(number, entry.scenario, entry.trace)
        }
        return try reports.end(isInterrupted: joined.isInterrupted, duration: joined.duration) { _ in
            try file.map { try joined.write(to: $0) }
        }
    }

    /// Throws if options other than those of reports are given: merging checks nothing.
    private static func requireReports(_ arguments: TypedArguments<CheckOptions>) throws(Complaint) {
        let spelling = arguments.options.merge.spelling
        guard !arguments.paths.isEmpty else {
            throw Complaint(
                "check \(spelling): name the results of all parts, as 'check --shard K/N --result FILE' writes them")
        }
        let known = Set(arguments.reports.given.map(\.name) + [arguments.options.merge.name])
        guard let other = arguments.given.first(where: { !known.contains($0.name) }) else { return }
        throw Complaint("check: \(spelling) checks nothing: leave out \(other.spelling)")
    }
}
