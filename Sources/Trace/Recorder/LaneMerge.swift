/// Merges the lanes of threads that recorded at the same time into one order of events: the order of their times,
/// unless the semantics of the primitives (`MergeOrder`) requires another one. For example, a read of 1 goes after the
/// write of 1, even if the write has the later time.
///
/// All times are in ticks of the recording's clock.
struct LaneMerge {
    var order = MergeOrder()
    /// By how much the time of an event may be later than that of an event that happened after it: 1 ms. `patience`
    /// allows for more where values show the order.
    var slack: UInt64 = 0

    /// The delay that is added to the time of a write to memory: 2 µs. It covers out-of-order execution and the
    /// difference between the clocks of two processors.
    static func lateness(slack: UInt64) -> UInt64 { slack / 500 }

    /// The maximum error of a write's time: 1 s. A thread that loses its processor between a write and the reading of
    /// the clock stamps the write late, on a busy machine by a lot, and reads of the value have to be held back for as
    /// long.
    private var patience: UInt64 { slack &* 1000 }

    /// How long a blocked event that values do not order is held back, because the event that makes it possible may
    /// still arrive: 20 ms.
    private var holdBack: UInt64 { slack &* 20 }

    /// The lanes that have an event, as a heap ordered by the keys (`LaneHead.key`) of these events. Below, a place is
    /// an index in the heap.
    private var heap: [Int] = []

