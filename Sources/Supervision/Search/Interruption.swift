/// Whether the program was asked to end: then work is cut short, and the results so far are reported.
final class Interruption {
    private let signals: BlockedSignals
    private var isKnown: Bool

    init(_ signals: BlockedSignals, hasCome: Bool) {
        self.signals = signals
        isKnown = hasCome
    }

    /// The signal was received elsewhere.
    func note() { isKnown = true }

    var hasCome: Bool {
        while signals.wait(nanoseconds: 0) != nil { isKnown = true }
        return isKnown
    }
}
