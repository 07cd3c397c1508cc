import Arguments
import CheckCommands
import Console
import RunCommands
import SearchCommands

extension ProgramGate {
    /// The gate of a command. Only the commands in `rule` start programs, `check` only those of files that the user
    /// names. (`cc`, which starts a compiler, asks for another pass.)
    ///
    /// - Parameter words: the command line without the tool's name.
    init(_ words: [String], for client: Client, tool: String) {
        let name = words.first ?? ""
        self.init(name, Self.rule(of: name, Array(words.dropFirst())), for: client, tool: tool)
    }

    /// Which programs the command with this name and these words may start.
    private static func rule(of name: String, _ words: [String]) -> Rule {
        let starting: [any Action.Type] = [ExploreAction.self, RunAction.self, ReplayAction.self, PlayAction.self]
        if starting.contains(where: { $0.declaration.name == name }) { return .all }
        let check = CheckAction.declaration
        switch name {
        case check.name:
            // If no path is typed, a configuration file may still name some.
            let isTyped = check.roles(of: words).contains { role in
                if case .word = role { true } else { false }
            }
            return isTyped && !CheckAction.merges(words[...]) ? .named : .none(.name)
        case ExportAction.declaration.name, DiffAction.declaration.name: return .none(.save)
        default: return .none(.explore)
        }
    }
}
