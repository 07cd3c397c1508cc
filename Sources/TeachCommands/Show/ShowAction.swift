import Arguments
import Authoring
import Console
import LabExecution
import Litmus
import Text
import Trace

/// `threadlab show`, `threadlab show CHAPTER`, `threadlab show NAME`: lists the scenarios and programs that come with
/// threadlab, or describes one.
package enum ShowAction: Action {
    package struct Options: OptionGroup {
        let name: Listed<String?>
        let variant: Listed<String?>
        let format: Listed<OutputForm>
        let long, code: Listed<Bool>

        package init(_ list: inout OptionList) {
            name = list.oneOrNone(
                "NAME", .scenarioOrWord(.chapters),
                "A chapter, a scenario or program, a .lab file, or - for standard input; by default all chapters")
            variant = list.oneOrNone(
                "VARIANT", .text, "With --code: mark the lines of a Swift scenario that name this variant")
            format = list.outputForm()
            long = list.flag("long", "Show a line or two on each scenario and program of all chapters")
            code = list.flag("code", "Print the source code instead")
            list.exclude([[format, code], [long, code]])
        }
    }

    package static let command = TypedCommand<Options>(
        "show", "List scenarios and programs by chapter, or describe one",
        onlyReads: true,
        examples: [
            Example("show", "the chapters, and the names of the scenarios"),
            Example("show conditions", "the programs of a chapter"),
            Example("show deadlock", "the deadlock scenario"),
            Example("show lost-update --code", "a program's text"),
            Example("show deadlock --code ring", "the Swift code, with the lines that name a variant marked"),
        ],
        scenarioExamples: [Example("show NAME", "what it shows, and its variants")])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let isJSON = arguments.format == .json
        guard let name = arguments.name else { return try list(ScenarioList(session), arguments, session) }
        if let variant = arguments.variant, !arguments.code {
            throw Complaint("VARIANT \(variant.printable): it needs \(arguments.options.code.spelling)")
        }
        if session.files.names(name) {
            if arguments.long { throw needsNoName(arguments) }
            let file = try session.files.file(name)
            if arguments.code { return try print(try text(of: file, arguments), session) }
            // Showing a compiled program must not start it.
            let scenario = file.program.call == nil ? try session.files.configured(name, []) : nil
            let hasWeakOrders = (scenario as? LabScenario)?.hasWeakOrders ?? false
            let isLitmusTest = (scenario as? LabScenario)?.isLitmusTest ?? false
            let promisesFailure = scenario?.promisesFailure ?? !file.program.expectation.findings.isEmpty
            let description = LabDescription(file)
            return try isJSON
                ? print(json: description.writeJSON)
                : print(
                    description.text(
                        program: session.program, width: session.textWidth, promisesFailure: promisesFailure,
                        hasWeakOrders: hasWeakOrders, isLitmusTest: isLitmusTest), session)
        }
        if !session.namesScenario(name), let chapter = ScenarioList(chapter: name, session) {
            return try list(chapter, arguments, session)
        }
        if !session.namesScenario(name), !name.hasSlash, let chapter = ScenarioList.closest(to: name, session) {
            throw Complaint("no scenario or chapter is called '\(name.printable)': did you mean '\(chapter)'?")
        }
        let named = try session.scenario(named: name)
        if arguments.long { throw needsNoName(arguments) }
        if arguments.code { return try print(text(of: named, arguments.variant), session) }
        let description = ScenarioDescription(named)
        return try isJSON
            ? print(json: description.writeJSON)
            : print(description.text(program: session.program, width: session.textWidth), session)
    }

    private static func list(
        _ list: ScenarioList, _ arguments: TypedArguments<Options>, _ session: Session
    ) throws -> ExitCode {
        if arguments.code {
            throw Complaint("\(arguments.options.code.spelling) is for one scenario or program: name it")
        }
        if arguments.format == .json {
            var failure: (any Error)?
            try StandardOutput.write { sink in do { try list.writeJSON(to: &sink) } catch { failure = error } }
            if let failure { throw failure }
        } else {
            let isLong = arguments.long || arguments.name != nil
            try StandardOutput.page(session.pager, isLong ? list.details : list.overview)
        }
        return .expected
    }

    private static func needsNoName(_ arguments: TypedArguments<Options>) -> Complaint {
        Complaint("\(arguments.options.long.spelling) is for chapters: name none, or one of them")
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

extension LabScenario {
    /// Whether `litmus` can run it.
    fileprivate var isLitmusTest: Bool {
        guard case .program(let compiled) = body else { return false }
        return (try? LitmusProgram(program, compiled.bytecode.configuration)) != nil
    }
}
