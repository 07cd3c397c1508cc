/// What a thread that waits at a barrier waits for, as the text of its event `object.wait`.
package struct BarrierNeed: Equatable, Sendable {
    /// The number of threads that a round of the barrier waits for.
    package let parties: Int

    package init(parties: Int) { self.parties = parties }

    private static let (start, end) = ("until ", " threads have come")

    package var text: String { "\(Self.start)\(parties)\(Self.end)" }

    /// Nil: the text says something else.
    package init?(text: String) {
        guard text.hasPrefix(Self.start), text.hasSuffix(Self.end) else { return nil }
        guard let parties = Int(text.dropFirst(Self.start.count).dropLast(Self.end.count)) else { return nil }
        self.parties = parties
    }
}
