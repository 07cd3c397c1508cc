import Text
import Trace

extension Runnable {
    /// Its name, and its parameters where they differ from the default, as a shell reads them.
    package var call: String {
        let defaults = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.defaultValue) })
        let flags = Set(parameters.lazy.filter { $0.form == .flag }.map(\.name))
        let changed = arguments.filter { defaults[$0.name] != $0.value }
        return name.quotedForShell
            + changed.map { " --\($0.name)" + (flags.contains($0.name) ? "" : " \($0.value.quotedForShell)") }.joined()
    }

    /// The arguments that repeat a controlled run by its seed.
    ///
    /// - Parameter rules: what may happen in the run, where it differs from the default.
    package func runArguments(seed: UInt64, _ rules: [TraceHeader.Parameter]) -> String {
        "run \(call)" + rules.map { " --\($0.name) \($0.value)" }.joined() + " --seed \(seed)"
    }

    /// The arguments that replay a run of this scenario, given the header of its trace.
    package func replayArguments(_ header: TraceHeader) -> String {
        // A seed is a shorter way to say the same.
        if let seed = header.seed, header.schedule?.utf8.count ?? 0 > 60 {
            return runArguments(seed: seed, header.rules)
        }
        let rules = header.rules.map { " --\($0.name) \($0.value)" }.joined()
        return "replay \(call)\(rules) --schedule \(header.schedule ?? "")"
    }
}
