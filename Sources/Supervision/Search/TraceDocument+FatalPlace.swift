import Machine
import Trace

extension TraceDocument {
    /// A number that distinguishes where processes ended prematurely: the line of the last event, and how they ended.
    var fatalPlace: Int {
        var hash = StateHash()
        if let end = events.last(where: { $0.kind.endsRun }) {
            hash.add(Int(end.kind.rawValue))
            hash.add(end.kind == .runTimeout ? 0 : Int(end.value))
        }
        if let last = events.last(where: { !$0.kind.endsRun }) {
            for byte in (site(last.site)?.shortDescription ?? "").utf8 { hash.add(Int(byte)) }
        }
        return Int(truncatingIfNeeded: hash.value)
    }

    /// Whether the program was asked to end while it was running.
    package var wasInterrupted: Bool { events.last?.kind == .runInterrupted }

    /// The signal that interrupted the run, or nil.
    package var interruption: Int32? {
        events.last.flatMap { wasInterrupted ? Int32(truncatingIfNeeded: $0.value) : nil }
    }
}
