import Diagnosis
import Trace

extension Cast {
    /// An event's value in words. Empty if it says nothing to a reader.
    func value(of event: Event) -> Label {
        switch event.kind {
        case .runCrash, .runKilled, .runInterrupted: return label(event.value == 0 ? "" : SignalName.name(event.value))
        case .threadExit where event.value == 0: return .empty
        // The number of the acquisition: it keeps the order between threads, and is none of the reader's business.
        case .mutexAcquire, .readAcquire, .writeAcquire: return .empty
        default: break
        }
        switch event.kind.meaning {
        case .none: return .empty
        case .number where event.value == Event.noNumber: return .empty
        case .number: return Label(String(event.value))
        case .thread: return event.valueAsThread.map(thread) ?? .empty
        case .object: return event.valueAsObject.map { Label("with ") + object($0) } ?? .empty
        case .text: return text(of: event)
        case .nanoseconds: return label(ReadableDuration.text(nanoseconds: event.value))
        case .misuse:
            return Label(UInt8(exactly: event.value).flatMap(MisuseKind.init(rawValue:))?.identifier ?? "?")
        }
    }
}
