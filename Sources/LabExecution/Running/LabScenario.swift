import Authoring
import Execution
import LabProgram
import Machine
import Trace

/// A configured `.lab` file.
package struct LabScenario: Runnable {
    package enum Body: Sendable {
        case program(CompiledProgram)
        case builtIn(ScenarioProgram)
    }

    package let program: Program
    package let parameters: [ParameterDescription]
    package let arguments: [(name: String, value: String)]
    package let body: Body

    package var name: String { program.source.name }
    package var label: String { program.title }

    package var guide: String? {
        if case .builtIn(let scenario) = body { scenario.guide } else { nil }
    }

    /// The outcomes that the file expects; if it states none, a built-in scenario's own expectation.
    package var expectation: Expectation {
        var findings: [OutcomeKind] = []
        var warnings: [WarningKind] = []
        var saysHow = false
        if !program.brokenClaims.isEmpty {
            saysHow = true
            findings.append(.brokenClaim)
        }
        for claim in program.claims where claim.model != .weak {
            switch claim.kind {
            case .completes: saysHow = true
            case .findings(let kinds):
                saysHow = true
                findings += kinds
            case .warnings(let kinds):
                saysHow = true
                // A warning that is promised twice is listed once.
                for kind in kinds where !warnings.contains(kind) { warnings.append(kind) }
            case .always, .never, .sometimes, .eventually, .invariant, .outcomes: break
            }
        }
        if !saysHow, case .builtIn(let scenario) = body { return scenario.expectation }
        var expectation = Expectation(orElse: findings, warnings: warnings)
        expectation.continuesForever = program.hasProgress
        return expectation
    }

    /// The states required by `expect sometimes` and the rows of `expect outcomes`; and that each of several broken claims is
    /// broken.
    package var soughtStates: [String] { program.soughtStates }

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

    /// A program other than a built-in scenario needs no fibers.
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
