import Diagnosis
import Trace
import Views

/// A picture of a film strip: the state of a run after one of its steps, with a figure for each thread, a box for each
/// object, and arrows for what threads hold and wait for. This type says what the picture contains; `FilmStrip` draws
/// it.
///
/// A thread or an object is identified by its place: its index in the threads or objects of the strip's `FilmCast`.
struct FilmPicture {
    /// A thread.
    struct Figure: Equatable {
        enum Look { case absent, created, running, waiting, ended }

        /// What a thread waits for, by its place.
        enum Target: Equatable {
            case object(Int)
            case thread(Int)
        }

        var look: Look
        /// Nil: the thread does not wait, or the picture does not show what it waits for.
        var waitsFor: Target?
    }

    /// An object.
    struct Box: Equatable {
        /// The object's value, its number of permits, or whether it is free or held.
        var words: String
        /// The places of the threads that hold it.
        var holders: [Int]
    }

    /// The step's row in the lanes report, from 0.
    let row: Int
    /// The number of the step's event in the trace, from 0.
    let index: Int
    let event: Event
    /// The place of the thread that took the step. Nil: that thread is not drawn.
    let actor: Int?
    /// Whether the step is part of the decisive finding, or a failure.
    let isMarked: Bool
    /// The threads, by place.
    let figures: [Figure]
    /// The objects, by place.
    let boxes: [Box]

    init(_ step: (row: Int, event: Int), _ model: RunModel, _ shown: ShownTrace, _ cast: FilmCast) {
        row = step.row
        index = step.event
        let event = shown.trace.events[step.event]
        self.event = event
        isMarked = shown.isMarked(step.row) || event.kind.effect.isFailure
        actor = cast.threads.firstIndex(of: event.thread)
        let run = model.state(after: step.event + 1)
        figures = cast.threads.map { Self.figure($0, run, shown.trace, cast) }
        boxes = cast.objects.map { Self.box($0, run, shown.trace, cast) }
    }

    private static func figure(_ id: ThreadID, _ run: RunMoment, _ trace: TraceDocument, _ cast: FilmCast) -> Figure {
        switch run.thread(id).activity {
        case .notCreated: return Figure(look: .absent)
        case .created: return Figure(look: .created)
        case .running: return Figure(look: .running)
        case .asleep: return Figure(look: .waiting)
        case .waiting(let wait): return Figure(look: .waiting, waitsFor: target(wait, trace, cast))
        case .ended, .killed, .cutOff: return Figure(look: .ended)
        }
    }

    private static func target(_ wait: Wait, _ trace: TraceDocument, _ cast: FilmCast) -> Figure.Target? {
        if case .thread(let thread) = wait.target { return cast.threads.firstIndex(of: thread).map { .thread($0) } }
        return wait.object.flatMap { cast.objects.firstIndex(of: trace.known($0)) }.map { .object($0) }
    }

    private static func box(_ id: ObjectID, _ run: RunMoment, _ trace: TraceDocument, _ cast: FilmCast) -> Box {
        let object = run.object(id)
        let kind = trace.object(id)?.kind
        let words =
            object.value.map { trace.words($0, in: id) } ?? object.permits.map { Names.count($0, "permit") }
            ?? (kind?.isLock != true ? "" : object.holders.isEmpty ? "free" : object.isShared ? "held to read" : "held")
        return Box(words: words, holders: object.holders.compactMap { cast.threads.firstIndex(of: $0) })
    }
}
