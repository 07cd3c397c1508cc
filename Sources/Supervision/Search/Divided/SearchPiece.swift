import Exploration

/// A piece of a divided search that one machine does.
package enum SearchPiece: Equatable, Sendable {
    /// A part of a partial-order search or of a search of graphs, or one of several searches by states.
    case part(PlacedPart)
    /// Units, by number, of a search with a random strategy.
    case units(Range<Int>)
}

/// A part of a divided search, and its place among all parts, in the order of the search.
package struct PlacedPart: Equatable, Sendable {
    /// The part's number. For a part of a part that was divided further: that part's place, and then the number in it.
    package let place: [Int]
    package let part: SearchPart

    package init(place: [Int], _ part: SearchPart) {
        self.place = place
        self.part = part
    }
}

extension SearchPiece {
    /// Whether the first piece comes before the other one in the search.
    package static func precedes(_ one: SearchPiece, _ other: SearchPiece) -> Bool {
        switch (one, other) {
        case (.part(let one), .part(let other)): one.place.lexicographicallyPrecedes(other.place)
        case (.units(let one), .units(let other)):
            (one.lowerBound, one.upperBound) < (other.lowerBound, other.upperBound)
        // Never in one search. Parts come first, so that the order is complete.
        case (.part, .units): true
        case (.units, .part): false
        }
    }
}

/// A piece that has been searched, and the report of its search.
package struct SearchedPiece: Sendable {
    package var piece: SearchPiece
    package var report: UnitReport
    /// The time for which the process computed or slept, in nanoseconds.
    package var time: UInt64

    package init(_ piece: SearchPiece, _ report: UnitReport, time: UInt64) {
        self.piece = piece
        self.report = report
        self.time = time
    }
}

// MARK: - In files

extension SearchPiece: Message {
    private enum Kind: Int {
        case part, units
    }

    package func write(to words: inout WordWriter) {
        switch self {
        case .part(let part):
            words.add(Kind.part.rawValue)
            words.add(part.place) { $0.add($1) }
            words.add(part.part)
        case .units(let units):
            words.add(Kind.units.rawValue)
            words.add(units.lowerBound)
            words.add(units.upperBound)
        }
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.value(Kind.self) {
        case .part:
            let place = try words.list { words throws(DamagedMessage) in try words.count() }
            self = .part(PlacedPart(place: place, try words.message()))
        case .units:
            let (first, end) = (try words.count(), try words.count())
            guard first < end else { throw DamagedMessage() }
            self = .units(first..<end)
        }
    }
}

extension SearchedPiece: Message {
    package func write(to words: inout WordWriter) {
        words.add(piece)
        words.add(report)
        words.add(Int(bitPattern: UInt(time)))
    }

    package init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(try words.message(), try words.message(), time: try words.time())
    }
}
