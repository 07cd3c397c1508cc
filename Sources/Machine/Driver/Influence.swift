/// What a step does to the components of other threads. A component after the step depends only on this and on the
/// component before it.
package struct Influence: Equatable, Sendable, BitwiseCopyable {
    /// The kind of influence in the lowest two bits; above them, the object, place or thread concerned.
    package let word: UInt64

    private init(_ kind: UInt64, _ number: Int, _ way: Int = 0) {
        word = kind | UInt64(truncatingIfNeeded: number) << 2 | UInt64(truncatingIfNeeded: way) << 34
    }

    /// The step changes no other thread.
    package static let none = Influence(0, 0)
    /// The influence depends on more than the component, or does not fit in a word.
    package static let unclear = Influence(0, 1)

    /// The step wakes the waiter in the place `way`; nil: all waiters.
    static func waiters(on condition: UInt32, way: Int?) -> Influence {
        Influence(1, Int(condition), way.map { $0 + 1 } ?? 0)
    }
    /// The waiter in this place leaves without a signal, and those behind it move up.
    package static func leaving(_ condition: UInt32, place: Int) -> Influence {
        Influence(1, Int(condition), place + 1 | 1 << 20)
    }
    /// The step writes an object that other threads may watch.
    static func watchers(of object: UInt32) -> Influence { Influence(2, Int(object)) }
    static func join(_ thread: Int) -> Influence { Influence(3, thread) }

    package var isOnWaiters: Bool { word & 3 == 1 }
    package var isOnWatchers: Bool { word & 3 == 2 }
    /// The thread that the step joins, which is the only one that it influences. Nil: it joins none.
    package var joined: Int? { word & 3 == 3 ? Int(word >> 2) : nil }
}

extension Act {
    /// What a step with this act does to other threads.
    package func influence(of operation: Operation, way: Int) -> Influence {
        switch row.others {
        case .none: .none
        case .watchers: .watchers(of: operation.object)
        case .waiter: .waiters(on: operation.object, way: way)
        case .waiters: .waiters(on: operation.object, way: nil)
        case .target: operation.object == 0 ? .join(operation.a) : .unclear
        case .any: .unclear
        }
    }
}
