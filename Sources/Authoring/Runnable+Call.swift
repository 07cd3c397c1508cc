import Text
import Trace

extension Runnable {
    /// Its name, and its parameters where they differ from the default, as a shell reads them.
    package var call: String {
        let defaults = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.defaultValue) })
        let changed = arguments.filter { defaults[$0.name] != $0.value }
        return name.quotedForShell + changed.map { " --\($0.name) \($0.value.quotedForShell)" }.joined()
    }

    /// The arguments that replay a run of this scenario, given the header of its trace.
    package func replayArguments(_ header: TraceHeader) -> String {
        let rules = header.rules.map { " --\($0.name) \($0.value)" }.joined()
        // A seed is a shorter way to say the same.
        if let seed = header.seed, header.schedule?.utf8.count ?? 0 > 60 { return "run \(call)\(rules) --seed \(seed)" }
        return "replay \(call)\(rules) --schedule \(header.schedule ?? "")"
    }
}
