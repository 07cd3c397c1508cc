/// All the options that one command line may hold: the command's own, its scenario's, and `--help`.
///
/// A scenario's option may replace the command's of the same name if it gives the same type of value: so `--variant V`
/// becomes `--variant broken|mended` once the scenario is known. Otherwise the command's own stays, since the command
/// relies on its type, and a scenario file written by a user must not be able to break it.
struct OptionTable {
    let own: [Option]
    let scenarios: [Option]

    init(_ command: Command, scenario: [Option] = []) {
        let fitting = scenario.filter { option in
            let same = (command.options + [.help]).first { $0.name == option.name }
            return same.map { $0 != .help && $0.kind.givesSameType(as: option.kind) } ?? true
        }
        own = command.options.filter { option in !fitting.contains { $0.name == option.name } } + [.help]
        scenarios = fitting
    }

    var all: [Option] { own + scenarios }

    subscript(_ name: some StringProtocol) -> Option? { all.first { $0.name == name } }
}
