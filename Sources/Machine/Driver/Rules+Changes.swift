extension Rules {
    /// The rules that differ from the default, by the name of their command-line option. The step limit is not among
    /// them: it only decides how far executions are followed.
    package var changes: [(name: String, value: String)] {
        var changes: [(String, String)] = []
        if spuriousWakeups != 0 { changes.append(("spurious", "\(spuriousWakeups)")) }
        if timeouts != .lazy { changes.append(("timeouts", timeouts.rawValue)) }
        if waiters != .any { changes.append(("waiters", waiters.rawValue)) }
        if fairness != .strong { changes.append(("fairness", fairness.rawValue)) }
        if model != .sc { changes.append(("model", model.rawValue)) }
        return changes
    }

    /// The name of the option for `maximumSteps`. It is not among the changes, because its default depends on the
    /// program.
    package static let stepLimit = "max-steps"

    /// Makes one of the changes. False if it does not exist.
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

    /// The maximum budget of spurious wake-ups: more than any program can use.
    package static let mostSpuriousWakeups = 1000
}
