/// Whether the program was asked to end: then work is cut short, and the results so far are reported.
final class Interruption {
    private let signals: BlockedSignals
    private var known: Int32?

    /// - Parameter known: the signal, if it was received before.
    init(_ signals: BlockedSignals, known: Int32? = nil) {
        self.signals = signals
        self.known = known
    }

    /// The signal was received elsewhere.
    func note(_ signal: Int32) { known = known ?? signal }

    /// The first signal, or nil.
    var signal: Int32? {
        while let signal = signals.wait(nanoseconds: 0) { note(signal) }
        return known
    }

    var hasCome: Bool { signal != nil }
}
