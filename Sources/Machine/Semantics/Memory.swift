/// Words of memory: cells, which are plain memory, and atomics. Also files, to which records are appended, and how an
/// `await` watches what it reads.
package enum Memory {
    // MARK: - Operations

    @inline(always) static func reading(_ graph: GraphEvent.Kind) -> Operation.Row {
        Operation.Row(
            .readsObject, waits: .endless, isLook: true, belated: .works, graph: graph, verb: "read")
    }
    @inline(always) static func writing(_ change: Change, _ graph: GraphEvent.Kind = .loadToUpdate) -> Operation.Row {
        Operation.Row(
            .writesObject, alwaysWrites: change != .compareExchange, belated: .works, change: change, graph: graph)
    }
    @inline(always) static var appending: Operation.Row {
        Operation.Row(.writesObject, alwaysWrites: true, canBeUnseen: false)
    }
    /// A fence orders only its own thread's operations, so no other thread can tell when it is taken.
    @inline(always) static var fence: Operation.Row {
        Operation.Row(.nothing, on: .nothing, graph: .fence)
    }

    /// How an operation on a word changes it.
    package enum Change: UInt8, Sendable { case none, store, add, bitAnd, bitOr, bitXor, compareExchange }

    // MARK: - Acts

    // Plain accesses order nothing, so they can race.
    @inline(always) static var readingCell: Act.Row {
        Act.Row(.readsObject, order: .readsPlainly, need: .change, event: .event(.cellRead, .result), graph: .read)
    }
    @inline(always) static var writingCell: Act.Row {
        Act.Row(
            .writesObject, order: .writesPlainly, others: .watchers, event: .event(.cellWrite, .argument),
            graph: .write)
    }
    @inline(always) static var loading: Act.Row {
        Act.Row(
            .readsObject, order: .loads, finds: .byOrders, need: .change, event: .event(.atomicLoad, .result),
            graph: .load)
    }
    @inline(always) static var storing: Act.Row {
        Act.Row(
            .writesObject, order: .stores, others: .watchers, finds: .byOrders,
            event: .event(.atomicStore, .argument), graph: .store)
    }
    @inline(always) static var updatingAtomic: Act.Row {
        Act.Row(
            .writesObject, order: .updates, others: .watchers, finds: .byOrders,
            event: .event(.atomicUpdate, .word), graph: .loadToUpdate)
    }
    @inline(always) static var mismatching: Act.Row {
        Act.Row(
            .readsObject, order: .mismatches, finds: .byOrders, event: .event(.atomicMismatch, .result),
            graph: .loadToUpdate)
    }
    // `finds` does not count that other steps use up the budget of spurious failures: the budget would also suffice
    // without those that are not ordered before this step. The event's value is the argument, because the step found
    // what it expected.
    @inline(always) static var failingSpuriously: Act.Row {
        Act.Row(
            .writesObject, order: .mismatches, finds: .byOrders, event: .event(.atomicMismatch, .argument),
            graph: .loadToUpdate)
    }
    /// A read of a semaphore's value.
    @inline(always) static var looking: Act.Row { Act.Row(.readsObject, finds: .unordered, need: .change) }
    @inline(always) static var appendingRecord: Act.Row {
        Act.Row(.writesObject, finds: .unordered, event: .event(.fileAppend, .argument))
    }
    @inline(always) static var fencing: Act.Row {
        Act.Row(.nothing, order: .fences, event: .event(.fence, .order), graph: .fence)
    }

    // MARK: - The rule

    /// The ruling on a read. An attempt at an `await` is repeated only after a write of something that the thread
    /// watches.
    @inline(always) static func look<C: Circumstances>(
        _ operation: Operation, _ act: Act, of thread: Int, in now: C
    ) -> Ruling {
        if operation.isRenewedLook && !now.isStirred(thread) { return .blocked(act) }
        return .done(act, now.object(operation.object).value)
    }

    /// Whether the read would find the condition of its `await` false. The step can be taken nevertheless: it changes
    /// nothing, and afterwards the thread waits for a change.
    static func failsAwait<C: Circumstances>(_ operation: Operation, in now: C) -> Bool {
        guard let comparison = operation.awaited else { return false }
        return !comparison.holds(now.object(operation.object).value, operation.a)
    }

    @inline(always) static func update<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        let old = now.object(operation.object).value
        guard let word = operation.word(after: old) else { return .done(.mismatch, old) }
        return .done(.update, old, word: word)
    }

    /// The ruling on a weak compare-exchange that fails spuriously. It returns a value that differs from the expected
    /// one.
    package static func spuriousFailure(of operation: Operation) -> Ruling { .done(.failSpuriously, ~operation.a) }

    static func append<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        let count = now.object(operation.object).value + 1
        return .done(.append, count, word: count)
    }
}

