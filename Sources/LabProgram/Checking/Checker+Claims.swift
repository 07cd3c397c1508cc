import Diagnosis
import LabSyntax
import Machine
import Text
import Trace

/// Checks `expect`, `invariant` and `run`.
extension Checker {
    mutating func checkClaim(_ item: Syntax.Item) {
        switch item {
        case .expect(let declaration):
            if runsBuiltIn, declaration.kind.isAboutValues {
                diagnostics.report(RuleProblem.valuesOfBuiltIn, at: declaration.span)
                return
            }
            guard let kind = attempt({ checker throws(Refused) in try checker.kind(declaration) }) else { return }
            let claim = Program.Claim(
                kind: kind, isBroken: declaration.isBroken, model: declaration.model.map(MemoryModel.init),
                text: line(declaration.span),
                site: site(declaration.span))
            refuseContradiction(declaration, claim.model)
            program.claims.append(claim)
        case .run(let declaration): check(declaration)
        default: break
        }
    }

    private mutating func kind(_ declaration: Syntax.ExpectDeclaration) throws(Refused) -> Program.Claim.Kind {
        switch declaration.kind {
        case .completes: return .completes
        case .findings(let words): return .findings(try outcomes(words))
        case .warnings(let words): return .warnings(try warnings(words))
        case .always(let expression): return .always(try observation(expression))
        case .never(let expression): return .never(try observation(expression))
        case .sometimes(let expression): return .sometimes(try observation(expression))
        case .possible(let expression): return .possible(try observation(expression))
        case .eventually(let expression): return .eventually(try observation(expression))
        case .invariant(let expression): return .invariant(try observation(expression))
        case .outcomes(let rows): return try finalValues(rows, declaration.span)
        case .linearizable:
            if program.specification == nil, diagnostics.errors.isEmpty {
                throw refuse(RuleProblem.noSpecification, at: declaration.span)
            }
            return .linearizable
        }
    }

    /// The outcomes that the words after `expect` name, such as `race`.
    private mutating func outcomes(_ words: [Syntax.Name]) throws(Refused) -> [OutcomeKind] {
        var kinds: [OutcomeKind] = []
        for word in words {
            guard let kind = OutcomeWords.kind(word.text) else {
                throw refuse(NameProblem.unknownOutcome(word.text), at: word.span)
            }
            kinds.append(kind)
        }
        return kinds
    }

    private mutating func warnings(_ words: [Syntax.Name]) throws(Refused) -> [WarningKind] {
        var kinds: [WarningKind] = []
        for word in words {
            guard let kind = WarningKind(word: word.text) else {
                throw refuse(NameProblem.unknownWarning(word.text), at: word.span)
            }
            kinds.append(kind)
        }
        return kinds
    }

    /// Checks the condition of a claim.
    private mutating func observation(_ expression: Syntax.Expression) throws(Refused) -> Program.Expression {
        try with(.claim) { checker throws(Refused) in try checker.value(expression, .boolean) }
    }

    /// Refuses `completes` together with findings or with a broken claim, and a second claim of a kind that may occur
    /// only once, for the same memory model in each case. Records the claim in `said`.
    private mutating func refuseContradiction(_ claim: Syntax.ExpectDeclaration, _ model: MemoryModel?) {
        func report(_ problem: RuleProblem, ifAlreadySaid earlier: SaidOfRuns.Models) {
            if earlier.meets(model) { diagnostics.report(problem, at: claim.span) }
        }
        if claim.isBroken {
            report(.completesAndBroken, ifAlreadySaid: said.completes)
            said.broken.models.insert(model)
        }
        switch claim.kind {
        case .completes:
            report(.completesAndMore, ifAlreadySaid: said.findings)
            report(.completesAndBroken, ifAlreadySaid: said.broken)
            report(.secondRuns, ifAlreadySaid: said.completes)
            said.completes.models.insert(model)
        case .findings:
            report(.completesAndMore, ifAlreadySaid: said.completes)
            said.findings.models.insert(model)
        case .outcomes:
            report(.secondRuns, ifAlreadySaid: said.outcomes)
            said.outcomes.models.insert(model)
        case .linearizable:
            report(.secondRuns, ifAlreadySaid: said.linearizable)
            said.linearizable.models.insert(model)
        case .warnings, .always, .never, .sometimes, .possible, .eventually, .invariant: break
        }
    }

    // MARK: - Outcomes

