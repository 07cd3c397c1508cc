import Trace

/// What objects held before the first event, as far as later events tell.
struct Beginning {
    private(set) var values: [Int64?]
    /// Of semaphores.
    private(set) var permits: [Int?]

    /// A read that comes before any write shows what memory held. A thread that finds no permit shows that none was
    /// left, which is certain only under the scheduler: real threads do not record a permit and its taking at once.
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
            switch event.kind.effect {
            case .read, .mismatch:
                if !isSeen[object] && event.value != Event.noNumber { values[object] = event.value }
                isSeen[object] = true
            case .write, .update, .append: isSeen[object] = true
            case .takePermit: taken[object] += 1
            case .givePermit: taken[object] -= 1
            case .wait(.permit): if isExact && permits[object] == nil { permits[object] = taken[object] }
            default: break
            }
            if event.kind.endsRun { break }
        }
    }
}
