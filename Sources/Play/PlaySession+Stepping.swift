import Diagnosis
import Exploration
import Machine
import Reports
import Supervision
import Text
import Trace
import Views

/// The steps that the user chooses, movements in the known run, and bookmarks.
extension PlaySession {
    /// Takes a step of the thread.
    ///
    /// - Parameter way: which way it goes, as the user types it. Nil: the user is asked if there are several.
    mutating func step(_ thread: Int, way: Int?) throws -> [String] {
        question = nil
        defer { if question == nil, moment?.isQuiet == true { question = .quiet } }
        guard run.isControlled else { return stepRecorded(thread) }
        guard let moment else { return [overLine] }
        guard !moment.isQuiet else { return quietLines }
        guard moment.threads.indices.contains(thread), moment.threads[thread].isEnabled else { return [why(thread)] }
        let ways = Ways(moment.threads[thread])
        guard ways.count > 1 else {
            if way != nil { return ["\(name(thread))'s step can go one way only."] }
            return try choose([.thread(UInt16(thread))])
        }
        guard let way else { return ask(.way(thread: thread, ways)) }
        guard let alternative = ways.alternative(way) else {
            return ask(.way(thread: thread, ways)).prefix(1) + [ways.request]
        }
        return try choose([.thread(UInt16(thread)), .alternative(alternative)])
    }

    /// Takes the next step of a recorded order, if it is one of this thread.
    private mutating func stepRecorded(_ thread: Int) -> [String] {
        guard position < run.last else { return [overLine] }
        let next = nextRecordedThread
        guard next == thread else {
            return ["In the order that was recorded, \(name(next)) is next: this run cannot be changed."]
        }
        return move(to: position + 1)
    }

    /// The thread that takes the next step of a recorded order.
    var nextRecordedThread: Int {
        let events = run.events(before: position)..<run.trace.events.count
        let next = events.first { run.roles[$0] == .step } ?? events.first
        return next.map { Int(run.trace.events[$0].thread.index) } ?? 0
    }

    /// Takes the step with these choices. If it is not the next one of the known run, the program is first run as far
    /// as this step (`extend`).
    mutating func take(_ choices: [Schedule.Choice]) throws -> [String] {
        try extend(by: choices)
        return move(to: position + 1)
    }

    /// Makes these choices the next ones of the known run. The position does not change.
    mutating func extend(by choices: [Schedule.Choice]) throws {
        guard let stepper, run.step(from: position) != choices else { return }
        let schedule = Schedule(run.schedule(to: position).choices + choices)
        try load(stepper.step(StepPlan(schedule)))
    }

    /// Makes this run the known one. Throws if the program did not follow the schedule, or was interrupted.
    mutating func load(_ stepped: SteppedRun) throws {
        if let misfit = stepped.misfit { throw PlayFailure(misfit) }
        if stepped.trace.events.last?.kind == .runInterrupted { throw PlayInterrupted() }
        show(PlayedRun(stepped))
    }

    /// Makes this run the known one.
    mutating func show(_ run: PlayedRun) {
        self.run = run
        words = EventWords(run.trace)
        model = RunModel(run.trace)
    }

    // MARK: - The known run

    /// Goes forward in the known run. In predict mode, the user is asked which thread steps.
    mutating func forward(_ count: Int) -> [String] {
        guard position < run.last else {
            return run.isPaused ? ["The recorded part ends here: choose a thread. \(readyLine)"] : [overLine]
        }
        guard predicts, count > 0, nextThread != nil else { return move(to: position.added(saturating: count)) }
        return ask(.whichThread(further: count - 1))
    }

    /// The thread that takes the next known step. Nil: there is none.
    var nextThread: Int? {
        guard run.isControlled else { return nextRecordedThread }
        return run.step(from: position).first.flatMap { $0.isAlternative ? nil : $0.index }
    }

    /// Moves to the place, or to the nearest one in the known run. If that is one step further, describes the step. If
    /// the run's end is reached, describes the end.
    mutating func move(to place: Int) -> [String] {
        let before = position
        position = min(max(0, place), run.last)
        if position == before {
            return [position == 0 ? "This is the start. \(readyLine)" : "This is the last step. \(readyLine)"]
        }
        let isNext = position == before + 1
        var lines = isNext ? stepLines(from: before) : ["At step \(position) of \(run.last)."]
        lines += endLines
        noteEnd()
        if !run.isOver(at: position) { lines.append(readyLine) }
        return lines
    }

    // MARK: - Bookmarks

    mutating func setBookmark(_ name: String?) -> [String] {
        let name = name ?? "step-\(position)"
        bookmarks.removeAll { $0.name == name }
        bookmarks.append((name, run.schedule, position))
        return ["Bookmark '\(name.printable)' is at step \(position). 'goto \(name.printable)' returns to it."]
    }

    /// Goes to a bookmark. If the run has since gone another way, the bookmark's run is shown again.
    mutating func goTo(bookmark name: String) throws -> [String] {
        guard let bookmark = bookmarks.last(where: { $0.name == name }) else {
            return ["There is no bookmark '\(name.printable)'. 'bookmarks' lists them."]
        }
        if run.isControlled, run.schedule != bookmark.schedule, let stepper {
            try load(stepper.step(StepPlan(bookmark.schedule)))
        }
        return move(to: bookmark.position)
    }

    var bookmarkLines: [String] {
        bookmarks.isEmpty
            ? ["There are no bookmarks. 'bookmark NAME' sets one."]
            : bookmarks.map { "'\($0.name.printable)': step \($0.position)" }
    }
}
