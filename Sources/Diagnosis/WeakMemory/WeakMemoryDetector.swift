import Trace

/// Reports, as a note, the steps of a run that do not read or write the newest value of an atomic, with the reasons why
/// the run's memory model allows them.
struct WeakMemoryDetector: Detector {
    private var reasons = WeakReasons()

    mutating func consume(_ event: Event, _ run: RunState) { reasons.consume(event, run) }

    func findings(in names: Names, _ run: RunState) -> [Finding] {
        let steps = reasons.shownNumbers(in: names).compactMap { reasons.step($0)?.event }
        guard !steps.isEmpty else { return [] }
        let what = steps.count == 1 ? "A step does" : "\(steps.count) steps do"
        return [
            Finding(
                .weakMemory,
                summary: "\(what) not read or write the newest value, as the memory model allows.",
                story: reasons.paragraphs(in: names), threads: steps.map(\.thread), objects: steps.map(\.object),
                sites: steps.map(\.site))
        ]
    }
}
