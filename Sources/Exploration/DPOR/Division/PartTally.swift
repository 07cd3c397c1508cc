/// Adds up what the searches of the parts of one search have proved.
package struct PartTally: Sendable {
    private let partCount: Int
    private var ended = 0
    private var distinct = 0
    private var isBounded = false

    package init(partCount: Int) { self.partCount = partCount }

    /// Settles the report of a unit. For the last unit of the last part, the result says what the whole search has
    /// proved; before that, an exhausted part counts merely as done.
    ///
    /// - Returns: the report, and whether its part is complete.
    package mutating func settle(_ report: UnitReport) -> (report: UnitReport, isLast: Bool) {
        guard report.end == .exhausted || report.end == .bounded else { return (report, false) }
        var report = report
        ended += 1
        distinct = min(distinct + min(report.distinct ?? 0, SearchCounts.most), SearchCounts.most)
        if report.end == .bounded { isBounded = true }
        let isOver = ended == partCount
        report.end = !isOver ? .done : isBounded ? .bounded : .exhausted
        report.distinct = isOver ? distinct : nil
        return (report, true)
    }
}
