import Authoring
import LabProgram
import LabSyntax
import Text
import Trace

/// A `.lab` file that has been read, and can be configured and run.
package struct LabFile: Sendable {
    package let program: Program
    /// The built-in scenarios that it may run.
    private let scenarios: [any Scenario.Type]

    package init(_ program: Program, scenarios: [any Scenario.Type]) {
        self.program = program
        self.scenarios = scenarios
    }

    /// The parameters that the command line can set.
    package var parameters: [ParameterDescription] {
        program.parameters.map { parameter in
            ParameterDescription(
                name: parameter.name, help: parameter.help, form: parameter.type.form,
                defaultValue: parameter.type.word(parameter.defaultValue),
                range: parameter.range.map {
                    (parameter.type.word($0.lowerBound), parameter.type.word($0.upperBound))
                })
        }
    }

    /// The program with these parameters; the others have their defaults.
    ///
    /// - Throws: the error in the values: also for an unknown name or word.
    package func configured(_ arguments: [(name: String, value: String)]) throws -> any Runnable {
        var values = program.parameters.map(\.defaultValue)
        for (name, word) in arguments {
            guard let number = program.parameters.firstIndex(where: { $0.name == name }),
                let value = program.parameters[number].type.value(of: word)
            else {
                throw LabFileProblem(
                    message: "\(program.source.name) has no parameter '\(name)' with the value '\(word)'")
            }
            values[number] = value
        }
        let words = zip(program.parameters, values).map { ($0.name, $0.type.word($1)) }
        if let run = program.builtIn {
            let scenario = try configured(run, try program.configured(with: values))
            return LabScenario(
                program: program, parameters: parameters, arguments: words, body: .builtIn(scenario))
        }
        let bytecode = try program.compiled(with: values)
        return LabScenario(
            program: program, parameters: parameters, arguments: words, body: .program(CompiledProgram(bytecode)))
    }

    private func configured(_ run: Program.BuiltInRun, _ configuration: Configuration) throws -> ScenarioProgram {
        guard let type = scenarios.first(where: { $0.name == run.scenario }) else {
            throw LabFileProblem(message: "\(program.source.name): there is no scenario '\(run.scenario)'")
        }
        let scenario = type.init()
        let evaluator = ConstantEvaluator(arguments: configuration.arguments)
        for argument in run.arguments {
            let word: String
            switch argument.value {
            case .word(let text): word = text
            case .value(let expression):
                guard let value = try? evaluator.value(of: expression) else {
                    throw LabFileProblem(message: place(argument.site) + "'\(argument.name)' has no value")
                }
                word = (expression.type ?? .integer).word(value)
            }
            guard scenario.set(argument.name, to: word) else {
                throw LabFileProblem(
                    message: place(argument.site)
                        + "\(run.scenario) has no parameter '\(argument.name)' with the value '\(word)'")
            }
        }
        return ScenarioProgram(scenario)
    }

    private func place(_ site: Site) -> String { "\(program.source.name):\(site.line):\(site.column): " }
}

/// The error in a configuration, as a sentence.
package struct LabFileProblem: Error {
    package let message: String
}

extension ValueType {
    fileprivate var form: ParameterForm {
        switch self {
        case .integer: .integer
        case .duration: .duration
        case .boolean:
            .choice(["false", "true"].map { ParameterForm.Choice(word: $0, summary: "", expectation: nil) })
        }
    }

    /// As typed on the command line.
    fileprivate func word(_ value: Int) -> String {
        switch self {
        case .integer: "\(value)"
        case .boolean: value == 0 ? "false" : "true"
        case .duration: DurationText.write(UInt64(max(0, value)))
        }
    }

    fileprivate func value(of word: String) -> Int? {
        switch self {
        case .integer: Int(word)
        case .boolean: word == "true" ? 1 : word == "false" ? 0 : nil
        case .duration: DurationText.read(word).flatMap { Int(exactly: $0) }
        }
    }
}
