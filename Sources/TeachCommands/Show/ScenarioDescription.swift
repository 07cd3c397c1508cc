import Arguments
import Authoring
import Console
import Library
import Text
import Trace

/// The description of a scenario in Swift that `show` prints, as text or as JSON.
struct ScenarioDescription {
    private let scenario: any Scenario.Type
    private let parameters: [ParameterDescription]
    /// The variants to describe: all of them, or the one that the user named.
    private let shown: [ParameterForm.Choice]

    init(_ scenario: any Scenario.Type) {
        self.scenario = scenario
        parameters = scenario.parameters
        shown = scenario.variants
    }

    init(_ named: NamedScenario) {
        scenario = named.type
        parameters = named.type.parameters
        shown = named.type.variants.filter { $0.word == named.variant ?? $0.word }
    }

    /// The path of the scenario's file in its package.
    private var source: String {
        if let path = Library.path(ofFile: scenario.source) { return path }
        let parts = scenario.source.namesOfPath
        return parts.lastIndex(of: "Sources").map { parts[$0...].joined(separator: "/") } ?? scenario.source
    }

    // MARK: - For people

    /// - Parameter program: the program's name, as the user typed it.
    func text(program: String, width: Int) -> String {
        let layout = Layout(width: width)
        let sections = [
            layout.wrap("\(scenario.name): \(scenario.summary)"),
            layout.paragraphs(scenario.lesson.replacing("`", with: "'")),
            runtimes.flatMap { layout.wrap($0) },
            variants("Broken variants", .broken, layout),
            variants("Fixed variants", .fixed, layout),
            variants("Other variants", .other, layout),
            parameterRows.isEmpty ? [] : ["Parameters:"] + layout.columns(parameterRows),
            guide.flatMap { layout.wrap($0) } + layout.wrap("Source: \(source)"),
            ["Try:"] + suggestions.map { "  \(program) \($0)" },
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var runtimes: [String] {
        guard let reason = scenario.realThreadsOnly else { return [] }
        return ["On real threads only, \(reason). 'check' makes some runs, and searches nothing."]
    }

    /// The section of a book whose idea the scenario shows.
    private var guide: [String] {
        guard let guide = scenario.guide else { return [] }
        return ["Guide: \(guide.chapter), \"\(guide.section)\", in: " + guide.book.reference]
    }

    /// The commands to try: for the default variant, and for the first broken variant if that is another one; or only
    /// for the variant that the user named. For a scenario on real threads alone: a run of each variant, and a check,
    /// or a run of the named variant.
    private var suggestions: [String] {
        if shown.count == 1, let only = shown.first, scenario.variants.count > 1 {
            let program = ScenarioProgram(configured(only))
            let commands = Suggestion.commands(
                "\(scenario.name) --variant \(only.word)", promisesFailure: program.promisesFailure)
            return scenario.realThreadsOnly == nil ? commands : Array(commands.prefix(1))
        }
        let usual = ScenarioProgram(scenario.init())
        guard scenario.realThreadsOnly == nil else {
            return scenario.variants.map { "run \(scenario.name) --variant \($0.word)" } + ["check \(scenario.name)"]
        }
        let commands = Suggestion.commands(scenario.name, promisesFailure: usual.promisesFailure)
        return usual.promisesFailure ? commands : commands + (firstBroken.map { [$0.searchArguments()] } ?? [])
    }

    private var firstBroken: ScenarioProgram? {
        scenario.variants.lazy.map { ScenarioProgram(configured($0)) }.first(where: \.promisesFailure)
    }

    private func configured(_ variant: ParameterForm.Choice) -> any Scenario {
        let scenario = scenario.init()
        _ = scenario.set(NamedScenario.parameter, to: variant.word)
        return scenario
    }

    private func variants(_ heading: String, _ role: VariantRole, _ layout: Layout) -> [String] {
        let usual = parameters.first { $0.name == NamedScenario.parameter }?.defaultValue
        let rows = shown.filter { $0.role == role }.map { variant in
            let mark = variant.word == usual ? " (the default)" : ""
            let rarity = variant.isRareOnRealThreads ? "; real threads rarely show it, 'explore' does" : ""
            let section = variant.guide.map { "; guide: \($0.description)" } ?? ""
            return (variant.word, "\(variant.summary); \(variant.expectation ?? "")\(rarity)\(mark)\(section)")
        }
        return rows.isEmpty ? [] : ["\(heading):"] + layout.columns(rows)
    }

    private var parameterRows: [(left: String, right: String)] {
        parameters.filter { $0.name != NamedScenario.parameter }.map { parameter in
            let range = parameter.range.map { "from \($0.lower) to \($0.upper); " } ?? ""
            return ("--\(parameter.name)", "\(parameter.help) (\(range)default \(parameter.defaultValue))")
        }
    }

    // MARK: - For scripts

    func writeJSON(to json: inout JSONObject) {
        json.member("name", scenario.name)
        json.member("summary", scenario.summary)
        json.member("lesson", scenario.lesson)
        write(scenario.guide, to: &json)
        json.member("source", source)
        json.member("realThreadsOnly", scenario.realThreadsOnly)
        json.objects("variants", shown) { variant, json in
            json.member("name", variant.word)
            json.member("summary", variant.summary)
            json.member("expectation", variant.expectation ?? "")
            write(variant.guide, to: &json)
        }
        json.objects("parameters", parameters) { Self.write($0, to: &$1) }
    }

    private func write(_ guide: Guide?, to json: inout JSONObject) {
        guard let guide else { return }
        json.object("guide") { json in
            json.member("book", guide.book.title)
            json.member("author", guide.book.author)
            json.member("edition", guide.book.edition)
            json.member("link", guide.book.link)
            json.member("chapter", guide.chapter)
            json.member("section", guide.section)
        }
    }

    static func write(_ parameter: ParameterDescription, to json: inout JSONObject) {
        json.member("name", parameter.name)
        json.member("help", parameter.help)
        switch parameter.form {
        case .integer: json.member("type", "integer")
        case .number: json.member("type", "number")
        case .text: json.member("type", "text")
        case .flag: json.member("type", "flag")
        case .duration: json.member("type", "duration")
        case .choice(let choices):
            json.member("type", "choice")
            json.array("choices", choices.map(\.word))
        }
        json.member("default", parameter.defaultValue)
        json.member("least", parameter.range?.lower)
        json.member("greatest", parameter.range?.upper)
    }
}

/// The commands that a description suggests.
enum Suggestion {
    /// - Parameters:
    ///   - call: the scenario's name, quoted for a shell, and perhaps its variant.
    ///   - promisesFailure: whether some run fails. Then no run with a seed is suggested, because it may not fail.
    /// - Returns: command lines without the program's name.
    static func commands(_ call: String, promisesFailure: Bool) -> [String] {
        ["run \(call)"] + (promisesFailure ? [] : ["run \(call) --seed 1 --format lanes"]) + ["explore \(call)"]
    }
}
