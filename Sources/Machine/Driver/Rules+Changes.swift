/// Rules as names and values, for command lines and saved traces.
extension Rules {
    /// The rules that differ from the default, by the name of their command-line option. The step limit is not among
    /// them: see `stepLimit`.
    package var changes: [(name: String, value: String)] {
        var changes: [(String, String)] = []
        if spuriousWakeups != 0 { changes.append(("spurious", "\(spuriousWakeups)")) }
        if timeouts != .lazy { changes.append(("timeouts", timeouts.rawValue)) }
        if waiters != .any { changes.append(("waiters", waiters.rawValue)) }
        if fairness != .strong { changes.append(("fairness", fairness.rawValue)) }
        if model != .sc { changes.append(("model", model.rawValue)) }
        return changes
    }

    /// The name of the option for `maximumSteps`. `changes` leaves it out, because its default depends on the program.
    package static let stepLimit = "max-steps"

    /// Sets a rule by the name of its option. Returns false if there is no such rule, or if it cannot have the value.
    package mutating func change(_ name: String, to value: String) -> Bool {
        switch name {
        case "spurious":
            guard let count = Int(value), (0...Self.mostSpuriousWakeups).contains(count) else { return false }
            spuriousWakeups = count
        case "timeouts":
            guard let timeouts = Timeouts(rawValue: value) else { return false }
            self.timeouts = timeouts
        case "waiters":
            guard let waiters = Waiters(rawValue: value) else { return false }
            self.waiters = waiters
        case "fairness":
            guard let fairness = Fairness(rawValue: value) else { return false }
            self.fairness = fairness
        case "model":
            guard let model = MemoryModel(rawValue: value) else { return false }
            self.model = model
        case Self.stepLimit:
            guard let count = Int(value), (1...Self.mostSteps).contains(count) else { return false }
            maximumSteps = count
        default: return false
        }
        return true
    }

    /// The greatest budget of spurious wake-ups that a user can ask for.
    package static let mostSpuriousWakeups = 1000
}
