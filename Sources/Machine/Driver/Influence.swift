/// What a step does to the states of other threads: for example, it wakes the first waiter of a condition.
///
/// The search by states writes a state as components, one for each thread (`MachineState+Components`), and remembers
/// the effect of a step on each of them (`StepMemory`). It can, because another thread's component after the step
/// depends only on the step's influence and on that component before the step.
package struct Influence: Equatable, Sendable, BitwiseCopyable {
    /// From bit 0 the kind, from bit 2 the number of the condition, object or thread, and from bit 34 the waiter that
    /// is woken or leaves: its position in the order of arrival, plus one, or 0 for all waiters.
    package let word: UInt64

    /// The kinds, and the bits of a word that contain the kind.
    private enum Kind {
        /// No influence; with the number 1, an unclear one.
        @inline(__always) static var none: UInt64 { 0 }
        @inline(__always) static var onWaiters: UInt64 { 1 }
        @inline(__always) static var onWatchers: UInt64 { 2 }
        @inline(__always) static var join: UInt64 { 3 }
        @inline(__always) static var mask: UInt64 { 3 }
    }

    @inline(__always) private static var numberShift: Int { 2 }
    @inline(__always) private static var waiterShift: Int { 34 }
    /// Added to the waiter: it leaves by itself.
    @inline(__always) private static var leaves: Int { 1 << 20 }

    private init(_ kind: UInt64, _ number: Int, waiter: Int = 0) {
        word =
            kind | UInt64(truncatingIfNeeded: number) << Self.numberShift
            | UInt64(truncatingIfNeeded: waiter) << Self.waiterShift
    }

    /// The step changes no other thread.
    package static let none = Influence(Kind.none, 0)
    /// The influence depends on more than the other thread's component, or does not fit in a word.
    package static let unclear = Influence(Kind.none, 1)

    /// The step wakes the waiter at position `way` in the order of arrival, from 0. Nil: all waiters.
    static func waiters(on condition: UInt32, way: Int?) -> Influence {
        Influence(Kind.onWaiters, Int(condition), waiter: way.map { $0 + 1 } ?? 0)
    }
    /// The waiter at this position leaves without a signal, and those behind it move up.
    package static func leaving(_ condition: UInt32, place: Int) -> Influence {
        Influence(Kind.onWaiters, Int(condition), waiter: (place + 1) | leaves)
    }
    /// The step writes an object that other threads may watch.
    static func watchers(of object: UInt32) -> Influence { Influence(Kind.onWatchers, Int(object)) }
    /// The step joins the thread.
    static func join(_ thread: Int) -> Influence { Influence(Kind.join, thread) }

    @inline(__always) private var kind: UInt64 { word & Kind.mask }

    package var isOnWaiters: Bool { kind == Kind.onWaiters }
    package var isOnWatchers: Bool { kind == Kind.onWatchers }
    /// The thread that the step joins, the only other one whose component it changes. Nil: the step is not a join.
    package var joined: Int? { kind == Kind.join ? Int(word >> Self.numberShift) : nil }
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
        // Without a seat, the operation itself names the thread. With one, the thread depends on the seat's value.
        case .target: operation.object == 0 ? .join(operation.a) : .unclear
        case .any: .unclear
        }
    }
}
