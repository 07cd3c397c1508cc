import Exploration
import LabExecution
import Machine

/// How often a program's executions end in which way.
struct TraceCensus {
    /// By way of ending: in how many traces.
    private(set) var counts: [Endings.Ending: Int] = [:]
    private(set) var traces = 0
    /// A trace whose executions end in different ways, which must not exist.
    private(set) var isAmbiguous = false

    /// Counted by brute force: all interleavings are run, and belong to the same trace if their records are equal.
    ///
    /// Nil: there are more interleavings than the limit.
    init?(of engine: Engine, limit: Int) {
        let record = TraceRecord(engine.rules)
        engine.observers = [record]
        defer { engine.observers = [] }
        var endings: [[[Int]]: Endings.Ending] = [:]
        let all = BoundedSearch(.none)
        var number = 0
        while all.prepare(number) {
            let verdict = all.execute(engine)
            number += 1
            if number > limit || verdict == .stepLimit { return nil }
            let ending = Endings.ending(of: engine, verdict)
            if let known = endings.updateValue(ending, forKey: record.trace) {
                isAmbiguous = isAmbiguous || known != ending
            } else {
                counts[ending, default: 0] += 1
                traces += 1
            }
        }
    }

    /// Counted by the search. Nil: it runs more executions than the limit.
    init?(of engine: Engine, by search: PartialOrderSearch, limit: Int) {
        var number = 0
        while search.prepare(number) {
            let verdict = search.execute(engine)
            number += 1
            if number > limit { return nil }
            if verdict == .stopped { continue }
            counts[Endings.ending(of: engine, verdict), default: 0] += 1
            traces += 1
        }
    }
}
