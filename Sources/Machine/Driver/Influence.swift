/// What a step does to the components of threads other than its own: for example, it wakes a condition's first waiter.
///
/// The search by states remembers the effect of a step (`StepMemory`). It can, because a component after the step
/// depends only on the step's influence and on the component before the step.
package struct Influence: Equatable, Sendable, BitwiseCopyable {
    /// In the lowest two bits the kind: 0 none or unclear, 1 on waiters, 2 on watchers, 3 a join. From bit 2 on, the
    /// number of the condition, object or thread. From bit 34 on, which waiter, and in bit 54 whether it leaves by
    /// itself.
    package let word: UInt64

    private init(_ kind: UInt64, _ number: Int, _ way: Int = 0) {
        word = kind | UInt64(truncatingIfNeeded: number) << 2 | UInt64(truncatingIfNeeded: way) << 34
    }

    /// The step changes no other thread.
    package static let none = Influence(0, 0)
    /// The influence depends on more than the other thread's component, or does not fit in a word.
    package static let unclear = Influence(0, 1)

    /// The step wakes the waiter at position `way` in the order of arrival, from 0. Nil: all waiters.
    static func waiters(on condition: UInt32, way: Int?) -> Influence {
        Influence(1, Int(condition), way.map { $0 + 1 } ?? 0)
    }
    /// The waiter at this position leaves without a signal, and those behind it move up.
    package static func leaving(_ condition: UInt32, place: Int) -> Influence {
        Influence(1, Int(condition), place + 1 | 1 << 20)
    }
    /// The step writes an object that other threads may watch.
    static func watchers(of object: UInt32) -> Influence { Influence(2, Int(object)) }
    /// The step joins the thread.
    static func join(_ thread: Int) -> Influence { Influence(3, thread) }

    package var isOnWaiters: Bool { word & 3 == 1 }
    package var isOnWatchers: Bool { word & 3 == 2 }
    /// The thread that the step joins, the only one whose component it changes. Nil: the step is not a join.
    package var joined: Int? { word & 3 == 3 ? Int(word >> 2) : nil }
}

extension Act {
    /// What a step with this act does to other threads.
    ///
    /// - Parameter way: the alternative that it takes; of a signal, which waiter it wakes.
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
