import Trace

/// The marks in the lanes.
struct LaneMarks {
    /// A step of the thread.
    let step: Label
    /// The thread could continue; another one takes the step.
    let idle: Label
    /// The thread is blocked.
    let blocked: Label
    /// The thread's last step.
    let end: Label
    /// Something is wrong.
    let failure: Label
    /// Rows that are not shown.
    let gap: Label

    init(ascii: Bool) {
        step = Label(ascii ? "*" : "●")
        idle = Label(ascii ? "|" : "│")
        blocked = Label(ascii ? ":" : "┆")
        end = Label(ascii ? "#" : "■")
        failure = Label(ascii ? "!" : "✗")
        gap = Label(ascii ? "." : "⋮")
    }

    /// The mark of an event in its thread's own lane.
    func mark(of kind: EventKind) -> Label {
        let effect = kind.effect
        if effect.isFailure { return failure }
        if effect.blocks { return blocked }
        return effect.endsThread || effect == .endRun(.exit) ? end : step
    }
}
