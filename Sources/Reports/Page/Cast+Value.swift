import Diagnosis
import Text
import Trace

extension Cast {
    /// An event's value as text. Empty if it is of no use to a reader.
    func value(of event: Event) -> Label {
        let meaning = event.kind.meaning
        if meaning.isNumber && event.value == Event.noNumber { return .empty }
        switch meaning {
        case .none: return .empty
        // An internal number for the order between threads.
        case .ticket: return .empty
        case .result where event.value == 0, .signal where event.value == 0: return .empty
        case .number, .result: return Label(String(event.value))
        case .signal: return label(SignalName.name(event.value))
        case .thread: return event.valueAsThread.map(thread) ?? .empty
        case .object: return event.valueAsObject.map { Label("with ") + object($0) } ?? .empty
        case .text: return text(of: event)
        case .nanoseconds: return label(ReadableDuration.text(nanoseconds: event.value))
        case .bytes: return label(ReadableBytes.text(event.value))
        case .misuse:
            return Label(UInt8(exactly: event.value).flatMap(MisuseKind.init(rawValue:))?.identifier ?? "?")
        }
    }
}
