import Machine

/// Something that a search has not done. The result is a proof exactly if the list of its gaps is empty.
package enum Gap: Equatable, Sendable {
    /// The search ended before its strategies had tried everything. Without a reason: it ended at a finding, or none of
    /// its strategies can try everything.
    case unfinished(SearchResult.Stop?)
    /// A strategy that could have tried everything had to give up.
    case abandoned(Obstacle)
    /// The prover for the program's memory model does not support this part of the program.
    case noProver(of: String)
    /// The search tried everything within a bound.
    case bound
    /// The states needed more memory than is allowed.
    case memory
    /// None of several searches by states visited all states within its time and memory.
    case swarm(SwarmCoverage)
    /// All states that were found were visited, but states with equal hashes count as one, and executions that never
    /// end were not looked for.
    case hashes(chanceOfMissed: Double)
    /// Executions reached the step limit, so that the rest of them was not seen.
    case cutOff(executions: Int)
    /// The search under wider rules, which the user had left open, did not try everything.
    case wider(WiderSearch.Freedom)
    /// Compiled code did something that the scheduler does not decide, or that is not a step: a sentence.
    case escaped(String)
    /// Not everything that the program did was the scheduler's choice.
    case uncontrolled(Discrepancy)

    /// A gap without its figures. The raw values are part of reports.
    package enum Kind: String, CaseIterable, Sendable {
        case unfinished, abandoned, bound, memory, swarm, hashes
        case cutOff = "cut-off"
        case noProver = "no-prover"
        case wider, escaped, uncontrolled
    }

    package var kind: Kind {
        switch self {
        case .unfinished: .unfinished
        case .abandoned: .abandoned
        case .noProver: .noProver
        case .bound: .bound
        case .memory: .memory
        case .swarm: .swarm
        case .hashes: .hashes
        case .cutOff: .cutOff
        case .wider: .wider
        case .escaped: .escaped
        case .uncontrolled: .uncontrolled
        }
    }
}

extension SearchResult {
    /// Whether everything that the program can do under the rules was seen.
    package var isProof: Bool { gaps.isEmpty }

    /// What the search has not done, the most important first.
    package var gaps: [Gap] {
        // A wider search that tried everything has tried all executions of this one too.
        if let last = wider.last, last.result.isProof, discrepancy == nil, escape == nil { return [] }
        var gaps: [Gap] = []
        if let discrepancy { gaps.append(.uncontrolled(discrepancy)) }
        // If one strategy has tried everything, the gaps of the others do not matter.
        if total == nil { gaps += gapsOfStrategies }
        // Of an execution that was cut off, the rest was not seen. A search by states has visited its states
        // nevertheless.
        if counts.cutOff > 0 && prover != .states { gaps.append(.cutOff(executions: counts.cutOff)) }
        if let escape { gaps.append(.escaped(escape)) }
        if total == nil { gaps.append(.unfinished(stop)) }
        // A wider search that ended at a finding has not tried everything.
        gaps += wider.filter { !$0.result.isProof }.map { .wider($0.freedom) }
        return gaps
    }

    /// What each of the strategies has not done, if none of them has tried everything.
    private var gapsOfStrategies: [Gap] {
        var gaps: [Gap] = []
        gaps += obstacles.map { .abandoned($0) }
        if let partWithoutProver { gaps.append(.noProver(of: partWithoutProver)) }
        if let chance = chanceOfMissed {
            gaps.append(.hashes(chanceOfMissed: chance))
        } else if bounded.contains(.states) {
            gaps.append(swarm.map { .swarm($0) } ?? .memory)
        }
        let hasBound = !bounded.subtracting([.states]).isEmpty && obstacles.isEmpty
        // Executions that reached the step limit are a gap of their own.
        if hasBound && counts.cutOff == 0 { gaps.append(.bound) }
        return gaps
    }
}

/// Why an exhaustive search cannot continue.
package enum Obstacle: Equatable, Sendable {
    /// At this choice, from 1, the program behaved differently than before under the same choices.
    case diverged(choice: Int)
    /// Something happens differently than the search predicted; for example, a planned step cannot be taken. The
    /// search, or a rule that it used, is wrong.
    case misjudged
    /// Time passes beside threads that repeat themselves, and when it does depends on the order of independent steps.
    case time
    /// Partial-order search: waits on conditions and weak compare-exchanges share the budget of spurious events.
    case sharedBudget
    /// Graph search: more than one thread starts or joins a thread, or no thread joins it.
    case sharedThread
    /// Graph search: an execution is too long, or nests too many holds of a lock.
    case tooLong
    /// Part of a graph search: an execution with a race does not complete, but executions of other parts with this race
    /// may.
    case hiddenRace

    /// Whether only a graph search has this obstacle.
    package var isOfGraphs: Bool {
        switch self {
        case .sharedThread, .tooLong, .hiddenRace: true
        case .diverged, .misjudged, .time, .sharedBudget: false
        }
    }
}

extension Obstacle: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .diverged(let choice):
            "the program behaves differently under the same choices, from choice \(choice) on"
        case .sharedThread: "a thread is started or joined by several threads, or is never joined"
        case .tooLong: "an execution is too long"
        case .hiddenRace:
            "an execution with a data race ends in something else, and whether another one completes is not known: search on one machine"
        case .misjudged: "the search planned a step that cannot be taken"
        case .sharedBudget:
            "either a wait on a condition or a weak compare-exchange can be what happens for no reason, and not every way was tried"
        case .time: "a thread waits for time beside threads that repeat themselves"
        }
    }
}

/// A schedule after which the program ended its process, or did not reach another step.
package struct FatalEnd: Equatable, Sendable {
    package let schedule: Schedule
    /// `crash` or `hang`.
    package let verdict: Verdict
    package let place: Int

    package init(_ verdict: Verdict, place: Int, schedule: Schedule) {
        self.verdict = verdict
        self.place = place
        self.schedule = schedule
    }
}
