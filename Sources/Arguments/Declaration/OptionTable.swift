/// All the options that one command line may hold: the command's own, its scenario's, and `--help`.
///
/// A scenario's option that has the name of one of the command's is left out: the command relies on its own, and a scenario file
/// that a user wrote must not be able to take it away.
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
