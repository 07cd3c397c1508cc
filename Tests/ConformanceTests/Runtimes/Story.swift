import Trace

/// A trace in words, to find out why a case failed.
enum Story {
    /// The last events, one per line.
    static func text(of document: TraceDocument) -> String {
        let lines = document.events.suffix(60).map { event in
            let object = document.object(event.object)?.name ?? ""
            let line = document.site(event.site).map { ":\($0.line)" } ?? ""
            let words = document.text(of: event) ?? "\(event.value)"
            return "  \(document.name(of: event.thread)) \(document.name(of: event)) \(object) \(words) \(line)"
        }
        return lines.joined(separator: "\n")
    }

    /// The kind of the misuse that came last.
    static func misuse(in document: TraceDocument) -> String {
        let event = document.events.last { $0.kind == .misuse }
        return event.flatMap { MisuseKind(rawValue: UInt8($0.value)) }?.identifier ?? "unknown"
    }
}
