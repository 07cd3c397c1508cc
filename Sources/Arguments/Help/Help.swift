import Text

/// The topic of a help text.
package enum HelpTopic: Sendable, Equatable {
    case tool
    /// The help of a command, with the options of a scenario if one was named. `isBrief`: only what most users need, as
    /// for `-h`.
    case command(String, scenario: String?, isBrief: Bool = false)
    /// One of the tool's pages, which the caller shows.
    case page(String)
}

extension Tool {
    /// The text that `help` prints, ending in a newline.
    ///
    /// - Parameter width: the maximum number of columns of a line; at least 40 are used. Lines of examples may be
    ///   longer.
    package func helpText(for topic: HelpTopic, scenarios: KnownScenarios = .none, width: Int = 80) -> String {
        let layout = Layout(width: width)
        let sections =
            switch topic {
            case .tool, .page: overview(layout)
            case .command(let name, let scenario, let isBrief):
                command(named: name).map { command in
                    isBrief
                        ? outline(command, scenario: scenario, scenarios, layout)
                        : explain(command, scenario: scenario, scenarios, layout)
                } ?? overview(layout)
            }
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func overview(_ layout: Layout) -> [[String]] {
        if !groups.isEmpty { return [groupedOverview(layout)] }
        return [
            layout.wrap("\(name): \(summary)"),
            layout.wrap("Usage: \(name) COMMAND [OPTIONS] ..."),
            ["Commands:"] + layout.columns(commands.map { ($0.name, $0.summary) }),
            pages.isEmpty ? [] : ["Pages:"] + layout.columns(pages.map { ($0.text, $0.help) }),
            ["Options:"] + layout.columns(Self.options.map { ($0.usage, $0.help) }),
            layout.wrap(
                "'\(name) help COMMAND' explains a command\(pages.isEmpty ? "" : "; 'help PAGE' shows a page")."),
        ]
    }

    /// The overview of a tool whose commands are in groups, on one screen: a line for each command, with the title of
    /// the group before its first command.
    private func groupedOverview(_ layout: Layout) -> [String] {
        let rows = groups.flatMap { title, commands in
            commands.enumerated().map {
                (heading: $0.offset == 0 ? title : "", name: $0.element.name, $0.element.summary)
            }
        }
        // The widths of the first two columns, with the spaces between columns.
        let headings = ((rows.map(\.heading) + ["Pages", "Help"]).map(\.count).max() ?? 0) + 1
        let names = (rows.map(\.name.count).max() ?? 0) + 2
        let commands = rows.flatMap { heading, name, summary in
            layout.wrap(summary, behind: heading.padded(to: headings) + name.padded(to: names))
        }
        let main = pages.map(\.text).filter { !parts.contains($0) }
        let options = Self.options.filter { $0 != .help }.map(\.usage).joined(separator: ", ")
        return layout.wrap("\(name) COMMAND [OPTIONS] ...: \(summary)") + commands
            + layout.wrap(main.joined(separator: ", "), behind: "Pages".padded(to: headings))
            + layout.wrap(
                "COMMAND -h, help WORD, \(options)", behind: "Help".padded(to: headings))
    }

    /// What most users need of a command, on one screen.
    private func outline(_ command: Command, scenario: String?, _ scenarios: KnownScenarios, _ layout: Layout)
        -> [[String]]
    {
        let known = command.takesScenarioOptions ? scenario : nil
        let options = OptionTable(command, scenario: known.map(scenarios.options) ?? [])
        let usual = options.own.filter { command.usual.contains($0.name) } + [.help]
        let others = options.own.count - usual.count
        let more = others > 0 ? "has the other \(others) options, and examples" : "explains more, with examples"
        return [
            layout.wrap("\(name) \(command.name): \(command.summary)"),
            usage(of: command, layout),
            arguments(of: command, layout),
            section("Options", usual, of: command, layout),
            section("Options of \((known ?? "").printable)", options.scenarios, of: command, layout),
            layout.wrap("'\(name) \(command.name) --help' \(more)."),
        ]
    }

    private func usage(of command: Command, _ layout: Layout) -> [String] {
        let words = [name, command.name, "[OPTIONS]"] + command.positionals.map(\.usage)
        return layout.wrap("Usage: " + words.joined(separator: " "))
    }

    private func arguments(of command: Command, _ layout: Layout) -> [String] {
        if command.positionals.isEmpty { return [] }
        return ["Arguments:"] + layout.columns(command.positionals.map { ($0.name, $0.help + facts(about: $0)) })
    }

    private func section(_ title: String, _ options: [Option], of command: Command, _ layout: Layout) -> [String] {
        let rows = options.map { ($0.usage, $0.help + facts(about: $0, in: command)) }
        return options.isEmpty ? [] : ["\(title):"] + layout.columns(rows)
    }

    /// The whole help of a command.
    private func explain(_ command: Command, scenario: String?, _ scenarios: KnownScenarios, _ layout: Layout)
        -> [[String]]
    {
        let known = command.takesScenarioOptions ? scenario : nil
        let options = OptionTable(command, scenario: known.map(scenarios.options) ?? [])
        let headings = options.own.map(\.heading).reduce(into: [""]) { all, heading in
            if !all.contains(heading) { all.append(heading) }
        }

        return [
            layout.wrap("\(name) \(command.name): \(command.summary)"),
            usage(of: command, layout),
            layout.paragraphs(command.discussion),
            arguments(of: command, layout),
        ]
            + headings.map { heading in
                let title = heading.isEmpty ? "Options" : heading
                return section(title, options.own.filter { $0.heading == heading }, of: command, layout)
            }
            + [
                section("Options of \((known ?? "").printable)", options.scenarios, of: command, layout),
                known == nil && command.takesScenarioOptions
                    ? layout.wrap(
                        "A scenario may have options of its own: '\(name) help \(command.name) SCENARIO' shows them.")
                    : [],
                command.examples.isEmpty ? [] : ["Examples:"] + command.examples.flatMap { example($0, layout) },
            ]
    }

    /// The lines of an example. Its command line is not wrapped, so that it can be copied.
    private func example(_ example: Example, _ layout: Layout) -> [String] {
        ["  \(name) \(example.line)"] + layout.wrap(example.help, indent: 6)
    }

    /// What follows an option's description, in parentheses: its short name, range, default and so on.
    func facts(about option: Option, in command: Command) -> String {
        let excluded = command.exclusions(of: option.name).map { "--" + $0 }
        // Where more options exclude each other, the command's description says so.
        let isListed = (1...2).contains(excluded.count)
        let exclusion = isListed ? "not with " + ValueKind.either(excluded) : nil
        let fallback = option.defaultWord.map { "default \($0)" }
        let short = option.short.map { "also \($0)" }
        let repetition = option.repeats ? "can be repeated" : nil
        return parenthesized([short, facts(about: option.kind), fallback, repetition, exclusion].compactMap { $0 })
    }

    func facts(about positional: Positional) -> String {
        parenthesized([facts(about: positional.kind)].compactMap { $0 })
    }

    private func facts(about kind: ValueKind) -> String? {
        if case .choice = kind { kind.description } else { kind.limits }
    }

    private func parenthesized(_ facts: [String]) -> String {
        facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
    }
}

/// Lays out text in lines of a limited width: paragraphs that wrap, and two columns that stay aligned.
///
/// Some of the text comes from scenario files, so every word is escaped for the terminal here.
package struct Layout {
    let width: Int

    /// The smallest width at which two columns are readable.
    static let narrowest = 40

    package init(width: Int) { self.width = max(width, Self.narrowest) }

    /// The lines of a paragraph after a label. Lines after the first are indented by the width of the label.
    package func wrap(_ text: String, behind label: String) -> [String] {
        var lines = wrap(text, indent: label.count)
        if lines.isEmpty { return [label] }
        lines[0] = label + lines[0].dropFirst(label.count)
        return lines
    }

    /// The lines of one paragraph. A word that is wider than the line keeps a line to itself.
    package func wrap(_ text: String, indent: Int = 0) -> [String] {
        let room = width - indent
        var lines: [String] = []
        var used = 0
        for word in Self.words(of: text).map(\.printable) {
            let length = word.count
            if !lines.isEmpty, used + 1 + length <= room {
                lines[lines.count - 1] += " " + word
                used += 1 + length
            } else {
                lines.append(word)
                used = length
            }
        }
        return lines.map { Self.spaces(indent) + $0 }
    }

    private static func words(of text: String) -> [Substring] {
        // In a text of only ASCII characters, bytes are compared, which is much faster.
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.split { $0 == 0x20 || 0x09...0x0D ~= $0 }.map { Substring($0) }
        }
        return text.split(whereSeparator: \.isWhitespace)
    }

