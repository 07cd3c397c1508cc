import Exploration
import Text

/// How far the work on a share of a divided search has come. It is saved in a file, from which the work can continue.
package struct ShareState: Sendable {
    /// The pieces that have been searched, in the order of the search.
    package var done: [SearchedPiece] = []
    /// The pieces that are left for other machines; empty if none are. Nil: the work on the share has not ended.
    package var rest: [SearchPiece]?
    /// How an execution differed when it was repeated, so that no result means anything. Nil: none did.
    package var discrepancy: Discrepancy?
    /// Whether the program ended its process too often.
    package var endsProcesses = false

    package init() {}

    /// Whether the work on this share has ended.
    package var isClosed: Bool { rest != nil }

    /// What is left to search of these pieces.
    package func open(of pieces: [SearchPiece]) -> [SearchPiece] {
        pieces.flatMap { piece -> [SearchPiece] in
            switch piece {
            case .part: return done.contains { $0.piece == piece } ? [] : [piece]
            case .units(let units): return Self.gaps(in: units, done).map { .units($0) }
            }
        }
    }

    private static func gaps(in units: Range<Int>, _ done: [SearchedPiece]) -> [Range<Int>] {
        var gaps: [Range<Int>] = []
        var start = units.lowerBound
        for piece in done {
            guard case .units(let known) = piece.piece, known.upperBound > start, known.lowerBound < units.upperBound
            else { continue }
            if known.lowerBound > start { gaps.append(start..<known.lowerBound) }
            start = known.upperBound
        }
        if start < units.upperBound { gaps.append(start..<units.upperBound) }
        return gaps
    }

    /// Adds a piece. Consecutive units become one piece, unless the search ends at the first of them.
    mutating func add(_ piece: SearchedPiece) {
        let place = done.firstIndex { SearchPiece.precedes(piece.piece, $0.piece) } ?? done.count
        done.insert(piece, at: place)
        join(at: place)
        if place > 0 { join(at: place - 1) }
    }

    private mutating func join(at place: Int) {
        guard done.indices.contains(place + 1), case .units(let one) = done[place].piece,
            case .units(let next) = done[place + 1].piece, one.upperBound == next.lowerBound,
            done[place].report.end == .done
        else { return }
        // Joined in place, because the first report may be long.
        let second = done.remove(at: place + 1)
        done[place].piece = .units(one.lowerBound..<next.upperBound)
        done[place].report.append(second.report)
        done[place].time = done[place].time.added(saturating: second.time)
    }
}

extension ShareState: Message {
    package func write(to words: inout WordWriter) {
        words.add(done)
        words.add(rest) { $0.add($1) }
        words.add(discrepancy)
        words.add(endsProcesses ? 1 : 0)
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init()
        done = try words.list()
        rest = try words.optional { words throws(DamagedMessage) in try words.list() }
        discrepancy = try words.optional()
        endsProcesses = try words.word() != 0
    }
}
