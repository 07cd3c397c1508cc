import Diagnosis
import Trace
import Views

/// The steps, threads and objects of a run that the pictures of a film strip show.
struct FilmCast {
    /// The steps that have a picture: for each its row in the lanes report and the number of its event, both from 0.
    let steps: [(row: Int, event: Int)]
    let threads: [ThreadID]
    let objects: [ObjectID]
    /// Sentences about what the pictures leave out.
    let notes: [String]

    /// The limit of pictures. More would be too small on a slide.
    static let mostSteps = 24
    /// In a run of at most this many steps, the steps by which the main thread starts and awaits the others have
    /// pictures too, if that thread does anything else.
    private static let fewSteps = 8
    private static let mostThreads = 10
    private static let mostObjects = 10

    init(_ shown: ShownTrace) {
        let trace = shown.trace
        let all = Self.rows(shown)
        // The steps by which the main thread starts and awaits the others are of little interest. If it takes no other
        // steps, it is not shown at all.
        let others = all.filter { !Self.isMainManagingThreads(trace.events[$0.event]) }
        let hidesMain =
            trace.threads.count > 1 && !others.isEmpty && !others.contains { trace.events[$0.event].thread == .main }
        let leavesOut = hidesMain || (all.count > Self.fewSteps && !others.isEmpty)
        steps = Self.deciding(leavesOut ? others : all, shown)
        let allThreads = trace.threads.indices.map { ThreadID($0) }.filter { !hidesMain || $0 != .main }
        let acting = Set(steps.map { trace.events[$0.event].thread })
        threads = Self.first(Self.mostThreads, of: allThreads) { acting.contains($0) }
        let allObjects = PageChanges.objects(in: trace, others.map(\.event), shown.cast)
        let touched = Set(PageChanges.objects(in: trace, steps.map(\.event), shown.cast))
        objects = Self.first(Self.mostObjects, of: allObjects) { touched.contains($0) }
        notes = Self.notes(
            steps: all.count - steps.count, threads: allThreads.count - threads.count,
            objects: allObjects.count - objects.count, shown)
    }

    /// The rows that belong to threads.
    private static func rows(_ shown: ShownTrace) -> [(row: Int, event: Int)] {
        shown.excerpt.parts.flatMap { part -> [(row: Int, event: Int)] in
            guard case .rows(let rows) = part else { return [] }
            return rows.map { ($0, shown.excerpt.events[$0]) }
        }.filter { shown.isOfThread($0.event) }
    }

    /// Whether the event is a step by which the main thread starts or awaits another thread, or ends the program.
    private static func isMainManagingThreads(_ event: Event) -> Bool {
        event.thread == .main && (event.kind.effect.isOfThreadsLife || event.kind.effect == .endRun(.exit))
    }

    /// At most `mostSteps` of the steps. If there are more, unmarked steps of threads' lives (`Effect.isOfThreadsLife`)
    /// are left out. If that is not enough, the steps of the finding are kept and, as far as there is room, the last
    /// other ones; of a run that completed, the first ones.
    private static func deciding(
        _ rows: [(row: Int, event: Int)], _ shown: ShownTrace
    ) -> [(row: Int, event: Int)] {
        guard rows.count > mostSteps else { return rows }
        let busy = rows.filter { !shown.trace.events[$0.event].kind.effect.isOfThreadsLife || shown.isMarked($0.row) }
        guard busy.count > mostSteps else { return busy }
        guard shown.trace.outcome?.kind != .completed else { return Array(busy.prefix(mostSteps)) }
        let marked = Set(busy.filter { shown.isMarked($0.row) }.suffix(mostSteps).map(\.row))
        let others = Set(busy.filter { !marked.contains($0.row) }.suffix(mostSteps - marked.count).map(\.row))
        return busy.filter { marked.contains($0.row) || others.contains($0.row) }
    }

    /// At most `most` of the elements, in their order. If there are more, preferred ones are kept rather than others.
    private static func first<Element: Hashable>(
        _ most: Int, of all: [Element], preferring isPreferred: (Element) -> Bool
    ) -> [Element] {
        guard all.count > most else { return all }
        let kept = Set((all.filter(isPreferred) + all.filter { !isPreferred($0) }).prefix(most))
        return all.filter(kept.contains)
    }

    private static func notes(
        steps: Int, threads: Int, objects: Int, _ shown: ShownTrace
    ) -> [String] {
        var notes: [String] = []
        if steps > 0 {
            notes.append("\(Names.count(steps, "step")) without a picture: the numbers are those of the lanes.")
        }
        notes += shown.excerpt.parts.compactMap { part in
            if case .repeats = part { part.noteOnPaper.map { "Repeated: \($0)." } } else { nil }
        }.prefix(1)
        if threads > 0 { notes.append("\(Names.count(threads, "thread")) not drawn.") }
        if objects > 0 { notes.append("\(Names.count(objects, "object")) not drawn.") }
        return notes
    }
}
