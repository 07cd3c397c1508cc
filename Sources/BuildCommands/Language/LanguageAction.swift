import Arguments
import Console
import Glibc
import Supervision
import Text

/// `threadlab lsp`: the language server for `.lab` files, which an editor starts.
package enum LanguageAction: Action {
    package struct Options: OptionGroup {
        let time: Listed<UInt64>

        package init(_ list: inout OptionList) {
            time = list.duration(
                "time", in: 100_000_000...86_400_000_000_000, default: DurationText.write(UsualTime.search),
                "Time limit for checking a program when it is opened or saved")
        }
    }

    package static let command = TypedCommand<Options>(
        "lsp", "Help an editor with .lab files: the language server",
        discussion: """
            An editor starts it, and speaks the Language Server Protocol with it on standard input and output: errors while you \
            type, what a word means, where a name is declared and used, completion, renaming, formatting; and above a \
            program 'run', 'explore' and 'check', with the verdict of the check, whose findings are shown in their lines. \
            A program is checked when it is opened or saved. 'help editors' says how to set up an editor.
            """,
        examples: [Example("lsp", "as an editor's configuration names it")])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        if isatty(STDIN_FILENO) == 1 {
            StandardError.write("threadlab lsp is for an editor, which writes to it. Ctrl-C ends it.\n")
        }
        var server = LanguageServer(session, checkTime: arguments.time)
        return try server.serve()
    }
}
