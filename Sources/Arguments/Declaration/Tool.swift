/// A program with commands. `help`, `--help` and `--version` are included.
package struct Tool: Sendable {
    package let name: String
    package let version: String
    /// One line, without a full stop.
    package let summary: String
    /// Those that the tool was made with, and `help`.
    package let commands: [Command]
    let help: TypedCommand<HelpOptions>
    /// How to begin, in a sentence. Empty if that is clear.
    package let hint: String
    /// Longer texts that `help` shows by name.
    package let pages: [KnownWord]

    package init(
        _ name: String, version: String, summary: String, hint: String = "", pages: [KnownWord] = [],
        commands: [Command]
    ) {
        precondition(Set(commands.map(\.name)).count == commands.count, "a command is declared twice")
        self.name = name
        self.version = version
        self.summary = summary
        self.hint = hint
        self.pages = pages
        help = Self.helpCommand(for: commands, pages)
        self.commands = commands + [help.command]
    }

    package func command(named name: String) -> Command? { commands.first { $0.name == name } }

    /// The options that may be given instead of a command.
    static let options = [
        Option.help, Option.flag("version", "Show the version"),
        Option.flag("no-pager", "Do not show long output in the pager (PAGER)"),
    ]

    private static func helpCommand(for commands: [Command], _ pages: [KnownWord]) -> TypedCommand<HelpOptions> {
        let summary = pages.isEmpty ? "Explain a command" : "Explain a command, or show a page of the manual"
        let names = commands.map { KnownWord($0.name, $0.summary) } + [KnownWord("help", summary)] + pages
        let topic = TypedPositional.oneOrNone(
            "TOPIC", .choice(names), pages.isEmpty ? "The command" : "The command or page")
        return TypedCommand("help", summary, options: HelpOptions(topic: topic))
    }
}

struct HelpOptions: OptionGroup {
    let topic: TypedPositional<String?>
    let scenario = TypedPositional.oneOrNone("SCENARIO", .scenario, "Show this scenario's options too")
}
