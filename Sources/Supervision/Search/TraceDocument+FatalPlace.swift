import Machine
import Trace

extension TraceDocument {
    /// A number that tells apart where processes ended before their time: the line of the last thing that happened, and how
    /// they ended.
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

    /// Whether somebody asked the program to end while it ran.
    package var wasInterrupted: Bool { events.last?.kind == .runInterrupted }
}