    /// Prepares for a series of calls of `next`.
    mutating func begin(_ lanes: [LaneReader]) {
        heap = lanes.indices.filter { lanes[$0].head != nil }
        for i in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(i, lanes) }
    }

    /// Removes the next event from its lane. Nil: there is none, or an earlier one may still arrive.
    ///
    /// - Parameter watermark: the time up to which the events of all lanes are known.
    mutating func next(_ lanes: inout [LaneReader], watermark: UInt64) -> RecordedEvent? {
        guard var first = earliest(lanes), first.key <= watermark else { return nil }
        if heap.count == 1 && lanes.count == 1 { return take(0, &lanes) }
        while order.isStale(first), placeOfWrite(seenBy: first, lanes) == nil {
            let limit = latest(first, lanes)
            guard let (place, write) = laterWrite(seenBy: first, before: limit, lanes) else {
                // The write is not among the known events, but its record may still arrive.
                guard limit <= watermark else { return nil }
                break
            }
            guard first.key < limit else {
                // The read cannot be postponed further. The events before the write on its lane are stamped late as
                // well, so the first of them goes before the read.
                guard let head = lanes[heap[place]].head, order.allows(head) else { break }
                return take(place, before: first, &lanes, watermark)
            }
            lanes[heap[0]].postponeHead(after: write, limit: limit)
            sink(0, lanes)
            guard let other = earliest(lanes), other.key <= watermark else { return nil }
            first = other
        }
        if order.allows(first) {
            guard let place = predecessor(of: first, lanes) else { return take(0, &lanes) }
            return take(place, before: first, &lanes, watermark)
        }
        if let place = alternative(to: first, lanes) { return take(place, before: first, &lanes, watermark) }
        // The event that would make this one possible was dropped, or has not arrived yet.
        let delay = first.effect.isOrderedByValue ? patience : holdBack
        guard watermark == .max || first.key &+ delay < watermark else { return nil }
        return take(0, &lanes)
    }

    /// The event with the least key.
    private func earliest(_ lanes: [LaneReader]) -> LaneHead? { heap.first.flatMap { lanes[$0].head } }

    // MARK: - Events that go first

    /// The place of an event that can go before one that is not possible yet: the earliest possible event; but if that
    /// is due clearly later than the blocked one, rather the change of the value that blocks it. Nil: there is none.
    private func alternative(to first: LaneHead, _ lanes: [LaneReader]) -> Int? {
        let isOrderedByValue = first.effect.isOrderedByValue
        var best: Int?
        var bestKey = first.key &+ (isOrderedByValue ? patience : slack)
        for place in heap.indices.dropFirst() {
            guard let head = lanes[heap[place]].head, head.key < bestKey, order.allows(head) else { continue }
            best = place
            bestKey = head.key
        }
        guard isOrderedByValue, bestKey >= first.key &+ Self.lateness(slack: slack) else { return best }
        guard let change = placeOfChange(neededBy: first, lanes), let head = lanes[heap[change]].head else {
            return best
        }
        return predecessor(of: head, lanes) ?? change
    }

    /// The place of an event that must go before one that is possible now. Nil: there is none.
    private func predecessor(of head: LaneHead, _ lanes: [LaneReader]) -> Int? {
        if head.changesAtomic { return placeOfWrite(keptBy: head, lanes) }
        return order.isStale(head) ? placeOfWrite(seenBy: head, lanes) : nil
    }

    /// The place of a write of the value that the atomic already has, which would no longer be possible after this
    /// change of the value.
    private func placeOfWrite(keptBy change: LaneHead, _ lanes: [LaneReader]) -> Int? {
        heap.indices.first { place in
            guard let head = lanes[heap[place]].head, head.event.object == change.event.object else { return false }
            return head.old == change.old && head.old == head.event.value && head.key < change.key &+ patience
        }
    }

    /// The place of a change of the object whose value blocks this event, preferably a change to the value that the
    /// event needs.
    private func placeOfChange(neededBy first: LaneHead, _ lanes: [LaneReader]) -> Int? {
        let value = first.old ?? first.event.value
        var best: Int?
        for place in heap.indices.dropFirst() {
            guard let head = lanes[heap[place]].head, head.event.object == first.event.object,
                head.effect.isWrite, head.key < first.key &+ patience, order.allows(head)
            else { continue }
            if head.event.value == value { return place }
            if best == nil { best = place }
        }
        return best
    }

    /// The place of the write whose value this read of a plain cell saw, if it is the next event of its lane.
    private func placeOfWrite(seenBy read: LaneHead, _ lanes: [LaneReader]) -> Int? {
        heap.indices.first { place in
            guard let head = lanes[heap[place]].head else { return false }
            return head.isWrite(seenBy: read) && head.key <= read.key &+ patience
        }
    }

    /// The latest time at which the earliest event, a read of a plain cell, can have happened. Its thread may have lost
    /// its processor between reading the clock and the cell, but it read the cell before its next event.
    private func latest(_ read: LaneHead, _ lanes: [LaneReader]) -> UInt64 {
        min(lanes[heap[0]].afterHead.head?.key ?? .max, read.key &+ patience)
    }

    /// The write whose value the earliest event, a read of a plain cell, saw, if it comes after other events in its
    /// lane; and the place of that lane.
    ///
    /// - Parameter limit: the latest time at which the read can have happened.
    private func laterWrite(
        seenBy read: LaneHead, before limit: UInt64, _ lanes: [LaneReader]
    ) -> (place: Int, write: LaneHead)? {
        var found: (place: Int, write: LaneHead)?
        for place in heap.indices.dropFirst() {
            guard let write = lanes[heap[place]].write(seenBy: read, before: limit, patience: patience) else {
                continue
            }
            if found.map({ write.key < $0.write.key }) ?? true { found = (place, write) }
        }
        return found
    }

    // MARK: - Taking

    /// Takes an event before another one with an earlier time. The event's own time then becomes at most that time.
    private mutating func take(
        _ place: Int, before first: LaneHead, _ lanes: inout [LaneReader], _ watermark: UInt64
    ) -> RecordedEvent? {
        guard let key = lanes[heap[place]].head?.key, key <= watermark else { return nil }
        guard var event = take(place, &lanes) else { return nil }
        event.time = min(event.time, first.event.time)
        return event
    }

    /// Takes the event at a place.
    private mutating func take(_ place: Int, _ lanes: inout [LaneReader]) -> RecordedEvent? {
        let lane = heap[place]
        guard let head = lanes[lane].head else { return nil }
        order.note(head)
        lanes[lane].advance()
        if place == 0, lanes[lane].head != nil {
            sink(0, lanes)
        } else if lanes[lane].head == nil {
            remove(place, lanes)
        } else {
            // The lane's next event is later, so the lane can only move down.
            sink(place, lanes)
        }
        return head.event
    }

    private mutating func remove(_ place: Int, _ lanes: [LaneReader]) {
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        sink(place, lanes)
        rise(place, lanes)
    }

    // MARK: - The heap

    private func time(_ place: Int, _ lanes: [LaneReader]) -> UInt64 { lanes[heap[place]].head?.key ?? .max }

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

extension Effect {
    /// Whether it is possible only while its object has a certain value.
    fileprivate var isOrderedByValue: Bool {
        switch self {
        case .read(.atomic), .write(.atomic), .update, .mismatch, .append: true
        default: false
        }
    }
}
