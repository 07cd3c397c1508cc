import Machine

/// Something that a search has not done. What it says of a program is a proof if there is nothing of the kind: only the list
/// of a result's gaps decides that.
package enum Gap: Equatable, Sendable {
    /// It ended before all that its strategies may try was tried: for this reason, or, without one, at a finding, or because
    /// none of them can try everything.
    case unfinished(SearchResult.Stop?)
    /// A strategy that could have tried everything had to give up.
    case abandoned(Obstacle)
    /// The prover of the program's memory model cannot take this part of it.
    case noProver(of: String)
    /// All was tried that a bound allows.
    case bound
    /// The states needed more memory than is allowed.
    case memory
    /// No one of several searches by states could visit all of them within its time and memory.
    case swarm(SwarmCoverage)
    /// All states that were found were visited, but states with the same hash are taken for one, and executions that never
    /// end were not looked for.
    case hashes(chanceOfMissed: Double)
    /// Executions were cut off at the limit of steps.
    case cutOff(executions: Int)
    /// Under rules that allow more, which were left open, not everything was tried.
    case wider(WiderSearch.Freedom)
    /// Compiled code has done something that the scheduler does not decide, or that is not a step: a sentence.
    case escaped(String)
    /// The program was not controlled: not all that it did was the scheduler's choice.
    case uncontrolled(Discrepancy)

    /// Without its figures. The raw values are part of reports.
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

    /// What the search has not done, the most telling first.
    package var gaps: [Gap] {
        // A search that allows more has tried all that this one should have.
        if let last = wider.last, last.result.isProof, discrepancy == nil, escape == nil { return [] }
        var gaps: [Gap] = []
        if let discrepancy { gaps.append(.uncontrolled(discrepancy)) }
        // What other strategies could not try is tried by the one that has tried everything.
        if total == nil { gaps += gapsOfStrategies }
        // An execution that never ends is cut off; its states are few.
        if counts.cutOff > 0 && prover != .states { gaps.append(.cutOff(executions: counts.cutOff)) }
        if let escape { gaps.append(.escaped(escape)) }
        if total == nil { gaps.append(.unfinished(stop)) }
        // What has been found is a proof of nothing else in any case.
        gaps += wider.filter { !$0.result.isProof }.map { .wider($0.freedom) }
        return gaps
    }

    private var gapsOfStrategies: [Gap] {
        var gaps: [Gap] = []
        gaps += obstacles.map { .abandoned($0) }
        if let partWithoutProver { gaps.append(.noProver(of: partWithoutProver)) }
        if let chance = chanceOfMissed {
            gaps.append(.hashes(chanceOfMissed: chance))
        } else if bounded.contains(.states) && !obstacles.contains(where: \.isOfStates) {
            gaps.append(swarm.map { .swarm($0) } ?? .memory)
        }
        let hasBound = !bounded.subtracting([.states]).isEmpty && obstacles.isEmpty
        if hasBound && counts.cutOff == 0 { gaps.append(.bound) }
        return gaps
    }
}

/// Why an exhaustive search cannot continue.
package enum Obstacle: Equatable, Sendable {
    /// At this choice, from 1, the program behaved differently than before under the same choices.
    case diverged(choice: Int)
    /// A step that was to be tried cannot be taken: the search or the rule that it used is wrong.
    case misjudged
    /// Time passes beside threads that repeat themselves, at other moments in other orders of independent steps.
    case time
    /// Of a search by partial orders: a wait on a condition and a weak compare-exchange share what may happen for no reason.
    case sharedBudget
    /// Of a search of graphs: more than one thread starts or joins a thread, or it is never joined.
    case sharedThread
    /// Of a search of graphs: an execution is too long, or nests too many holds of a lock.
    case tooLong
    /// Of a part of a search of graphs: an execution with a race ends otherwise, and those of other parts may complete.
    case hiddenRace
    /// Of a search by states under tso: a store buffer would hold more stores than it has room for.
    case fullBuffer
    /// The same: an execution that it found could not be repeated.
    case unrepeated
    /// The same, and the execution continues forever.
    case unrepeatedCycle
    /// The same: threads wait for time, which can pass before stores have reached memory.
    case timeBesideStores
    /// The same: what memory can hold at the end of an execution depends on more orders of waiting stores than are tried.
    case manyOrders
    /// The same: what must happen depends on a cell that a thread writes while its stores wait.
    case cellBesideStores

    /// Whether it is one of a search of graphs.
    package var isOfGraphs: Bool {
        switch self {
        case .sharedThread, .tooLong, .hiddenRace: true
        case .diverged, .misjudged, .time, .sharedBudget, .fullBuffer, .unrepeated, .unrepeatedCycle, .timeBesideStores,
            .manyOrders, .cellBesideStores:
            false
        }
    }

    /// Whether it is one of a search by states.
    package var isOfStates: Bool {
        switch self {
        case .fullBuffer, .unrepeated, .unrepeatedCycle, .timeBesideStores, .manyOrders, .cellBesideStores: true
        case .diverged, .misjudged, .time, .sharedBudget, .sharedThread, .tooLong, .hiddenRace: false
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
        case .fullBuffer: "more than \(StoreBuffers.most) stores of a thread wait in its buffer"
        case .unrepeated: "the search found an execution that has no schedule"
        case .unrepeatedCycle:
            "threads can repeat themselves forever without progress, and that could not be repeated as a schedule: if they are meant to, "
                + "write 'progress' where a round has done its work"
        case .misjudged: "the search planned a step that cannot be taken"
        case .sharedBudget:
            "either a wait on a condition or a weak compare-exchange can be what happens for no reason, and not every way was tried"
        case .time: "a thread waits for time beside threads that repeat themselves"
        case .timeBesideStores: "a thread waits for time, which can pass before stores have reached memory"
        case .cellBesideStores:
            "'eventually' reads a plain cell, whose writes can wait in a buffer: make the cell atomic, or write fence(seqcst) before and "
                + "after they are made"
        case .manyOrders: "at the end of an execution, waiting stores can reach memory in too many orders"
        }
    }
}

/// A schedule after which the program ended its process, or never reached another step.
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
