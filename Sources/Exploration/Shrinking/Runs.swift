import Machine

/// A schedule as runs: consecutive steps of one thread, with their alternatives.
struct Runs {
    struct Run {
        let thread: Int
        var steps: [[Schedule.Choice]]
    }

    private(set) var runs: [Run] = []

    init(_ schedule: Schedule) {
        for choice in schedule.choices {
            if choice.isAlternative && !runs.isEmpty {
                runs[runs.count - 1].steps[runs[runs.count - 1].steps.count - 1].append(choice)
            } else if runs.last?.thread == choice.index && !choice.isAlternative {
                runs[runs.count - 1].steps.append([choice])
            } else {
                runs.append(Run(thread: choice.index, steps: [[choice]]))
            }
        }
    }

    var count: Int { runs.count }

    var schedule: Schedule { Schedule(runs.flatMap { $0.steps.joined() }) }

    func length(_ index: Int) -> Int { runs[index].steps.count }

    // MARK: - Changes

    func dropping(_ range: Range<Int>) -> Runs {
        var copy = self
        copy.runs.removeSubrange(range)
        return copy
    }

    /// Without the last steps of a run.
    func trimming(_ index: Int, by count: Int) -> Runs {
        var copy = self
        copy.runs[index].steps.removeLast(count)
        return copy
    }

    /// With a run moved back to the previous run of its thread. Nil: there is none.
    func movingUp(_ index: Int) -> Runs? {
        guard let earlier = runs[..<index].lastIndex(where: { $0.thread == runs[index].thread }) else { return nil }
        var copy = self
        let run = copy.runs.remove(at: index)
        copy.runs.insert(run, at: earlier + 1)
        return copy
    }

    /// With a run moved forward to the next run of its thread. Nil: there is none.
    func movingDown(_ index: Int) -> Runs? {
        guard let later = runs[(index + 1)...].firstIndex(where: { $0.thread == runs[index].thread }) else {
            return nil
        }
        var copy = self
        let run = copy.runs.remove(at: index)
        copy.runs.insert(run, at: later - 1)
        return copy
    }
}