    /// The lines of several paragraphs, which are separated by an empty line in the text and in the result. Within a
    /// paragraph, a line that begins with a label, such as `Try: two threads`, starts a new line.
    package func paragraphs(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let paragraphs = lines.split { $0.allSatisfy(\.isWhitespace) }.map { lines in
            lines.reduce(into: [String]()) { pieces, line in
                if pieces.isEmpty || Self.hasLabel(line) {
                    pieces.append(String(line))
                } else {
                    pieces[pieces.count - 1] += " " + line
                }
            }
        }
        return Array(paragraphs.map { $0.flatMap { wrap($0) } }.joined(separator: [""]))
    }

    /// Whether the line begins with a label: a capitalized word and a colon.
    private static func hasLabel(_ line: Substring) -> Bool {
        let word = line.prefix(while: \.isLetter)
        return word.first?.isUppercase == true && line[word.endIndex...].hasPrefix(": ")
    }

    /// The lines of two columns: terms on the left, their meanings on the right. The meaning of a term that is too wide
    /// for its column begins on the next line.
    package func columns(_ rows: [(left: String, right: String)]) -> [String] {
        let indent = 2
        let gap = 2
        let rows = rows.map { ($0.left.printable, $0.right) }
        let widest = rows.map(\.0.count).max() ?? 0
        // The column where the right texts begin. The left ones have at most a third of the width.
        let column = indent + min(widest, width / 3) + gap
        return rows.flatMap { left, right -> [String] in
            var lines = wrap(right, indent: column)
            let head = Self.spaces(indent) + left
            if lines.isEmpty || head.count + gap > column {
                return (head.count <= width ? [head] : wrap(left, indent: indent)) + lines
            }
            lines[0] = head + lines[0].dropFirst(head.count)
            return lines
        }
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