    /// Checks the rows of `outcomes`, each of which must give the values of the same variables.
    private mutating func finalValues(_ rows: [Syntax.Expression], _ span: Span) throws(Refused)
        -> Program.Claim.Kind
    {
        if rows.isEmpty { throw refuse(RuleProblem.noRows, at: span) }
        var places: [Program.Place] = []
        var names: [String] = []
        var finals: [Program.Claim.Row] = []
        for row in rows {
            var values: [String: Program.Claim.Final] = [:]
            for (variable, value) in try equations(row) {
                let name = line(variable.span)
                let (place, final) = try equation(variable, value)
                if values[name] != nil { throw refuse(RuleProblem.variableTwice(name), at: variable.span) }
                // The first row says which variables all rows give.
                if finals.isEmpty {
                    places.append(place)
                    names.append(name)
                }
                values[name] = final
            }
            guard values.count == names.count, names.allSatisfy({ values[$0] != nil }) else {
                throw refuse(RuleProblem.differentRow(names), at: row.span)
            }
            finals.append(Program.Claim.Row(values: names.compactMap { values[$0] }, text: line(row.span)))
        }
        return .outcomes(places, rows: finals)
    }

    /// The two sides of each `==` in `x == 1 && y == 0`.
    private mutating func equations(
        _ row: Syntax.Expression
    ) throws(Refused) -> [(variable: Syntax.Expression, value: Syntax.Expression)] {
        switch row.kind {
        case .binary(.and, let left, let right): return try equations(left) + equations(right)
        case .binary(.strict(.equal), let left, let right): return [(left, right)]
        default: throw refuse(RuleProblem.notARow, at: row.span)
        }
    }

    /// Checks `variable == value`, where the variable may be a list, and the value must be constant.
    private mutating func equation(
        _ variable: Syntax.Expression, _ value: Syntax.Expression
    ) throws(Refused) -> (Program.Place, Program.Claim.Final) {
        if case .list(let values) = value.kind {
            let place = try listPlace(variable)
            let type = elementType(of: place)
            var constants: [Program.Expression] = []
            for value in values { constants.append(try constant(value, type)) }
            return (place, .list(constants))
        }
        let read = try with(.claim) { checker throws(Refused) in try checker.value(variable) }
        switch read.kind {
        case .read(let place), .perform(.operation(.load, _, _), let place, _):
            guard place.index?.isConstant ?? true else {
                throw refuse(RuleProblem.notConstant(instead: nil), at: variable.span)
            }
            return (place, .value(try constant(value, read.type ?? .integer)))
        default: throw refuse(RuleProblem.notARow, at: variable.span)
        }
    }

    // MARK: - Built-in scenarios and compiled programs

    private mutating func check(_ declaration: Syntax.RunDeclaration) {
        let span = declaration.target.span
        if program.builtIn != nil || program.call != nil { diagnostics.report(RuleProblem.secondRun, at: span) }
        if !program.threads.isEmpty || !program.objects.isEmpty || program.finally != nil || !program.functions.isEmpty
        {
            diagnostics.report(RuleProblem.runAmongOthers, at: span)
        }
        var names: Set<String> = []
        for argument in declaration.arguments where !names.insert(argument.name.text).inserted {
            diagnostics.report(RuleProblem.argumentTwice(argument.name.text), at: argument.name.span)
        }
        switch declaration.target {
        case .scenario(let name): checkRun(of: name, declaration.arguments)
        case .program(let path, let span): checkCall(of: path, span, declaration.arguments)
        }
    }

    /// Checks the run of a compiled program. Each argument is a gift: an input that the file gives to the program.
    private mutating func checkCall(of path: String, _ span: Span, _ arguments: [Syntax.RunDeclaration.Argument]) {
        if !path.contains("/") || path.hasSuffix("/") { diagnostics.report(RuleProblem.noProgramPath, at: span) }
        if let parameter = program.parameters.first {
            diagnostics.report(RuleProblem.parameterOfProgram(parameter.name), at: span)
        }
        var call = Program.ProgramCall(path: path)
        for argument in arguments {
            guard let gift = Program.ProgramCall.Gift(rawValue: argument.name.text) else {
                diagnostics.report(NameProblem.unknownGift(argument.name.text), at: argument.name.span)
                continue
            }
            guard case .text(let text) = argument.value else {
                diagnostics.report(RuleProblem.giftIsText, at: argument.valueSpan)
                continue
            }
            // The value of `input` is the path of a file, which is not split into words.
            let words: [String]? = gift == .input ? [] : ShellWords(text)?.words
            if words == nil { diagnostics.report(RuleProblem.openQuotation, at: argument.valueSpan) }
            let loading = (words ?? []).compactMap { Program.ProgramCall.loadingVariable($0) }
            if gift == .environment, let name = loading.first {
                diagnostics.report(RuleProblem.loadedCode(name), at: argument.valueSpan)
            }
            call.gifts[gift] = text
        }
        program.call = call
    }

    private mutating func checkRun(of scenario: Syntax.Name, _ arguments: [Syntax.RunDeclaration.Argument]) {
        var run = Program.BuiltInRun(scenario: scenario.text, arguments: [], site: site(scenario.span))
        let known = knownScenario(scenario)
        for argument in arguments {
            if let value = attempt({ checker throws(Refused) in try checker.argument(argument, run.scenario, known) }) {
                let place = site(argument.name.span)
                run.arguments.append(
                    Program.BuiltInRun.Argument(name: argument.name.text, value: value, site: place))
            }
        }
        program.builtIn = run
    }

