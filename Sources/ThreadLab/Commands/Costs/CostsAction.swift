import Arguments
import Costs
import Trace

/// `threadlab costs`
enum CostsAction: Action {
    struct Options: OptionGroup {
        let format = OutputForm.option
    }

    static let command = TypedCommand(
        "costs", "Measure what threads, locks and atomics cost on this machine",
        discussion: """
            Measures the creation of threads, the switch between them, their memory, and each primitive, free and \
            contended: in C on POSIX threads, in threadlab on real threads (where every operation is recorded), in \
            Swift's Synchronization and in Dispatch. The last column is what the threading guide says, measured on \
            another machine many years ago. Takes some seconds; other programs that run meanwhile are part of what is \
            measured.
            """,
        options: Options(),
        examples: [Example("costs", "a table with a bar for each figure")])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        var line = StatusLine()
        let rows = try CostTable.measure { name in if line.isDue { line.show("measuring: \(name)") } }
        line.clear()
        let report = CostsReport(rows)
        if arguments.format == .json {
            try StandardOutput.write { report.writeJSON(to: &$0) }
        } else {
            try StandardOutput.page(
                session.pager, report.text(width: session.textWidth, bar: session.terminal.drawsLines ? "█" : "#"))
        }
        return .expected
    }
}
