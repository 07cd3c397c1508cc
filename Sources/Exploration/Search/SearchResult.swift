import Trace

/// What a search came to.
package struct SearchResult: Sendable {
    /// Why it ended, if not by itself.
    package enum Stop: String, Sendable {
        case executions, time, interrupted
    }

    package var counts = SearchCounts()
    /// Each once, in the order in which they were found.
    package private(set) var findings: [Finding] = []
    package private(set) var terminals = TerminalTable()
    /// The number of traces, if there is one of each kind of execution in what was searched.
    package private(set) var traces: Int?
    /// Whether the strategy came to the end of what it may try.
    package private(set) var isBoundReached = false
    package private(set) var obstacle: String?
    package var stop: Stop?
    /// Where an execution that was repeated did something else. Nothing that was found means much then.
    package var discrepancy: Discrepancy?

    private var known: Set<Finding.Identity> = []
    private var isFound = false

    package init() {}

    /// Whether all was seen that the program can do: no bound cut anything off.
    package var isProof: Bool { traces != nil && counts.cutOff == 0 && discrepancy == nil }

    /// Adds what came next in the order of the agenda.
    ///
    /// - Parameter isProver: whether the unit is one of the prover's.
    package mutating func add(_ report: UnitReport, isProver: Bool) {
        counts += report.counts
        terminals.add(report.terminals)
        for finding in report.findings where known.insert(finding.identity).inserted { findings.append(finding) }
        if isProver { proverExecutions += report.counts.executions - report.counts.redundant }
        obstacle = obstacle ?? report.obstacle
        switch report.end {
        case .found: isFound = true
        case .exhausted: traces = proverExecutions
        case .bounded: isBoundReached = true
        case .done, .stopped: break
        }
    }

    /// Executions of the prover, each another trace.
    private var proverExecutions = 0

    /// Whether there is nothing more to be searched for.
    package var isOver: Bool { isFound || traces != nil || discrepancy != nil }
}
