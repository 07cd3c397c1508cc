/// When a history counts as correct: if its calls, taken one at a time in some order, are a run of the sequential
/// model. The criteria differ in the orders that may be chosen.
package enum Criterion: String, CaseIterable, Sendable {
    /// A call that has returned before another one is made must come before that one (Herlihy and Wing 1990).
    case linearizability = "linearizable"
    /// The calls of each thread must keep their order (Lamport 1979).
    case sequentialConsistency = "sequentially consistent"
    /// A call must come before another one if between them there was a moment without an open call, one that has been
    /// made and has not returned (Aspnes, Herlihy and Shavit 1994).
    case quiescentConsistency = "quiescently consistent"

    /// Whether the criterion depends on when calls are made and return, so that this must be observed.
    package var needsRealTime: Bool {
        switch self {
        case .linearizability, .quiescentConsistency: true
        case .sequentialConsistency: false
        }
    }

    /// For each call, in the order of `places`: the set of calls that must come before it, as bits.
    func earlier<Operation, Answer>(in history: History<Operation, Answer>) -> [UInt64] {
        let places = history.places
        switch self {
        case .linearizability: return Self.sets(places) { history.precedes($0, $1) }
        case .sequentialConsistency:
            return Self.sets(places) { $0.thread == $1.thread && $0.number < $1.number }
        case .quiescentConsistency:
            let before = Self.sets(places) { history.precedes($0, $1) }
            return before.indices.map { call in
                before.indices.reduce(UInt64(0)) { set, other in
                    other != call && Self.quiescentPart(with: other, before) & 1 << UInt64(call) == 0
                        ? set | 1 << UInt64(other) : set
                }
            }
        }
    }

    /// For each call: the calls that precede it according to the predicate, as bits.
    private static func sets<Place>(_ places: [Place], _ precedes: (Place, Place) -> Bool) -> [UInt64] {
        places.map { place in
            places.indices.reduce(UInt64(0)) { precedes(places[$1], place) ? $0 | 1 << UInt64($1) : $0 }
        }
    }

    /// The calls that were made up to the first moment after this call at which no call was open: the smallest set that
    /// contains this call and whose calls all precede all calls outside of it.
    ///
    /// - Parameter before: for each call, the calls that returned before it was made, as bits.
    private static func quiescentPart(with call: Int, _ before: [UInt64]) -> UInt64 {
        var part = UInt64(1) << UInt64(call)
        while let next = before.indices.first(where: {
            part & 1 << UInt64($0) == 0 && part & ~before[$0] != 0
        }) {
            part |= 1 << UInt64(next)
        }
        return part
    }
}
