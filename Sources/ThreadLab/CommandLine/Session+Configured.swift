import Arguments
import Authoring
import Diagnosis
import Text
import Trace

extension Session {
    /// The scenario with the parameters from the command line.
    func configured(_ name: String, _ arguments: TypedArguments<some OptionGroup>) throws(Complaint) -> any Runnable {
        let given = arguments.scenarioValues
        if files.names(name) {
            let file = try files.file(name)
            return try files.configured(
                name,
                file.parameters.compactMap { parameter in given[parameter.name].map { (parameter.name, $0.word) } })
        }
        let type = try scenario(named: name)
        let scenario = type.init()
        for parameter in type.parameters {
            if let value = given[parameter.name] { try set(parameter.name, to: value.word, of: scenario) }
            if arguments.scenarioFlags.contains(parameter.name) { try set(parameter.name, to: "true", of: scenario) }
        }
        return ScenarioProgram(scenario)
    }

    /// The scenario with the parameters from a saved trace.
    func configured(
        _ name: String, _ parameters: [(name: String, value: String)]
    ) throws(Complaint) -> any Runnable {
        if files.names(name) { return try files.configured(name, parameters) }
        let scenario = try scenario(named: name).init()
        for (name, value) in parameters { try set(name, to: value, of: scenario) }
        return ScenarioProgram(scenario)
    }

    private func set(_ parameter: String, to word: String, of scenario: any Scenario) throws(Complaint) {
        if scenario.set(parameter, to: word) { return }
        let name = type(of: scenario).name
        guard let known = type(of: scenario).parameters.first(where: { $0.name == parameter }) else {
            throw Complaint("\(name) has no parameter '\(parameter.printable)'")
        }
        throw Complaint("\(name): --\(parameter) \(word.printable): \(known.requirement)")
    }
}

extension Runnable {
    /// Throws if the scheduler cannot run it.
    func requireScheduler(for command: String) throws(Complaint) {
        guard let reason = realThreadsOnly else { return }
        throw Complaint(
            "\(command): \(name) exists on real threads only, \(reason): use 'run \(call)', or 'check \(name)'")
    }

    /// The arguments that run this scenario under the scheduler, where runs are repeatable.
    var stepwiseArguments: String { "run \(call) --seed 1" }

    /// The arguments that find a schedule in which this scenario fails.
    ///
    /// - Parameter rules: what may happen in its runs, where it differs from the default.
    func searchArguments(_ rules: [TraceHeader.Parameter] = []) -> String {
        "explore \(call)" + rules.map { " --\($0.name) \($0.value)" }.joined()
    }

    /// Whether a search would show a run that fails.
    var promisesFindableFailure: Bool { realThreadsOnly == nil && promisesFailure }

    /// Whether the scenario promises that some run fails.
    var promisesFailure: Bool { !expectation.findings.isEmpty }

    /// The arguments that reproduce a mismatch found by a check.
    ///
    /// - Parameter seed: the seed of the check's searches.
    func arguments(showing mismatch: Mismatch, seed: UInt64) -> String {
        switch mismatch {
        case .notAllowed(let sighting, let evidence):
            guard let schedule = sighting.first?.schedule else {
                return "run \(call) --repeat \(max(evidence.runs, 100))"
            }
            // Anything that happens before the first step happens in every run.
            return schedule.isEmpty ? stepwiseArguments : "replay \(call) --schedule \(schedule)"
        case .notProved(let limit, _):
            return "explore \(call)" + (limit == .time ? " --time 5m" : "")
        case .warningNotSeen: return "explore \(call)" + Self.seedOption(seed)
        case .outcomeNotSeen, .stateNotSeen, .notRepeatable:
            return "explore \(call) --keep-going" + Self.seedOption(seed)
        }
    }

    private static func seedOption(_ seed: UInt64) -> String { seed == 1 ? "" : " --seed \(seed)" }
}
