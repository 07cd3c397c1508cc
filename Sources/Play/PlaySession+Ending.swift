import Exploration
import Machine
import Supervision
import Trace

/// What the session prints when the user leaves: how the run ended, and the commands that repeat it.
extension PlaySession {
    /// Records the run as the last one that was stepped to its end, if the position is its end.
    mutating func noteEnd() {
        if run.isOver(at: position), let outcome = run.trace.outcome { lastEnd = (run.schedule, outcome) }
    }

    /// The schedules that the user has stepped through: that of the last run that was stepped to its end, if any, and
    /// that of the steps before the current position. `learn play` looks for one that reaches the goal.
    package var playedSchedules: [Schedule] {
        [lastEnd?.schedule, run.isControlled ? run.schedule(to: position) : nil].compactMap(\.self)
            .filter { !$0.choices.isEmpty }
    }

    /// A line to be printed after the last command.
    package struct FarewellLine {
        package let text: String
        /// Whether it ends with a command to copy.
        package let isCommand: Bool
    }

    /// The lines to be printed after the last command: the score, and what can be repeated. Empty: there is neither.
    package var farewell: [FarewellLine] {
        scoreLines.map { FarewellLine(text: $0, isCommand: false) }
            + (run.isControlled ? controlledFarewell : recordedFarewell)
    }

    private var controlledFarewell: [FarewellLine] {
        let here = run.schedule(to: position)
        var lines: [FarewellLine] = []
        if let lastEnd {
            let text = "The run that you stepped to its end: \(outcomeText(lastEnd.outcome))"
            lines.append(FarewellLine(text: text, isCommand: false))
            lines += command("Replay", .replay, lastEnd.schedule).map { FarewellLine(text: $0, isCommand: true) }
            if lastEnd.schedule.choices.starts(with: here.choices) { return lines }
        }
        if here.choices.isEmpty { return lines }
        let text = "You left \(lastEnd == nil ? "the" : "another") run at step \(position), before its end."
        lines.append(FarewellLine(text: text, isCommand: false))
        return lines + command("Continue", .play, here).map { FarewellLine(text: $0, isCommand: true) }
    }

    private var recordedFarewell: [FarewellLine] {
        guard position > 0 || lastEnd != nil else { return [] }
        let end = run.trace.outcome.map { FarewellLine(text: "The run: \(outcomeText($0))", isCommand: false) }
        let again = program.file.map {
            FarewellLine(text: "Step through it again: \(program.tool) play \($0.quotedAsPath)", isCommand: true)
        }
        return [end, again].compactMap(\.self)
    }

    private func outcomeText(_ outcome: Outcome) -> String {
        "\(outcome.kind.rawValue). \(outcome.summary.printableText)"
    }

    private enum Verb { case replay, play }

    /// A command that repeats the schedule or continues from its end. Empty: there is nothing to repeat.
    private func command(_ title: String, _ verb: Verb, _ schedule: Schedule) -> [String] {
        guard let plan = program.plan, !schedule.choices.isEmpty else { return [] }
        var header = plan.header
        header.schedule = "\(schedule)"
        header.rules = plan.rules.changes.map { TraceHeader.Parameter(name: $0.name, value: $0.value) }
        let words = plan.scenario.replayArguments(header)
        switch verb {
        case .replay: return ["\(title): \(program.tool) \(words)"]
        case .play: return ["\(title): \(program.tool) play\(words.dropFirst("replay".count))"]
        }
    }

    /// The answer to `schedule`.
    var scheduleLines: [String] {
        guard run.isControlled else { return ["The order was recorded on real threads: it has no schedule."] }
        let schedule = run.schedule(to: position)
        guard !schedule.choices.isEmpty else { return ["No step has been taken: the schedule is empty."] }
        return ["Schedule: \(schedule)"] + command("Replay", .replay, schedule)
    }
}
