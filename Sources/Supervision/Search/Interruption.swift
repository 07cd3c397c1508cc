/// Whether somebody has asked the program to end: work that can be cut short is, and what there is is told.
final class Interruption {
    private let signals: BlockedSignals
    private var isKnown: Bool

    init(_ signals: BlockedSignals, hasCome: Bool) {
        self.signals = signals
        isKnown = hasCome
    }

    /// It came to somebody else's ears.
    func note() { isKnown = true }

    var hasCome: Bool {
        while signals.wait(nanoseconds: 0) != nil { isKnown = true }
        return isKnown
    }
}
