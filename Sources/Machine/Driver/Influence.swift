/// What a step does to the components of threads other than its own. What becomes of such a thread depends on this and on
/// its own component alone.
package struct Influence: Equatable, Sendable, BitwiseCopyable {
    /// The kind, and what it concerns.
    package let word: UInt64

    private init(_ kind: UInt64, _ number: Int, _ way: Int = 0) {
        word = kind | UInt64(truncatingIfNeeded: number) << 2 | UInt64(truncatingIfNeeded: way) << 34
    }

    /// It leaves them alone.
    package static let none = Influence(0, 0)
    /// It depends on more, or concerns more than a word can say.
    package static let unclear = Influence(0, 1)

    /// It wakes the waiter in this place; nil: all of them.
    static func waiters(on condition: UInt32, way: Int?) -> Influence {
        Influence(1, Int(condition), way.map { $0 + 1 } ?? 0)
    }
    /// The waiter in this place leaves by itself, and those behind it move up.
    package static func leaving(_ condition: UInt32, place: Int) -> Influence {
        Influence(1, Int(condition), place + 1 | 1 << 20)
    }
    /// It writes an object that others may watch.
    static func watchers(of object: UInt32) -> Influence { Influence(2, Int(object)) }
    /// It joins a thread.
    static func join(_ thread: Int) -> Influence { Influence(3, thread) }

    package var isOnWaiters: Bool { word & 3 == 1 }
    package var isOnWatchers: Bool { word & 3 == 2 }
    /// The only thread that it concerns, if it joins one.
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
