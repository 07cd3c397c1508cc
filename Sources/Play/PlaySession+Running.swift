import Diagnosis
import Exploration
import Machine
import Supervision
import Trace
import Views

/// The commands `run`, with which the run continues by itself, and `hint`, which searches for failures ahead.
extension PlaySession {
    /// Continues the run to its end, and moves to the place at which it should stop.
    mutating func runOn(_ strategy: PlayCommand.Strategy, until stop: PlayCommand.Stop) throws -> [String] {
        if run.isControlled {
            guard moment != nil else { return [overLine] }
            try continueToEnd(strategy)
        } else if position >= run.last {
            return [overLine]
        }
        guard let target = target(of: stop) else {
            return ["That does not happen before the end of the run."] + move(to: run.last)
        }
        let lines = move(to: target)
        guard stop == .finding, !run.isOver(at: position) else { return lines }
        return findings(at: position).prefix(1).map { "Finding: \($0.summary.printableText)" } + lines
    }

    /// Replaces the run by one that is the same up to the position, and then continues by the strategy.
    private mutating func continueToEnd(_ strategy: PlayCommand.Strategy) throws {
        guard let stepper else { return }
        let then: StepPlan.Continuation =
            switch strategy {
            case .byDefault: .byDefault
            case .random(let seed): .random(seed: seed)
            }
        try load(stepper.step(StepPlan(run.schedule(to: position), then: then)))
    }

    /// The position at which the known run stops. Nil: what it should stop at does not happen.
    private func target(of stop: PlayCommand.Stop) -> Int? {
        let start = run.events(before: position)
        let events = run.trace.events
        switch stop {
        case .end: return run.last
        case .finding: return firstFinding ?? run.last
        case .event(let word):
            return events[start...].firstIndex { run.trace.name(of: $0).contains(word) }.map(run.position(afterEvent:))
        case .line(let line):
            return events[start...].firstIndex { run.trace.site($0.site)?.line == line }
                .map(run.position(afterEvent:))
        }
    }

