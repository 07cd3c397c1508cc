/// A program with commands. `help`, `--help` and `--version` are included.
package struct Tool: Sendable {
    package let name: String
    package let version: String
    /// One line, without a full stop.
    package let summary: String
    package let commands: [Command]
    /// How to begin, in a sentence. Empty if that is clear.
    package let hint: String

    package init(_ name: String, version: String, summary: String, hint: String = "", commands: [Command]) {
        precondition(Set(commands.map(\.name)).count == commands.count, "a command is declared twice")
        self.name = name
        self.version = version
        self.summary = summary
        self.hint = hint
        self.commands = commands + [Self.helpCommand(for: commands)]
    }

    package func command(named name: String) -> Command? { commands.first { $0.name == name } }

    /// The options that may be given instead of a command.
    static let options = [
        Option.help, Option.flag("version", "Show the version"),
        Option.flag("no-pager", "Do not show long output in the pager (PAGER)"),
    ]

    private static func helpCommand(for commands: [Command]) -> Command {
        let summary = "Explain a command"
        let names = commands.map { KnownWord($0.name, $0.summary) } + [KnownWord("help", summary)]
        return Command(
            "help", summary,
            positionals: [
                Positional("COMMAND", .choice(names), "The command to explain", .optional),
                Positional("SCENARIO", .scenario, "Show this scenario's options too", .optional),
            ])
    }
}
