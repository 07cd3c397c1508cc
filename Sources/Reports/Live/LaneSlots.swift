import Trace

/// Which lane each living thread has. A lane is free again when its thread has ended, so a run that makes threads
/// forever needs as many lanes as threads live at once.
struct LaneSlots {
    private var lanes: [Int?] = [0]
    private var isUsed = [true]

    /// The number of lanes that were ever used at once.
    var count: Int { isUsed.count }

    /// The lane of the event's thread. A thread that the event creates gets one too.
    mutating func lane(of event: Event) -> Int {
        let own = lane(of: event.thread)
        if event.kind.effect.createsThread, let created = event.valueAsThread { _ = lane(of: created) }
        return own
    }

    private mutating func lane(of thread: ThreadID) -> Int {
        let index = Int(thread.index)
        while lanes.count <= index { lanes.append(nil) }
        if let lane = lanes[index] { return lane }
        let lane = isUsed.firstIndex(of: false) ?? isUsed.count
        if lane == isUsed.count { isUsed.append(true) } else { isUsed[lane] = true }
        lanes[index] = lane
        return lane
    }

    /// Frees the lane of a thread that ends with the event.
    mutating func release(_ event: Event) {
        let effect = event.kind.effect
        guard effect.endsThread || effect == .cutOffThread else { return }
        let index = Int(event.thread.index)
        guard index < lanes.count, let lane = lanes[index] else { return }
        lanes[index] = nil
        isUsed[lane] = false
    }
}