extension Operation {
    /// The second argument of an addition that wraps around in 32 bits.
    package static let narrow = 32

    /// What the word holds after the operation. Nil: the operation does not write.
    @inline(always) package func word(after old: Int) -> Int? {
        switch kind.row.change {
        case .store: a
        case .add: b == Self.narrow ? Int(Int32(truncatingIfNeeded: old &+ a)) : old &+ a
        case .bitAnd: old & a
        case .bitOr: old | a
        case .bitXor: old ^ a
        case .compareExchange: old == a ? b : nil
        case .none: nil
        }
    }

    /// The second argument of a read, of a load, and of a read of a semaphore's value: whether the thread watches for
    /// changes. An `await` blocks in this way: it watches what it reads, and reads again after a write of any of it.
    package enum Watch {
        /// The thread watches this object, and no other so far.
        package static let first = 1
        /// The thread watches this object too.
        package static let further = 2
        /// The thread waits until something that it watches has been written, and then reads as with `first`. The only
        /// negative value, so that announcing an operation needs to test only the sign.
        package static let again = Int.min
        /// Added to one of the above: the thread keeps its processor busy while it waits. If no thread can continue,
        /// that is a livelock, not a deadlock.
        package static let spinning = 16

        /// Added to one of the above, for an `await` with only this read: the `await` ends if the comparison of the
        /// value with the first argument holds.
        package static func until(_ comparison: Comparison) -> Int { Int(comparison.rawValue) << comparisonShift }

        /// The bits that distinguish `first`, `further` and `again`.
        @inline(__always) fileprivate static var lookBits: Int { 3 }
        /// The lowest bit of the comparison, and its bits once they are shifted down.
        @inline(__always) fileprivate static var comparisonShift: Int { 8 }
        @inline(__always) fileprivate static var comparisonBits: Int { 7 }
    }

    /// How an `await` compares what it reads.
    package enum Comparison: UInt8, Sendable, BitwiseCopyable {
        case equal = 1
        case notEqual, less, lessOrEqual, greater, greaterOrEqual

        package func holds(_ value: Int, _ other: Int) -> Bool {
            switch self {
            case .equal: value == other
            case .notEqual: value != other
            case .less: value < other
            case .lessOrEqual: value <= other
            case .greater: value > other
            case .greaterOrEqual: value >= other
            }
        }
    }

    package var isWatching: Bool { b != 0 && kind.isLook }

    /// Whether it is a read in a loop that keeps the processor busy.
    package var isSpinning: Bool { isWatching && b & Watch.spinning != 0 }

    /// How the only read of an `await` compares the value with the first argument. Nil: the operation is another one.
    package var awaited: Comparison? {
        let bits = b >> Watch.comparisonShift & Watch.comparisonBits
        return isWatching ? Comparison(rawValue: UInt8(truncatingIfNeeded: bits)) : nil
    }

    /// Whether it is a read of an `await` other than the first of its attempt.
    package var isFurtherLook: Bool { isWatching && b & Watch.lookBits == Watch.further }

    /// Whether it is the first read of another attempt at an `await`, which a write has to precede.
    package var isRenewedLook: Bool { isWatching && b < 0 }
}
