import Arguments
import Glibc
import Text

/// `threadlab merge RESULT…`
enum MergeAction: Action {
    struct Options: OptionGroup {
        let results: Listed<[String]>
        let reports: ListedGroup<CheckReportOptions>

        init(_ list: inout OptionList) {
            results = list.oneOrMore(
                "RESULT", .file,
                "The results of all parts of a check, as 'check --result' writes them, or of all tasks of a search")
            reports = list.group()
        }
    }

    static let command = TypedCommand<Options>(
        "merge", "Join the results of a check or a search that was divided among machines",
        discussion: """
            'check --shard 3/10 --result FILE' checks a part of the scenarios. From the results of all parts, in any order, \
            this command writes what one machine would have written: the report on standard output, and the files that \
            the options name. Parts that are missing or doubled, and results of another check, another version of \
            threadlab or other options are an error, and nothing is written.

            From the results of all tasks of 'explore --divide', it writes what 'explore' would have found: a finding with its \
            shortest schedule, or a proof if all tasks together are one. Of the options, --save, --format and --color are for them.

            The exit code is that of the whole check or search: 0 if all scenarios passed, 1 if some failed, 2 if a file has \
            errors or the results do not fit together, and 3 if threadlab itself failed.
            """,
        onlyReads: true,
        examples: [
            Example("check basics --shard 1/2 --result part-1", "on one machine"),
            Example("check basics --shard 2/2 --result part-2", "on another"),
            Example("merge part-1 part-2 --junit report.xml", "what both found"),
            Example("merge part-1 part-2 --result times --quiet", "the durations, for 'check --balance'"),
        ])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        var parts: [ResultMerge.Part] = []
        var tasks: [SearchMerge.Part] = []
        for path in arguments.results {
            let bytes = try SealedFile.bytes(of: path, as: "a result")
            if WorkResult.file.marks(bytes) {
                tasks.append((path, try WorkResult.file.read(bytes, of: path)))
            } else {
                let result: CheckResult = try CheckResult.file.read(bytes, of: path)
                try result.requireTraces(path)
                parts.append((path, result))
            }
        }
        if let part = parts.first, let task = tasks.first {
            throw Complaint(
                "\(part.path.printable) is of a check, and \(task.path.printable) of a search: join them separately")
        }
        if !tasks.isEmpty { return try SearchMerge.run(tasks, arguments, session) }
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
}
