import BuildCommands
import CompiledExecution
import Console
import Text

/// A command line on which the arguments of a compiled program follow two hyphens.
struct ProgramArguments {
    /// The command line, with the program's arguments as the value of an option.
    let command: [String]

    init(_ words: [String]) {
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
