import Exploration
import Trace

/// The result of a divided search, made from the results of its pieces.
///
/// It equals the result of one machine that searches one piece after the other. If the pieces do not make up the whole
/// search, or contradict each other, there is a flaw and no result.
package struct JoinedSearch {
    /// Why the pieces give no result. Single numbers are indices in the list of pieces.
    package enum Flaw: Equatable, Error, Sendable {
        /// The parts are not all parts of the search, or overlap.
        case parts(PartCover.Flaw)
        /// These units are in no piece.
        case missingUnits(Range<Int>)
        /// These two pieces have units in common; if both numbers are the same, the piece has units that the search
        /// does not have.
        case doubledUnits(Int, Int)
        /// This piece has a finding of a kind that another piece, which visited all states, does not have.
        case contradiction(Int, OutcomeKind)
        /// The parts contain all graphs, and no graph was found.
        case withoutGraphs
        /// This piece has not been searched, and the search does not end before it.
        case notSearched(Int)
    }

    /// A piece, and the report of its search. Nil: not searched yet.
    package typealias Piece = (piece: SearchPiece, report: UnitReport?)

    /// - Parameters:
    ///   - before: the report of what was searched before the search was divided.
    ///   - pieces: the pieces, in any order.
    ///   - isGivenUp: whether the search of a piece was given up. Pieces that were not searched are then no flaw, and
    ///     the result is no proof.
    package static func result(
        _ plan: SearchPlan, before: UnitReport, _ pieces: [Piece], isGivenUp: Bool = false
    ) throws(Flaw) -> SearchResult {
        let strategy = plan.strategy ?? .dpor
        if let flaw = strategy.isRandom ? flaw(ofUnits: pieces, plan) : flaw(ofParts: pieces) { throw flaw }
        var result = SearchResult()
        result.partWithoutProver = plan.partWithoutProver
        result.escape = plan.scenario.escape
        result.add(before, of: strategy, plan.goal)
        result.countAgain()
        if strategy == .states { return try joined(members: pieces, to: result, plan, isGivenUp) }
        var tally = PartTally(partCount: pieces.count)
        for number in pieces.indices.sorted(by: { SearchPiece.precedes(pieces[$0].piece, pieces[$1].piece) }) {
            if result.isOver { break }
            guard let report = pieces[number].report else {
                if isGivenUp { break }
                throw .notSearched(number)
            }
            result.add(strategy.isRandom ? report : tally.settle(report).report, of: strategy, plan.goal)
        }
        if result.isWithoutGraphs { throw .withoutGraphs }
        return result
    }

    /// Joins several searches by states, each of the whole program, in their order, until one has proved or found
    /// something.
    private static func joined(
        members pieces: [Piece], to start: SearchResult, _ plan: SearchPlan, _ isGivenUp: Bool
    ) throws(Flaw) -> SearchResult {
        var result = start
        for number in pieces.indices.sorted(by: { SearchPiece.precedes(pieces[$0].piece, pieces[$1].piece) }) {
            if result.isOver { break }
            guard let report = pieces[number].report else {
                if isGivenUp { break }
                throw .notSearched(number)
            }
            result.add(member: report, plan.goal)
        }
        guard result.total != nil else { return result }
        // All of them search the same program, so one that visited all states must have found every kind of finding.
        let kinds = Set(result.findings.map(\.kind))
        for (number, piece) in pieces.enumerated() {
            if let kind = piece.report?.findings.map(\.kind).first(where: { !kinds.contains($0) }) {
                throw .contradiction(number, kind)
            }
        }
        return result
    }

    private static func flaw(ofParts pieces: [Piece]) -> Flaw? {
        let parts: [SearchPart] = pieces.compactMap { piece in
            if case .part(let part) = piece.piece { part.part } else { nil }
        }
        return PartCover.flaw(of: parts).map { .parts($0) }
    }

    private static func flaw(ofUnits pieces: [Piece], _ plan: SearchPlan) -> Flaw? {
        let ranges = pieces.enumerated().compactMap { number, piece in
            if case .units(let units) = piece.piece { (number: number, units: units) } else { nil }
        }.sorted { ($0.units.lowerBound, $0.number) < ($1.units.lowerBound, $1.number) }
        let count = Agenda.randomUnitCount(limit: plan.executions)
        var (end, last) = (0, -1)
        for (number, units) in ranges {
            if units.lowerBound > end { return .missingUnits(end..<units.lowerBound) }
            if units.lowerBound < end { return .doubledUnits(min(last, number), max(last, number)) }
            (end, last) = (units.upperBound, number)
        }
        if end < count { return .missingUnits(end..<count) }
        return end > count ? .doubledUnits(last, last) : nil
    }
}
