import Arguments
import Authoring
import LabExecution
import Text
import Trace

/// `threadlab show NAME`
enum ShowAction: Action {
    struct Options: OptionGroup {
        let name: Listed<String>
        let variant: Listed<String?>
        let format: Listed<OutputForm>
        let code: Listed<Bool>

        init(_ list: inout OptionList) {
            name = list.one(
                "NAME", .scenario, "A scenario or program from 'list', a .lab file, or - for standard input")
            variant = list.oneOrNone(
                "VARIANT", .text, "With --code: mark the lines of a Swift scenario that name this variant")
            format = list.outputForm()
            code = list.flag("code", "Print the source code instead")
            list.exclude([[format, code]])
        }
    }

    static let command = TypedCommand<Options>(
        "show", "Describe a scenario: what it teaches, its variants and parameters",
        onlyReads: true,
        examples: [
            Example("show deadlock", "the deadlock scenario"),
            Example("show lost-update --code", "a program's text"),
            Example("show deadlock --code ring", "the Swift code, with the lines that name a variant marked"),
        ],
        scenarioExamples: [Example("show NAME", "what it shows, and its variants")])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let name = arguments.name
        let isJSON = arguments.format == .json
        if let variant = arguments.variant, !arguments.code {
            throw Complaint("VARIANT \(variant.printable): it needs \(arguments.options.code.spelling)")
        }
        if session.files.names(name) {
            let file = try session.files.file(name)
            if arguments.code { return try print(try text(of: file, arguments), session) }
            // A compiled program is not started to be shown.
            let scenario = file.program.call == nil ? try session.files.configured(name, []) : nil
            let hasWeakOrders = (scenario as? LabScenario)?.hasWeakOrders ?? false
            let isLitmusTest = scenario.map { (try? LitmusTest($0, session)) != nil } ?? false
            let promisesFailure = scenario?.promisesFailure ?? !file.program.expectation.findings.isEmpty
            let description = LabDescription(file)
            return try isJSON
                ? print(json: description.writeJSON)
                : print(
                    description.text(
                        program: session.program, width: session.textWidth, promisesFailure: promisesFailure,
                        hasWeakOrders: hasWeakOrders, isLitmusTest: isLitmusTest), session)
        }
        let named = try session.scenario(named: name)
        if arguments.code { return try print(text(of: named, arguments.variant), session) }
        let description = ScenarioDescription(named)
        return try isJSON
            ? print(json: description.writeJSON)
            : print(description.text(program: session.program, width: session.textWidth), session)
    }

    private static func print(_ text: String, _ session: Session) throws -> ExitCode {
        try StandardOutput.page(session.pager, text)
        return .expected
    }

    private static func print(json write: (inout JSONObject) -> Void) throws -> ExitCode {
        try StandardOutput.write { $0.writeLine(write) }
        return .expected
    }

    // MARK: - Source code

    private static func text(of file: LabFile, _ arguments: TypedArguments<Options>) throws(Complaint) -> String {
        let source = file.program.source
        if let variant = arguments.variant {
            throw Complaint(
                "VARIANT \(variant.printable): \(source.name.printable) is a .lab program, without variants")
        }
        return String(decoding: source.bytes, as: UTF8.self)
    }

    private static func text(of scenario: NamedScenario, _ variant: String?) throws(Complaint) -> String {
        let text = try SourceLines.wholeFile(scenario.type.source)
        guard let variant = variant ?? scenario.variant else { return text }
        try NamedScenario.require(variant, of: scenario.type)
        return VariantLines.marked(variant, in: text)
    }
}
