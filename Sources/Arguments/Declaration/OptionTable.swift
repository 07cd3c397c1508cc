/// All options that a command line may contain: the command's own, its scenario's, and `--help`.
///
/// A scenario's option with the name of one of the command's options is omitted: the command relies on its own, and a
/// user's scenario file must not be able to take it away.
struct OptionTable {
    let own: [Option]
    let scenarios: [Option]

    init(_ command: Command, scenario: [Option] = []) {
        let own = command.ownOptions
        self.own = own
        scenarios = scenario.filter { option in !own.contains { $0.name == option.name } }
    }

    var all: [Option] { own + scenarios }

    subscript(_ name: some StringProtocol) -> Option? { all.first { $0.name == name } }
}