    private mutating func knownScenario(_ name: Syntax.Name) -> KnownScenario? {
        guard let builtIns else { return nil }
        if let known = builtIns.first(where: { $0.name == name.text }) { return known }
        let hint = suggestion(for: name.text, among: builtIns.map(\.name)) ?? "'threadlab show' lists them"
        diagnostics.report(NameProblem.unknownScenario(name.text, hint: hint), at: name.span)
        return nil
    }

    private mutating func argument(
        _ argument: Syntax.RunDeclaration.Argument, _ scenario: String, _ known: KnownScenario?
    ) throws(Refused) -> Program.BuiltInRun.Argument.Value {
        let form = try form(of: argument.name, known)
        switch argument.value {
        case .word(let word):
            if case .parameter(let number)? = globals[word]?.global {
                usage.used.insert(.parameter(number))
                let type = program.parameters[number].type
                return .value(
                    Program.Expression(kind: .parameter(number), type: type, site: site(argument.valueSpan)))
            }
            guard case .words(let words)? = form else {
                if form == nil { return .word(word) }
                throw refuse(NameProblem.unknownWord(word, hint: nil), at: argument.valueSpan)
            }
            if words.contains(word) { return .word(word) }
            let hint = suggestion(for: word, among: words) ?? "available: \(words.joined(separator: ", "))"
            throw refuse(NameProblem.unknownWord(word, hint: hint), at: argument.valueSpan)
        case .text: throw refuse(RuleProblem.textForScenario, at: argument.valueSpan)
        case .expression(let expression):
            switch form {
            case .integer: return .value(try constant(expression, .integer))
            case .duration: return .value(try constant(expression, .duration))
            case .words(let words):
                let hint = "available: \(words.joined(separator: ", "))"
                throw refuse(NameProblem.unknownWord(line(expression.span), hint: hint), at: expression.span)
            case nil: return .value(try constant(expression))
            }
        }
    }

    /// What the scenario's parameter of this name accepts. Nil: the scenario is not known here.
    private mutating func form(
        of name: Syntax.Name, _ known: KnownScenario?
    ) throws(Refused) -> KnownScenario.Parameter.Form? {
        guard let known else { return nil }
        if let parameter = known.parameters.first(where: { $0.name == name.text }) { return parameter.form }
        let names = known.parameters.map(\.name)
        let hint = suggestion(for: name.text, among: names) ?? "available: \(names.joined(separator: ", "))"
        throw refuse(NameProblem.unknownParameter(name.text, of: known.name, hint: hint), at: name.span)
    }
}

/// What the expectations checked so far have claimed, and for which memory models: some claims exclude each other for
/// the same model, and some may occur only once.
struct SaidOfRuns {
    /// The memory models of the claims of one kind.
    struct Models {
        /// Nil stands for any model.
        var models: Set<MemoryModel?> = []

        /// Whether one of these claims and a claim about this model are about the same runs.
        func meets(_ model: MemoryModel?) -> Bool {
            models.contains(model) || models.contains(nil) || (model == nil && !models.isEmpty)
        }
    }

    var completes = Models()
    var findings = Models()
    var broken = Models()
    var outcomes = Models()
    var linearizable = Models()
}

extension MemoryModel {
    fileprivate init(_ word: ModelWord) {
        switch word {
        case .sc, .seqcst: self = .sc
        case .tso: self = .tso
        case .rc11, .weak: self = .rc11
        }
    }
}

extension Syntax.ExpectDeclaration.Kind {
    /// Whether the claim is about the values of variables, rather than about how runs end.
    fileprivate var isAboutValues: Bool {
        switch self {
        case .completes, .findings, .warnings: false
        case .always, .never, .sometimes, .possible, .eventually, .invariant, .outcomes, .linearizable: true
        }
    }
}

/// The words in `expect` for the ways in which a run may end.
package enum OutcomeWords {
    /// The outcomes that `expect` can name as findings. Interrupted runs say nothing about the program, and a claim
    /// that is meant to fail says so itself by `broken`.
    package static let kinds = OutcomeKind.allCases.filter { kind in
        kind != .completed && kind != .interrupted && kind != .claim && kind != .brokenClaim
    }

    static let all = kinds.map(\.rawValue) + others
    /// A hint that lists them all.
    static let list = "available: \(all.joined(separator: ", "))"

    /// Words that can follow `expect` and are not outcomes.
    static let others = [
        Keyword.completes, .always, .never, .sometimes, .possible, .eventually, .outcomes, .linearizable, .warning,
        .broken,
    ].map(\.rawValue)

    package static func kind(_ word: String) -> OutcomeKind? { kinds.first { $0.rawValue == word } }
}
