import BuildCommands
import CompiledExecution
import Console
import Text

/// Turns a compiled program's arguments, which follow two hyphens, into the value of an option, because the parser of
/// the command line knows only options: `run ./app -- -v` becomes `run ./app --arguments=-v`.
struct ProgramArguments {
    /// The command line with the option.
    let command: [String]

    /// - Parameter words: the command line, the tool's name first.
    init(_ words: [String]) {
        // The words after the hyphens of `cc` are a compiler's. Those of another command are only changed if a word
        // between the command and the hyphens names a compiled program.
        let name = words.dropFirst().first { !$0.hasPrefix("-") }
        guard let end = words.firstIndex(of: "--"), name != CompileAction.declaration.name,
            words[..<end].dropFirst(2).contains(where: { CompiledFile($0) != nil })
        else {
            command = words
            return
        }
        let arguments = words[(end + 1)...].map(\.quotedForShell).joined(separator: " ")
        command = words[..<end] + (arguments.isEmpty ? [] : ["--\(CompiledProgram.argumentsName)=\(arguments)"])
    }
}

/// Words in one text, each with its length in bytes before it: `7:explore5:./app`.
struct CountedWords {
    private(set) var words: [String] = []

    init(_ text: String) {
        var rest = Substring(text).utf8
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")), let count = Int(Substring(rest[..<colon])),
            count >= 0
        {
            rest = rest[rest.index(after: colon)...]
            words.append(String(decoding: rest.prefix(count), as: UTF8.self))
            rest = rest.dropFirst(count)
        }
    }
}
