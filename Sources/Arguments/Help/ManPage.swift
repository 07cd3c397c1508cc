import Text

extension Tool {
    /// The manual page, in the format mdoc(7): everything that `help` says about the commands.
    ///
    /// - Parameters:
    ///   - description: the paragraphs of the section DESCRIPTION.
    ///   - exitCodes: each exit code, and when the tool ends with it.
    package func manPage(_ description: [String], exitCodes: [(code: String, meaning: String)]) -> String {
        var page = ManPage()
        page.header(name, summary)
        page.section("DESCRIPTION")
        page.paragraphs(description)
        page.list(Self.options.map { (.option($0), $0.help) })
        page.section("COMMANDS")
        for command in commands { page.add(command, of: self) }
        page.section("EXIT STATUS")
        page.list(exitCodes.map { (.word($0.code), $0.meaning) })
        return page.text
    }
}

/// Builds a page in the format mdoc(7).
private struct ManPage {
    private(set) var text = ""

    /// The left side of an item in a list.
    enum Tag {
        case option(Option)
        case word(String)
    }

    mutating func header(_ name: String, _ summary: String) {
        // With the date of the build, two builds would differ. For this keyword, readers show the current date.
        text += ".Dd $Mdocdate$\n.Dt \(name.uppercased()) 1\n.Os\n"
        text += ".Sh NAME\n.Nm \(name)\n.Nd \(summary)\n"
        text += ".Sh SYNOPSIS\n.Nm\n.Ar COMMAND\n.Op Ar OPTIONS\n.Ar ...\n"
    }

    mutating func section(_ title: String) { text += ".Sh \(title)\n" }

    mutating func add(_ command: Command, of tool: Tool) {
        let usage = command.positionals.map { " Ar \(Self.argument($0.usage))" }.joined()
        text += ".Ss \(Self.argument(command.name))\n.Nm\n.Cm \(Self.argument(command.name))\n.Op Ar OPTIONS\n"
        if !usage.isEmpty { text += ".\(usage.dropFirst())\n" }
        text += ".Pp\n"
        prose(command.summary + ".")
        let discussion = command.discussion.split(separator: "\n\n").map(String.init)
        if !discussion.isEmpty { text += ".Pp\n" }
        paragraphs(discussion)
        let positionals = command.positionals.map { (Tag.word($0.name), $0.help + tool.facts(about: $0)) }
        let options = command.options.map { (Tag.option($0), $0.help + tool.facts(about: $0, in: command)) }
        list(positionals + options)
        guard !command.examples.isEmpty else { return }
        text += ".Pp\nExamples:\n.Bl -tag -width Ds\n"
        for example in command.examples {
            let words = example.line.split(separator: " ").map { Self.argument(String($0)) }
            text += ".It Li \(tool.name) \(words.joined(separator: " "))\n"
            prose(example.help)
        }
        text += ".El\n"
    }

    mutating func paragraphs(_ parts: [String]) {
        for (index, paragraph) in parts.enumerated() {
            if index > 0 { text += ".Pp\n" }
            prose(paragraph)
        }
    }

    mutating func list(_ items: [(tag: Tag, text: String)]) {
        guard !items.isEmpty else { return }
        text += ".Bl -tag -width Ds\n"
        for item in items {
            switch item.tag {
            case .option(let option):
                let value = option.kind.takesValue ? " Ar \(Self.argument(option.placeholder))" : ""
                text += ".It Fl \(Self.argument("-" + option.name))\(value)\n"
            case .word(let word): text += ".It Ar \(Self.argument(word))\n"
            }
            prose(item.text)
        }
        text += ".El\n"
    }

    /// The number of columns of a line of prose. It leaves room for escapes: mandoc's lint allows 80.
    private static let proseWidth = 74

    /// Adds a paragraph in which each sentence begins a line, and no line is long, as mandoc's lint demands.
    private mutating func prose(_ paragraph: String) {
        let words = paragraph.split(whereSeparator: \.isWhitespace).map(String.init)
        var line = ""
        func escaped(_ line: String) -> String {
            let escapes = line.replacing("\\", with: "\\e").replacing(" -- ", with: " \\-\\- ")
            // A line that begins with one of these would be a request.
            return (escapes.hasPrefix(".") || escapes.hasPrefix("'") ? "\\&" : "") + escapes
        }
        for word in words {
            let isLong = line.count + word.count > Self.proseWidth
            if !line.isEmpty, isLong || line.last.map({ ".?!".contains($0) }) == true {
                text += escaped(line) + "\n"
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { text += escaped(line) + "\n" }
    }

    /// A word as an argument on the line of a macro, escaped so that it is not read as the name of a macro (such as
    /// `Ar` or `Sh`), as punctuation or as an escape.
    private static func argument(_ word: String) -> String {
        let escaped = word.replacing("\\", with: "\\e").replacing("\"", with: "\\(dq")
        let (first, second) = (escaped.first, escaped.dropFirst().first)
        let isMacro = escaped.count <= 3 && first?.isUppercase == true && second?.isLowercase == true
        return (isMacro || first?.isPunctuation == true && first != "-" ? "\\&" : "") + escaped
    }
}
