/// A search by partial orders that has been divided. Each part has as many units as it needs, so the number of a unit says which one
/// of which part it is. One process does all units of a part; the next unit after the last one of a part is the first of the next.
extension Agenda {
    private static let turnBits = 32

    /// The number of a part's first unit.
    package static func first(ofPart part: Int) -> Int { part << turnBits }

    /// The part to which the unit with this number belongs. Nil: the search has not been divided.
    package func part(of index: Int) -> Int? { parts.isEmpty ? nil : index >> Self.turnBits }

    /// The number of the unit that comes next, if this one was the last of its part.
    package func next(afterLast index: Int) -> Int { Self.first(ofPart: index >> Self.turnBits + 1) }

    func unitOfPart(_ index: Int) -> Unit? {
        guard index >> Self.turnBits < parts.count else { return nil }
        let turn = index & (1 << Self.turnBits - 1)
        return Unit(strategy: .dpor, executions: sizes(of: .dpor).range(turn), before: 0)
    }
}
