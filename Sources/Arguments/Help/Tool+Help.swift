import Text

extension Tool {
    /// What `threadlab help …` prints, ending in a newline. Lines are at most `width` columns wide, and `width` counts
    /// as 40 if it is less.
    package func helpText(for topic: HelpTopic, scenarios: KnownScenarios = .none, width: Int = 80) -> String {
        let layout = Layout(width: width)
        let sections =
            switch topic {
            case .tool, .page: overview(layout)
            case .command(let name, let scenario):
                command(named: name).map { explain($0, scenario: scenario, scenarios, layout) } ?? overview(layout)
            }
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func overview(_ layout: Layout) -> [[String]] {
        [
            layout.wrap("\(name): \(summary)"),
            layout.wrap("Usage: \(name) COMMAND [OPTIONS] ..."),
            ["Commands:"] + layout.columns(commands.map { ($0.name, $0.summary) }),
            pages.isEmpty ? [] : ["Pages:"] + layout.columns(pages.map { ($0.text, $0.help) }),
            ["Options:"] + layout.columns(Self.options.map { ($0.usage, $0.help) }),
            hint.isEmpty ? [] : layout.wrap(hint),
            layout.wrap(
                "'\(name) help COMMAND' explains a command\(pages.isEmpty ? "" : "; 'help PAGE' shows a page")."),
        ]
    }

    private func explain(_ command: Command, scenario: String?, _ scenarios: KnownScenarios, _ layout: Layout)
        -> [[String]]
    {
        let known = command.takesScenarioOptions ? scenario : nil
        let options = OptionTable(command, scenario: known.map(scenarios.options) ?? [])
        let usage = [name, command.name, "[OPTIONS]"] + command.positionals.map(\.usage)

        func section(_ title: String, _ options: [Option]) -> [String] {
            let rows = options.map { ($0.usage, $0.help + facts(about: $0, in: command)) }
            return options.isEmpty ? [] : ["\(title):"] + layout.columns(rows)
        }

        return [
            layout.wrap("\(name) \(command.name): \(command.summary)"),
            layout.wrap("Usage: " + usage.joined(separator: " ")),
            layout.paragraphs(command.discussion),
            command.positionals.isEmpty
                ? []
                : ["Arguments:"] + layout.columns(command.positionals.map { ($0.name, $0.help + facts(about: $0)) }),
            section("Options", options.own),
            section("Options of \((known ?? "").printable)", options.scenarios),
            known == nil && command.takesScenarioOptions
                ? layout.wrap(
                    "A scenario may have options of its own: '\(name) help \(command.name) SCENARIO' shows them.")
                : [],
            command.examples.isEmpty ? [] : ["Examples:"] + command.examples.flatMap { example($0, layout) },
        ]
    }

    /// Command lines are not wrapped, so that they can be pasted.
    private func example(_ example: Example, _ layout: Layout) -> [String] {
        ["  \(name) \(example.line)"] + layout.wrap(example.help, indent: 6)
    }

    func facts(about option: Option, in command: Command) -> String {
        let excluded = command.exclusions(of: option.name).map { "--" + $0 }
        let exclusion = excluded.isEmpty ? nil : "not with " + ValueKind.either(excluded)
        let usual = option.defaultWord.map { "default \($0)" }
        let repetition = option.repeats ? "can be repeated" : nil
        return parenthesised([facts(about: option.kind), usual, repetition, exclusion].compactMap { $0 })
    }

    func facts(about positional: Positional) -> String {
        parenthesised([facts(about: positional.kind)].compactMap { $0 })
    }

    private func facts(about kind: ValueKind) -> String? {
        if case .choice = kind { kind.description } else { kind.limits }
    }

    private func parenthesised(_ facts: [String]) -> String {
        facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
    }
}
