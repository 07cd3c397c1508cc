/// Merges lanes into one order: by time, as far as `MergeOrder` allows.
struct LaneMerge {
    var order = MergeOrder()
    /// How much later than another an event may be stamped that really came before it, in ticks.
    var slack: UInt64 = 0

    /// The lanes that have an event, as a heap by that event's time.
    private var heap: [Int] = []

    mutating func begin(_ lanes: [LaneReader]) {
        heap = lanes.indices.filter { lanes[$0].head != nil }
        for i in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(i, lanes) }
    }

    /// Takes the next event out of its lane. Nil if there is none, or if one may still come that goes before.
    mutating func next(_ lanes: inout [LaneReader], watermark: UInt64) -> RecordedEvent? {
        guard let top = heap.first, let first = lanes[top].head, first.time <= watermark else { return nil }
        if heap.count == 1 && lanes.count == 1 { return take(0, &lanes) }
        if allows(first) { return take(0, &lanes) }
        if let place = alternative(to: first, lanes) {
            guard let time = lanes[heap[place]].head?.time, time <= watermark else { return nil }
            return take(place, &lanes)
        }
        // What it waits for was dropped, or has yet to come.
        guard watermark == .max || first.time &+ slack &* 20 < watermark else { return nil }
        return take(0, &lanes)
    }

    private func allows(_ event: RecordedEvent) -> Bool {
        guard let kind = event.kind else { return true }
        return order.allows(event, kind)
    }

    /// The earliest event that can go before one that cannot come yet.
    private func alternative(to first: RecordedEvent, _ lanes: [LaneReader]) -> Int? {
        var best: Int?
        var bestTime = first.time &+ slack
        for place in heap.indices.dropFirst() {
            guard let event = lanes[heap[place]].head, event.time < bestTime, allows(event) else { continue }
            best = place
            bestTime = event.time
        }
        return best
    }

    private mutating func take(_ place: Int, _ lanes: inout [LaneReader]) -> RecordedEvent? {
        let lane = heap[place]
        guard let event = lanes[lane].head else { return nil }
        if let kind = event.kind { order.note(event, kind) }
        lanes[lane].advance()
        if place == 0, lanes[lane].head != nil {
            sink(0, lanes)
        } else if lanes[lane].head == nil {
            remove(place, lanes)
        } else {
            // Its lane's next event is later: it can only sink.
            sink(place, lanes)
        }
        return event
    }

    private mutating func remove(_ place: Int, _ lanes: [LaneReader]) {
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        sink(place, lanes)
        rise(place, lanes)
    }

    // MARK: - The heap

    private func time(_ place: Int, _ lanes: [LaneReader]) -> UInt64 { lanes[heap[place]].head?.time ?? .max }

    private mutating func sink(_ start: Int, _ lanes: [LaneReader]) {
        var place = start
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if time(child, lanes) < time(least, lanes) { least = child }
            }
            if least == place { return }
            heap.swapAt(place, least)
            place = least
        }
    }

    private mutating func rise(_ start: Int, _ lanes: [LaneReader]) {
        var place = start
        while place > 0, time(place, lanes) < time((place - 1) / 2, lanes) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }
}
