import Trace

/// The states of the threads in their lanes, as shown in the rows of the others.
struct LaneStates {
    enum State { case absent, running, blocked }

    private(set) var all: [State]

    /// Before the first event only the main thread exists.
    init(_ count: Int) {
        all = Array(repeating: .absent, count: count)
        if count > 0 { all[0] = .running }
    }

    mutating func grow(to count: Int) {
        while all.count < count { all.append(.absent) }
    }

    subscript(_ lane: Int) -> State { all[lane] }

    /// Applies an event of the lane's thread.
    mutating func apply(_ event: Event, _ lane: Int) {
        let effect = event.kind.effect
        let isGone = effect.endsThread || effect == .cutOffThread || effect == .endRun(.exit)
        all[lane] = isGone ? .absent : effect.blocks ? .blocked : .running
    }
}
