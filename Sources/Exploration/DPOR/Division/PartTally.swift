/// Adds up what the searches of the parts of one search have proved.
package struct PartTally: Sendable {
    private let partCount: Int
    /// The number of parts that have tried everything, or everything within their bound.
    private var ended = 0
    /// The sum of the numbers of different executions in these parts.
    private var distinct = 0
    /// Whether a part has tried everything only within its bound.
    private var isBounded = false

    package init(partCount: Int) { self.partCount = partCount }

    /// Turns the report of a unit (some executions) of a part into one of the whole search. The last unit of the last
    /// part says what the whole search has proved; the last unit of an earlier part is merely done.
    ///
    /// - Returns: the changed report, and whether it is the last one of its part.
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
