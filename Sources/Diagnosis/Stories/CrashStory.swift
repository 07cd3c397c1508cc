import Trace

/// Explains the crash of a compiled program whose reason is known: a wrong address, with the variable that held it and
/// the thread that wrote it there; or an exception that nothing caught.
struct CrashStory {
    let names: Names
    /// The event `crash.reason`.
    let reason: Event
    /// The event that ended the run.
    let stop: Event?

    func finding(_ activity: ActivityStory) -> Finding {
        let text = names.trace.text(of: reason).map(Names.visible) ?? "crashed"
        let signal = stop.map { "The signal was \(SignalName.name($0.value))." }
        let steps = [write, read].compactMap(\.self)
        return Finding(
            .crash, summary: "\(names.name(reason.thread)) crashed\(names.at(reason.site)): it \(text).",
            story: lines + [signal].compactMap(\.self) + activity.lines, advice: advice,
            threads: [reason.thread] + steps.map(\.event.thread) + activity.threads, objects: [reason.object],
            sites: [reason.site] + steps.map(\.event.site), events: steps.map { $0.number + 1 })
    }

    // MARK: - Where the pointer comes from

    private typealias Step = (event: Event, number: Int)

    /// The thread's last read of the variable that held the pointer, with its number from 0.
    private var read: Step? {
        guard reason.object != .none else { return nil }
        return last { $0.thread == reason.thread && $0.kind.effect.isRead }
    }

    /// The last write before that read, if it wrote what the thread has read. Nil: the value was there from the start,
    /// or it was written when there was one thread only, which takes no steps.
    private var write: Step? {
        guard let read, let found = last(before: read.number, { $0.kind.effect.isWrite || $0.kind.effect == .free })
        else { return nil }
        return found.event.kind.effect.isWrite && found.event.value == read.event.value ? found : nil
    }

    /// The last event on the variable that fulfils the condition.
    private func last(before end: Int? = nil, _ isWanted: (Event) -> Bool) -> Step? {
        let events = names.trace.events
        let found = events[..<(end ?? events.count)].lastIndex { $0.object == reason.object && isWanted($0) }
        return found.map { (events[$0], $0) }
    }

    private var lines: [String] {
        guard let read else { return [] }
        let (object, thread) = (names.name(reason.object), names.name(reason.thread))
        let isNull = read.event.value == 0
        guard let write else {
            let what = isNull ? ", which is null" : ", which holds the address"
            return ["\(thread) reads \(object)\(what)\(names.at(read.event.site))."]
        }
        let writer = names.name(write.event.thread)
        let written = isNull ? "sets \(object) to null" : "writes the address to \(object)"
        return [
            "\(writer) \(written)\(names.at(write.event.site)).",
            "\(thread) reads \(isNull ? "that null" : "it")\(names.at(read.event.site)), and uses it as a pointer.",
        ]
    }

    private var advice: String? {
        guard let read, let write, read.event.value == 0, write.event.thread != reason.thread else { return nil }
        return "Test \(names.name(reason.object)) for null where it is used, under the lock under which it is set; "
            + "or set it only after the last use."
    }
}
