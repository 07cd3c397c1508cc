import Authoring
import Machine
import Supervision
import Trace

/// Answers under a memory model that is weaker than sequential consistency. There an execution is a graph, not a path
/// through states, so each condition needs a separate search.
extension Question {
    /// The version of the program, under the question's memory model.
    func modeled(_ version: ProgramVersion) throws -> any Runnable {
        let runnable = try version.runnable()
        if model == .sc { return runnable }
        if let obstacle = runnable.obstacle(under: model) { throw UnansweredQuestion(message: "\(obstacle)") }
        return try runnable.under(model, alone: false)
    }

    /// Finds which of the conditions are true at the end of some run.
    ///
    /// - Parameters:
    ///   - conditions: one for each option.
    ///   - expression: if it can have a value that is none of the options, that is reported as missing. Nil: there is
    ///     no such expression.
    func possibleAtWeakEnd(_ conditions: [String], rest expression: String?) throws -> Answer {
        if try ends(among: []).missing.contains(OutcomeKind.race.word) {
            throw UnansweredQuestion(message: "\(program.file) has a data race: its values are not defined")
        }
        let other = expression.map { expression in
            options.map { "(\(expression)) != (\($0))" }.joined(separator: " && ")
        }
        let witnesses = try conditions.map(witness)
        let isIncomplete = try other.map(witness)?.schedule != nil
        return Answer(
            options: zip(options, witnesses).map { text, found in
                Answer.Option(text: text, isRight: found.schedule != nil, schedule: found.schedule)
            }, extent: "\(witnesses.map(\.executions).max() ?? 0) executions",
            missing: isIncomplete ? ["another value"] : [])
    }

    /// A schedule at whose end the condition is true, or nil if there is none, and the number of executions that were
    /// searched. Searches for a run that breaks the claim that the condition is never true.
    private func witness(of condition: String) throws -> (schedule: String?, executions: Int) {
        var version = ProgramVersion(program.text, name: program.file)
        version.removeClaims()
        version.add(["expect never \(condition)"])
        var plan = SearchPlan(try modeled(version))
        plan.rules.model = model
        plan.goal.harmless = []
        plan.goal.keepsGoing = true
        let (result, findings) = try SearchSupervisor.run(plan, telling: .firstOfEachKind)
        guard result.isProof else {
            throw UnansweredQuestion(message: "\(program.file) is too large to try everything")
        }
        let finding = findings.first { $0.finding.kind == .claim }
        let schedule = finding.map { ($0.shrunk?.schedule ?? $0.finding.schedule).description }
        return (schedule, result.total ?? 0)
    }
}
