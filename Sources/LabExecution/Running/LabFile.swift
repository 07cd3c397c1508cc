import Authoring
import Execution
import LabProgram
import LabSyntax
import Machine
import Text
import Trace

/// A `.lab` file that has been read, and can be configured and run.
package struct LabFile: Sendable {
    package let program: Program
    /// The built-in scenarios that it may run.
    private let scenarios: [any Scenario.Type]
    /// How it is judged as a submission to a task. Nil: it is not a submission.
    private let judged: LabScenario.Judged?

    /// - Parameter judged: how the program is judged if it is a submission; otherwise nil.
    package init(_ program: Program, scenarios: [any Scenario.Type], judged: LabScenario.Judged? = nil) {
        self.program = program
        self.scenarios = scenarios
        self.judged = judged
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

    /// The program with these parameters. Other parameters have their defaults.
    ///
    /// - Throws: an error that describes the wrong value, or the unknown name or word.
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
        if let call = program.call {
            throw LabFileProblem(
                message: "\(program.source.name) runs a program, '\(call.path)', and nothing is started here: "
                    + "explore, run, replay, play and check start the programs of files that are named")
        }
        let words = zip(program.parameters, values).map { ($0.name, $0.type.word($1)) }
        if let run = program.builtIn {
            let scenario = try configured(run, try program.configured(with: values))
            return LabScenario(
                program: program, parameters: parameters, arguments: words, values: values, body: .builtIn(scenario),
                judged: judged)
        }
        let bytecode = try program.compiled(with: values)
        return LabScenario(
            program: program, parameters: parameters, arguments: words, values: values,
            body: .program(InterpretedProgram(bytecode)),
            judged: judged)
    }

    /// The built-in scenario that the file runs, with the arguments that the file gives it.
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

/// Why a file cannot be configured, as a sentence.
package struct LabFileProblem: Error, CustomStringConvertible {
    package let message: String

    package var description: String { message }
}

extension ValueType {
    fileprivate var form: ParameterForm {
        switch self {
        case .integer: .integer
        case .duration: .duration
        case .boolean:
            .choice(["false", "true"].map { ParameterForm.Choice(word: $0, summary: "", variant: nil) })
        }
    }

    /// The value as typed on the command line.
    fileprivate func word(_ value: Int) -> String {
        switch self {
        case .integer: "\(value)"
        case .boolean: value == 0 ? "false" : "true"
        case .duration: DurationText.write(UInt64(max(0, value)))
        }
    }

    /// The value of a word that was typed. Nil: the word is not such a value.
    fileprivate func value(of word: String) -> Int? {
        switch self {
        case .integer: Int(word)
        case .boolean: word == "true" ? 1 : word == "false" ? 0 : nil
        case .duration: DurationText.read(word).flatMap { Int(exactly: $0) }
        }
    }
}

/// A `.lab` file with values for its parameters: something that can be run and searched.
package struct LabScenario: Runnable {
    /// What the file runs.
    package enum Body: Sendable {
        /// Its own threads.
        case program(InterpretedProgram)
        /// A built-in scenario, with parameters.
        case builtIn(ScenarioProgram)
    }

    /// How a submission to a task is judged.
    package struct Judged: Sendable {
        /// The path of the task's file. Nil: no command can name it.
        package var taskPath: String?
        /// Whether time may pass at any moment, because the submission's code waits for time.
        package var hasFreeTime: Bool

        package init(taskPath: String?, hasFreeTime: Bool) {
            self.taskPath = taskPath
            self.hasFreeTime = hasFreeTime
        }
    }

    package private(set) var program: Program
    package let parameters: [ParameterDescription]
    package let arguments: [(name: String, value: String)]
    /// The values of the parameters.
    let values: [Int]
    package private(set) var body: Body
    package let judged: Judged?

    package var taskPath: String? { judged?.taskPath }
    package var hasFreeTime: Bool { judged?.hasFreeTime ?? false }

    /// Whether the task forbids busy waiting and the program could do so: only a loop without a counter can.
    package var forbidsBusyWaiting: Bool {
        guard program.task?.forbidsBusyWaiting == true, case .program(let compiled) = body else { return false }
        return compiled.bytecode.hasUncountedLoops
    }

    package var name: String { program.source.name }

    /// The program's text, for traces. Nil if its comments contain bytes that are not UTF-8, which a trace cannot
    /// contain.
    package var carried: TraceHeader.Program? {
        String(validating: program.source.bytes, as: UTF8.self).map { .text($0) }
    }

    package var label: String { program.title }

    package var guide: String? {
        if case .builtIn(let scenario) = body { scenario.guide } else { nil }
    }

    /// The outcomes that the file expects; if it states none, a built-in scenario's own expectation.
    package var expectation: Expectation {
        if !program.statesExpectation, case .builtIn(let scenario) = body { return scenario.expectation }
        return program.expectation
    }

    package var statesExpectation: Bool {
        if case .builtIn = body { return true }
        return program.statesExpectation
    }

    /// The texts of the states that some run must reach: those of `expect possible` and `expect sometimes`, and the
    /// rows of `expect outcomes`. If the file marks several claims as broken, for each also the state in which it is
    /// broken.
    package var soughtStates: [String] { program.soughtStates }

    package var seeksStatesOnTheWay: Bool { program.seeksStatesOnTheWay }

    package var claimsLinearizability: Bool {
        program.presentClaims.contains { claim in
            if case .linearizable = claim.kind { !claim.isBroken } else { false }
        }
    }

    package var hasClaims: Bool {
        if case .program(let program) = body { !program.bytecode.claims.isEmpty } else { false }
    }

    package func run() throws {
        switch body {
        case .program(let program): try program.run()
        case .builtIn(let scenario): try scenario.run()
        }
    }

    package var runsOwnCode: Bool {
        if case .builtIn = body { true } else { false }
    }

    package var hasStates: Bool { !runsOwnCode }

    package var model: MemoryModel { program.model }

    /// Real threads do at most what the program's own orders allow, so expectations under their model apply to them.
    package var isAboutRealThreads: Bool {
        model == .sc || traits?.contains(.weakOrders) == true && model == .rc11 && program.includesGeneralClaims
    }

    package func under(_ model: MemoryModel, alone: Bool) throws -> any Runnable {
        if case .builtIn = body { return self }
        var scenario = self
        scenario.program = program.under(model, alone: alone)
        scenario.body = .program(InterpretedProgram(try scenario.program.compiled(with: values)))
        return scenario
    }

    package var isForNamedModelAlone: Bool { !program.includesGeneralClaims }

    /// Whether all orders are seqcst and no race is expected. The operations that record calls count too, because under
    /// a weaker model they order memory.
    package var isSequential: Bool {
        guard case .program(let program) = body else { return false }
        return !program.bytecode.hasWeakOrders && !expectation.allowed.contains(.race)
    }

    /// Whether an operation on an atomic has an order weaker than seqcst, so that memory models differ.
    package var hasWeakOrders: Bool {
        if case .program(let program) = body { program.bytecode.hasWeakOrders } else { false }
    }

    package var hasWeakUpdates: Bool {
        guard case .program(let program) = body else { return false }
        return program.bytecode.hasWeakUpdates
    }

    /// Waits inside built objects do not count: they are in loops of their own, which a spurious wake-up does not end.
    package var traits: ProgramTraits? {
        guard case .program(let compiled) = body else { return nil }
        var traits: ProgramTraits = []
        if program.objects.contains(where: { $0.kind == .condition }), compiled.bytecode.hasWaits {
            traits.insert(.waits)
        }
        if compiled.bytecode.hasWeakUpdates { traits.insert(.weakUpdates) }
        if compiled.bytecode.hasWrittenWeakOrders { traits.insert(.weakOrders) }
        return traits
    }

    package func obstacle(under model: MemoryModel) -> String? {
        switch body {
        case .program(let program): program.bytecode.obstacle(under: model)
        case .builtIn(let scenario): scenario.obstacle(under: model)
        }
    }

    package var partWithoutGraph: String? {
        switch body {
        case .program(let program): program.bytecode.partWithoutGraph
        case .builtIn(let scenario): scenario.partWithoutGraph
        }
    }

    /// A program runs on the engine. Only a built-in scenario needs fibers.
    package func makeSubject(_ rules: Rules, log: ChoiceMemory?) -> any Subject {
        switch body {
        case .program(let program): Engine(program.bytecode, rules: rules)
        case .builtIn(let scenario): scenario.makeSubject(rules, log: log)
        }
    }

    package func seenStates(of subject: any Subject) -> [Int] {
        guard let engine = subject as? Engine else { return [] }
        let seen = engine.seenStates
        return soughtStates.indices.filter { seen.contains(soughtStates[$0]) }
    }

    package func review(_ remains: Remains) throws {
        if case .builtIn(let scenario) = body { try scenario.review(remains) }
    }
}

/// A `.lab` program that runs on its caller's runtime: real threads, or the controlled scheduler.
package struct InterpretedProgram: Sendable {
    package let bytecode: Bytecode

    package init(_ bytecode: Bytecode) { self.bytecode = bytecode }

    /// Runs the program to its end. Called on the main thread of a run.
    package func run() throws {
        let runtime = ThreadContext.runtime
        let run = LabRun(bytecode, runtime)
        guard case .controlled(let controlled) = runtime else { return try run.runThread(nil) }
        let driver = controlled.takeUnretainedValue().driver
        run.showState(to: controlled.takeUnretainedValue())
        run.showLists(to: controlled.takeUnretainedValue())
        defer {
            driver.program = nil
            controlled.takeUnretainedValue().journal?.textOfList = nil
        }
        try run.runThread(nil)
    }
}
