import Diagnosis
import Exploration
import Machine
import Reports
import Supervision
import Text
import Trace
import Views

/// Steps that a person chooses.
extension PlaySession {
    mutating func step(_ thread: Int, way: Int?) throws -> [String] {
        question = nil
        defer { if question == nil, moment?.isQuiet == true { question = .quiet } }
        guard run.isControlled else { return stepRecorded(thread) }
        guard let moment else { return [overLine] }
        guard !moment.isQuiet else { return quietLines }
        guard moment.threads.indices.contains(thread), moment.threads[thread].isEnabled else { return [why(thread)] }
        let ways = moment.threads[thread].ways
        if let way, way >= max(ways, 1) || ways == 1 {
            return [ways > 1 ? "The ways are 0 to \(ways - 1)." : "\(name(thread))'s step has one way only."]
        }
        guard ways > 1 else { return try choose([.thread(UInt16(thread))]) }
        guard let way else {
            question = .way(thread: thread, count: ways)
            return wayLines(thread, moment.threads[thread])
        }
        return try choose([.thread(UInt16(thread)), .alternative(way)])
    }

    private mutating func stepRecorded(_ thread: Int) -> [String] {
        guard position < run.last else { return [overLine] }
        let next = nextRecordedThread
        guard next == thread else {
            return ["In the order that was recorded, \(name(next)) is next: this run cannot be changed."]
        }
        return move(to: position + 1)
    }

    var nextRecordedThread: Int {
        let events = run.events(before: position)..<run.trace.events.count
        let next = events.first { run.roles[$0] == .step } ?? events.first
        return next.map { Int(run.trace.events[$0].thread.index) } ?? 0
    }

    /// Predict mode asks before the step is taken.
    private mutating func choose(_ choices: [Schedule.Choice]) throws -> [String] {
        guard predicts else { return try take(choices) }
        question = .whoCanStep(choices: choices)
        return [
            "\(name(choices[0].index)) steps. Which threads can step after that? "
                + "Type their numbers, or 'none'."
        ]
    }

    /// The step is part of the known run, or the run starts again and goes this way.
    mutating func take(_ choices: [Schedule.Choice]) throws -> [String] {
        if run.step(from: position) == choices { return move(to: position + 1) }
        guard let stepper else { return [overLine] }
        let schedule = Schedule(run.schedule(to: position).choices + choices)
        try load(stepper.step(StepPlan(schedule)))
        return move(to: position + 1)
    }

    /// Shows another run, which is the same up to here.
    mutating func load(_ stepped: SteppedRun) throws {
        if let misfit = stepped.misfit { throw PlayFailure(misfit) }
        if stepped.trace.events.last?.kind == .runInterrupted { throw PlayInterrupted() }
        run = PlayedRun(stepped)
        words = EventWords(run.trace)
        model = RunModel(run.trace)
    }

    // MARK: - Questions

    mutating func answer(_ numbers: [Int]) throws -> [String] {
        guard let question else { return ["There is no question."] }
        self.question = nil
        defer { if self.question == nil, moment?.isQuiet == true { self.question = .quiet } }
        switch question {
        case .way(let thread, _):
            guard numbers.count == 1 else { return ["Type the number of one way."] }
            return try step(thread, way: numbers[0])
        case .quiet:
            guard numbers.count == 1, numbers[0] < 2 else { return quietLines }
            return try take([.alternative(numbers[0])])
        case .whichThread:
            let right = nextThread
            let verdict = numbers == [right] ? "Right." : "No: \(right) \(name(right))."
            return [verdict] + move(to: position + 1)
        case .whoCanStep(let choices):
            let answer = try take(choices)
            let enabled = moment?.isQuiet == true ? [] : moment?.enabled ?? []
            let isRight = Set(numbers) == Set(enabled)
            let truth = enabled.isEmpty ? "no thread can step" : "\(list(enabled)) can step"
            return [isRight ? "Right: \(truth)." : "No: \(truth)."] + answer
        }
    }

    private var nextThread: Int {
        run.isControlled ? run.step(from: position).first?.index ?? 0 : nextRecordedThread
    }

    mutating func setPredict(_ isOn: Bool) -> [String] {
        predicts = isOn
        return [
            isOn
                ? "Predict mode is on: each step is asked before it is shown. 'predict' ends it."
                : "Predict mode is off."
        ]
    }

    // MARK: - The known run

    mutating func forward(_ count: Int) throws -> [String] {
        guard position < run.last else {
            return run.isPaused ? ["No further step is known: choose one. \(readyLine)"] : [overLine]
        }
        if predicts && count == 1 && !run.step(from: position).isEmpty || predicts && !run.isControlled {
            question = .whichThread
            return ["Which thread takes step \(position + 1)? Type its number."]
        }
        return move(to: position + count)
    }

    mutating func move(to place: Int) -> [String] {
        let before = position
        position = min(max(0, place), run.last)
        if position == before {
            return [position == 0 ? "This is the start. \(readyLine)" : "This is the last step. \(readyLine)"]
        }
        let isNext = position == before + 1
        var lines = isNext ? stepLines(from: before) : ["At step \(position) of \(run.last)."]
        lines += endLines
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

    /// If the run has gone another way since, it is the bookmark's again.
    mutating func goTo(bookmark name: String) throws -> [String] {
        guard let mark = bookmarks.last(where: { $0.name == name }) else {
            return ["There is no bookmark '\(name.printable)'. 'bookmarks' lists them."]
        }
        if run.isControlled, run.schedule != mark.schedule, let stepper {
            try load(stepper.step(StepPlan(mark.schedule)))
        }
        return move(to: mark.position)
    }

    var bookmarkLines: [String] {
        bookmarks.isEmpty
            ? ["There are no bookmarks. 'bookmark NAME' sets one."]
            : bookmarks.map { "'\($0.name.printable)': step \($0.position)" }
    }
}