    /// The first later position at which the detectors report more findings than here. A finding does not disappear
    /// later, so a binary search finds it. Nil: there is none.
    private var firstFinding: Int? {
        let known = findings(at: position).count
        guard findings(at: run.last).count > known else { return nil }
        var low = position + 1
        var high = run.last
        while low < high {
            let middle = (low + high) / 2
            if findings(at: middle).count > known { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The faults and warnings in the events up to the position.
    func findings(at position: Int) -> [Finding] {
        var examination = Examination(judgesLockOrder: program.plan?.scenario.judgesLockOrder ?? false)
        examination.consume(run.trace.events[..<run.events(before: position)])
        return examination.findings(in: Names(run.trace)).filter { $0.severity != .note }
    }

    // MARK: - Hints

    /// Says for each choice at the current position whether a failure is possible after it, by a search that begins
    /// there.
    mutating func hint() throws -> [String] {
        guard run.isControlled, let plan = program.plan else {
            return ["The order was recorded: there is nothing to choose."]
        }
        guard let moment else { return [overLine] }
        let options = Self.options(moment)
        guard !options.isEmpty else { return ["Nothing can step."] }
        var search = SearchPlan(plan.scenario)
        search.rules = plan.rules
        search.goal = SearchGoal()
        search.time = max(program.hintTime / UInt64(options.count), Self.leastHintTime)
        search.jobs = 1
        let prefix = run.schedule(to: position).choices
        return try options.map { choices in
            search.prefix = Schedule(prefix + choices)
            let result = try Self.result(of: search)
            let shares = result.findings.isEmpty ? nil : try failingOrders(search)
            return hintLine(choices, result, shares, behind: search.prefix)
        }
    }

    /// The minimum time of the search after each choice, in nanoseconds.
    private static let leastHintTime: UInt64 = 100_000_000

    private static func result(of search: SearchPlan) throws -> SearchResult {
        let (result, _) = try SearchSupervisor.run(search, telling: .none)
        if result.signal != nil { throw PlayInterrupted() }
        return result
    }

    /// How many orders after a choice fail, and how many there are. Nil: there are too many to try in the time, or a
    /// failure was found that does not end a run.
    private func failingOrders(_ search: SearchPlan) throws -> (failing: Int, all: Int)? {
        var search = search
        // A search of graphs cannot start from given steps, so all interleavings are run instead.
        search.strategy = search.rules.followedModel == .sc ? .dpor : .dfs
        search.goal.keepsGoing = true
        search.goal.countsTerminals = true
        search.time /= 2
        let result = try Self.result(of: search)
        let rows = result.terminals.rows
        // A data race does not end a run, so a run with a race would count as one that does not fail.
        guard result.isProof, result.terminals.others == 0,
            Set(result.findings.map(\.kind)).isSubset(of: rows.map(\.state.kind))
        else { return nil }
        let all = rows.reduce(0) { $0 + $1.count }
        return (all - rows.filter { $0.state.kind == .completed }.reduce(0) { $0 + $1.count }, all)
    }

    /// The maximum number of ways of one step for which a hint is given.
    private static let mostWays = 16

    /// What the user can choose at this moment. Of a step that can go many ways, only the first ones.
    static func options(_ moment: Moment) -> [[Schedule.Choice]] {
        if moment.isQuiet { return [[.alternative(0)], [.alternative(1)]] }
        return moment.enabled.flatMap { thread -> [[Schedule.Choice]] in
            let ways = moment.threads[thread].ways
            if ways <= 1 { return [[.thread(UInt16(thread))]] }
            return (0..<min(ways, mostWays)).map { [.thread(UInt16(thread)), .alternative($0)] }
        }
    }

    private func hintLine(
        _ choices: [Schedule.Choice], _ result: SearchResult, _ shares: (failing: Int, all: Int)?,
        behind prefix: Schedule
    ) -> String {
        let subject = optionName(choices)
        if let finding = result.findings.first {
            let further = finding.schedule.stepCount - prefix.stepCount
            let kind = "'\(finding.kind.rawValue)'"
            let schedule = "(schedule \(finding.schedule))"
            if further <= 0 { return "\(subject): leads to \(kind) at once \(schedule)." }
            let way = "in \(Names.count(further, "more step")) \(schedule)"
            guard let shares else { return "\(subject): can lead to \(kind) \(way); not all orders were tried." }
            if shares.failing == shares.all { return "\(subject): always leads to a failure, to \(kind) \(way)." }
            let unit = program.plan?.rules.followedModel == .sc ? "orders" : "runs"
            let rest = "\(shares.all - shares.failing) of the \(shares.all) \(unit) after it do not fail"
            return "\(subject): can lead to \(kind) \(way); \(rest)."
        }
        if result.isProof { return "\(subject): no failure, whatever happens after it." }
        return
            "\(subject): no failure found in \(Names.count(result.counts.executions, "run")); not all orders were tried."
    }

    /// A choice in words, for example `1 first`: the next step is that of thread 1, which is called `first`.
    private func optionName(_ choices: [Schedule.Choice]) -> String {
        if choices[0].isAlternative { return choices[0].index == 0 ? "0, no thread moves" : "1, a wait ends by itself" }
        let step = "\(choices[0].index) \(name(choices[0].index))"
        guard choices.count > 1, let thread = moment?.threads[choices[0].index] else { return step }
        let way = choices[1].index
        let wakes = thread.waiters.indices.contains(way)
        if thread.newer.indices.contains(way), let words = memoryWays(choices[0].index, thread.newer) {
            return "\(step) \(words[way])"
        }
        if thread.act == .update { return way == 0 ? "\(step) succeeds" : "\(step) fails" }
        return wakes ? "\(step) wakes \(thread.waiters[way])" : "\(step) chooses \(way)"
    }
}

/// For the screen: which threads can step, are blocked or have ended, and source text.
extension PlaySession {
    /// The threads that can step now.
    package var enabled: [Int] {
        if !run.isControlled { return position < run.last ? [nextRecordedThread] : [] }
        return moment.map { $0.isQuiet ? [] : $0.enabled } ?? []
    }

    package func hasEnded(_ thread: Int) -> Bool { hasEnded(thread, present) }

    func hasEnded(_ thread: Int, _ present: RunMoment) -> Bool {
        switch present.thread(ThreadID(thread)).activity {
        case .ended, .killed: true
        case .notCreated, .created, .running, .asleep, .waiting, .cutOff: false
        }
    }

    /// The threads that exist, cannot step, and have not ended. The main thread is left out if it only waits for others
    /// to end, and is not the only one.
    package var blocked: [Int] {
        let others = threads.filter { !enabled.contains($0) && !hasEnded($0) && exists($0) }
        return others.count > 1 && isOnlyJoining(present.graph) ? others.filter { $0 != 0 } : others
    }

    /// The thread of the last event with a place in the source. Nil: there is none yet.
    package var lastThread: Int? {
        run.trace.events[..<eventCount].last { $0.site != .unknown }.map { Int($0.thread.index) }
    }

    package func lines(ofFile file: String) -> [Substring] { program.lines(file) }
}
