import Trace

/// The number of permits that are left in a semaphore after each step that takes or gives one.
package struct PermitCounts {
    private var left: [Int: Int] = [:]

    /// Only steps on semaphores of which the trace shows how many permits they had at the beginning have a number.
    package init(_ trace: TraceDocument) {
        let beginning = Beginning(of: trace)
        guard beginning.permits.contains(where: { $0 != nil }) else { return }
        var permits = beginning.permits
        for (index, event) in trace.events.enumerated() {
            let effect = event.kind.effect
            guard effect == .takePermit || effect == .givePermit else { continue }
            let object = Int(event.object.index)
            guard permits.indices.contains(object), let before = permits[object] else { continue }
            let after = before + (effect == .givePermit ? 1 : -1)
            permits[object] = after
            // On real threads, an order of the events in which a permit is taken before it was given is possible.
            if after >= 0 { left[index] = after }
        }
    }

    /// - Parameter index: the number of the step's event in the trace, from 0.
    package subscript(index: Int) -> Int? { left[index] }
}
