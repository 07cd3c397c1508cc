import Trace

/// The initial values of memory and the initial permits of semaphores. A trace does not contain the values, and older
/// traces not the permits, so they are derived from later events, as far as these show them.
struct Beginning {
    /// By object: its initial value. Nil: no event shows it.
    private(set) var values: [Int64?]
    /// By object: the initial permits of a semaphore. Nil: no event shows them.
    private(set) var permits: [Int?]

    /// A read that comes before any write of the object shows its initial value. A thread that begins to wait for a
    /// permit shows that none is left: the initial number is that of the permits taken before, minus those released.
    /// If the trace does not have them, permits are derived only for controlled runs, because a real thread takes a permit and records that in two
    /// steps.
    init(of trace: TraceDocument) {
        let count = trace.objects.count
        values = Array(repeating: nil, count: count)
        // After events that are missing, other numbers may be left.
        permits = trace.objects.map { trace.dropped == 0 ? $0?.permits : nil }
        var isSeen = Array(repeating: false, count: count)
        var taken = Array(repeating: 0, count: count)
        let isExact = trace.header.runtime == .controlled
        for event in trace.events {
            let object = Int(event.object.index)
            guard event.object != .none, object < count else { continue }
            let effect = event.kind.effect
            if effect.isRead || effect == .mismatch {
                if !isSeen[object] && event.value != Event.noNumber { values[object] = event.value }
            }
            if effect.showsValue { isSeen[object] = true }
            if effect == .takePermit { taken[object] += 1 }
            if effect == .givePermit { taken[object] -= 1 }
            if effect == .wait(.permit) && isExact && permits[object] == nil { permits[object] = taken[object] }
            if event.kind.endsRun { break }
        }
    }
}
