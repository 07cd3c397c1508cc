import Trace

/// Where two runs begin to differ: compared are the steps that reports show, by their threads and words, not by their
/// lines or times, so that two variants of a scenario can be compared too.
struct TraceDifference {
    /// The numbers of the events that are compared.
    let here: [Int]
    let there: [Int]
    /// The number of steps that are the same at the beginning.
    let same: Int

    var areSame: Bool { same == here.count && same == there.count }

    init(_ here: TraceDocument, _ there: TraceDocument) {
        let steps = (Self.steps(here), Self.steps(there))
        let (casts, numbers) = ((Cast(here, ReportOptions()), Cast(there, ReportOptions())), zip(steps.0, steps.1))
        let words = (StepWords(cast: casts.0), StepWords(cast: casts.1))
        self.here = steps.0
        self.there = steps.1
        same =
            numbers.prefix { first, second in
                let (one, other) = (here.events[first], there.events[second])
                return one.kind == other.kind
                    && casts.0.thread(one.thread) == casts.1.thread(other.thread)
                    && words.0.label(one) == words.1.label(other)
            }.count
    }

    private static func steps(_ trace: TraceDocument) -> [Int] {
        (0..<trace.runLength).filter { trace.isShown(trace.events[$0]) && trace.events[$0].kind != .runComplete }
    }
}
