import Trace

/// What objects held before the first event, as far as later events tell.
struct Beginning {
    private(set) var values: [Int64?]
    /// By object: the permits of a semaphore.
    private(set) var permits: [Int?]

    /// A read that comes before any write shows the first value. A thread that finds no permit shows that none was
    /// left. This is certain only under the scheduler: a real thread takes a permit and records that in two steps.
    init(of trace: TraceDocument) {
        let count = trace.objects.count
        values = Array(repeating: nil, count: count)
        permits = Array(repeating: nil, count: count)
        var isSeen = Array(repeating: false, count: count)
        var taken = Array(repeating: 0, count: count)
        let isExact = trace.header.runtime == .controlled
        for event in trace.events {
            let object = Int(event.object.index)
            guard object != 0, object < count else { continue }
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
