import Exploration
import Machine

/// The search of a share: some pieces of a divided search, which one machine searches in one or several processes.
///
/// The caller receives the state after each piece and saves it, so that a search that is killed can continue from
/// there.
package struct ShareSearch {
    /// How the work on a share ended.
    package enum End: Equatable, Sendable {
        /// The share is done, or what is left of it can be given to other machines (`ShareState.rest`).
        case closed
        /// Pieces are left, and they remain in the share: they may not be given away, or the only one could not be
        /// divided, so that giving it away would gain nothing.
        case kept
        case interrupted(signal: Int32)
    }

    private let plan: SearchPlan
    /// When the work must end, including the division of what is left.
    private let deadline: Deadline
    private let pieces: [SearchPiece]
    private let mayLeave: Bool
    private let save: (ShareState) throws(SupervisionFailed) -> Void
    private var state: ShareState
    /// By number in the agenda: the report so far of a part that is being searched.
    private var partial: [Int: UnitReport] = [:]
    /// By process: the time that it had computed or slept when it finished its last piece, in nanoseconds.
    private var lastTimes: [Int: UInt64] = [:]
    /// The number of executions of random strategies so far.
    private var executed = 0
    /// The number of those that are not in a saved state.
    private var unsaved = 0

    /// Units of random strategies are short, so the state is not saved after each. It is saved after this number of
    /// executions or a sixteenth of those so far, whichever is greater, so that saving a long state is rare.
    private let executionsBetweenSavings: Int
    /// A part that did not end within this number of executions is divided.
    private static let executionsOfLongPart = 10_000
    /// A tenth of the time, and at most this, is kept for dividing what is left, in nanoseconds.
    private static let mostTimeToDivide: UInt64 = 5_000_000_000
    /// The time for dividing even if less is left, in nanoseconds. Without it, work with a short time limit would only
    /// return the pieces with which it began.
    private static let leastTimeToDivide: UInt64 = 100_000_000
    /// The number of parts into which a part that did not end in time is divided.
    package static let mostPartsOfOne = 16

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - plan: the plan of the whole search, with the limits of this work.
    ///   - pieces: the share, in the order of the search.
    ///   - state: the state after earlier work on the share.
    ///   - mayLeave: whether the pieces that are left may become tasks for other machines.
    ///   - savings: the minimum number of random executions between two savings.
    ///   - save: called with each new state, including the last one.
    package static func run(
        _ plan: SearchPlan, _ pieces: [SearchPiece], from state: ShareState, mayLeave: Bool = true,
        savings: Int = 10_000, watch: @escaping (SearchProgress) -> Void = { _ in },
        save: @escaping (ShareState) throws(SupervisionFailed) -> Void
    ) throws(SupervisionFailed) -> (state: ShareState, end: End) {
        if state.isClosed { return (state, .closed) }
        var search = ShareSearch(plan, pieces, state, mayLeave, savings, save)
        let end = try search.run(watch)
        return (search.state, end)
    }

    private init(
        _ plan: SearchPlan, _ pieces: [SearchPiece], _ state: ShareState, _ mayLeave: Bool,
        _ savings: Int, _ save: @escaping (ShareState) throws(SupervisionFailed) -> Void
    ) {
        deadline = Deadline(after: plan.time)
        var plan = plan
        plan.time -= min(plan.time / 10, Self.mostTimeToDivide)
        self.plan = plan
        self.pieces = pieces
        self.state = state
        self.mayLeave = mayLeave
        executionsBetweenSavings = savings
        executed = state.done.reduce(into: SearchCounts()) { $0 += $1.report.counts }.executions
        self.save = save
    }

    private mutating func run(_ watch: @escaping (SearchProgress) -> Void) throws(SupervisionFailed) -> End {
        let open = neededPieces
        if !open.isEmpty {
            let work = Work(open, plan)
            let recorder = Recorder(self, work)
            let result = try SearchSupervisor.searchShare(plan, work.agenda, watch: watch) {
                unit, report, process, time throws(SupervisionFailed) in
                try recorder.note(unit, report, process, time)
            }
            self = recorder.search
            if let signal = result.signal {
                try save(state)
                return .interrupted(signal: signal)
            }
            if plan.strategy == .states { closeBegunSearches(work) }
            state.discrepancy = result.discrepancy
            state.endsProcesses = result.stop == .fatalEnds
            let hasRest = result.discrepancy == nil && result.stop != .fatalEnds
            let rest = hasRest ? try self.rest(work) : (pieces: [], signal: nil)
            if let signal = rest.signal {
                try save(state)
                return .interrupted(signal: signal)
            }
            if !rest.pieces.isEmpty && (!mayLeave || rest.pieces.count == 1 && rest.pieces == open) {
                try save(state)
                return .kept
            }
            state.rest = rest.pieces
        } else {
            state.rest = []
        }
        try save(state)
        return .closed
    }

    /// The pieces that have not been searched, up to the first one at which the search ends.
    private var neededPieces: [SearchPiece] {
        let open = state.open(of: pieces)
        guard let last = state.done.first(where: { $0.report.end == .found })?.piece else { return open }
        return open.filter { SearchPiece.precedes($0, last) }
    }

    /// Closes searches by states that have not ended. They only look for findings, and are done when the time is over.
    private mutating func closeBegunSearches(_ work: Work) {
        for (number, report) in partial {
            var report = report
            report.end = .bounded
            state.add(SearchedPiece(.part(work.parts[number]), report, time: 0))
        }
        partial = [:]
    }

    /// The pieces that are left for other machines. A part that was searched for long is divided, because its search
    /// begins again there and would take at least as long.
    private func rest(_ work: Work) throws(SupervisionFailed) -> (pieces: [SearchPiece], signal: Int32?) {
        let needed = neededPieces
        let long = work.parts.enumerated().filter { number, part in isLong(number) && needed.contains(.part(part)) }
            .map(\.element)
        let divider = try PartDivider.divide(
            long, of: plan, atMost: Self.mostPartsOfOne, until: deadline.orAfter(Self.leastTimeToDivide))
        let others = needed.filter { piece in
            if case .part(let part) = piece { !long.contains(part) } else { true }
        }
        let pieces = others + divider.parts.map { .part($0) }
        return (pieces.sorted(by: SearchPiece.precedes), divider.signal)
    }

    /// Whether the part with this number in the agenda was searched for long. If it was the only work, any time is
    /// long.
    private func isLong(_ number: Int) -> Bool {
        guard let report = partial[number] else { return false }
        return state.done.isEmpty || report.counts.executions >= Self.executionsOfLongPart
    }

    /// The pieces as an agenda.
    private struct Work {
        let agenda: Agenda
        var parts: [PlacedPart] = []
        var units = UnitNumbers()

        init(_ pieces: [SearchPiece], _ plan: SearchPlan) {
            for piece in pieces {
                switch piece {
                case .part(let part): parts.append(part)
                case .units(let range): units.append(range)
                }
            }
            agenda =
                parts.isEmpty
                ? Agenda(plan.strategy ?? .random, limit: plan.executions, share: units)
                : Agenda(parts: parts.map(\.part), of: plan.strategy ?? .dpor)
        }
    }

    /// Receives reports as they arrive. A class, because the supervisor keeps a closure.
    private final class Recorder {
        private(set) var search: ShareSearch
        private let work: Work

        init(_ search: ShareSearch, _ work: Work) {
            self.search = search
            self.work = work
        }

        func note(_ unit: Int, _ report: UnitReport, _ process: Int, _ time: UInt64) throws(SupervisionFailed) {
            try search.note(unit, report, process, time, work)
        }
    }

    /// Adds a report to the state.
    ///
    /// - Parameters:
    ///   - unit: the number of the unit in the agenda of this work.
    ///   - time: the time that the process has computed or slept so far, in nanoseconds.
    private mutating func note(
        _ unit: Int, _ report: UnitReport, _ process: Int, _ time: UInt64, _ work: Work
    ) throws(SupervisionFailed) {
        // The time of a process that replaced another one begins at 0.
        let last = lastTimes[process] ?? 0
        let taken = time >= last ? time - last : time
        guard let number = work.agenda.part(of: unit) else {
            if report.end == .stopped { return }
            lastTimes[process] = time
            guard let place = work.units[unit] else { return }
            state.add(SearchedPiece(.units(place..<place + 1), report, time: taken))
            executed += report.counts.executions
            unsaved += report.counts.executions
            if unsaved >= max(executionsBetweenSavings, executed / 16) || report.end == .found { try saveNow() }
            return
        }
        partial[number, default: UnitReport()].append(report)
        switch report.end {
        case .done, .stopped: return
        case .found, .exhausted, .bounded: break
        }
        lastTimes[process] = time
        guard let whole = partial.removeValue(forKey: number) else { return }
        state.add(SearchedPiece(.part(work.parts[number]), whole, time: taken))
        try saveNow()
    }

    private mutating func saveNow() throws(SupervisionFailed) {
        unsaved = 0
        try save(state)
    }
}
