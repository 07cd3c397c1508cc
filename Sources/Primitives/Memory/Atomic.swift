import Execution
import Machine
import Synchronization
import Text
import Trace

/// A word that threads share, with indivisible operations (guide: Using Atomic Operations). Each operation takes a
/// memory order, as in Swift's `Atomic`. By default it is sequentially consistent.
///
/// On real threads every operation is sequentially consistent, whatever its order, because the trace needs the value
/// that a write replaces. Its order still counts for the detection of data races.
public final class Atomic<Value: Word>: Sendable {
    fileprivate let handle: Handle

    /// - Parameter name: its name in traces, made unique within the run.
    public init(_ name: String? = nil, _ value: Value, file: StaticString = #fileID, line: UInt = #line) {
        handle = Handle(.atomic, shownAs: .atomic(of: Value.self), name, value: value.word, at: SourceSite(file, line))
    }

    /// An atomic inside a built object. Reports do not show it.
    package init(partNamed name: String, _ value: Value, file: StaticString = #fileID, line: UInt = #line) {
        handle = Handle(.atomic, shownAs: .part, name, value: value.word, at: SourceSite(file, line))
    }

    /// A flag or counter of a built primitive, named after the primitive that it belongs to. Reports do not show it.
    init(partOf owner: String, _ value: Value, at site: SourceSite) {
        handle = Handle(.atomic, shownAs: .part, "\(owner.possessive) flag", value: value.word, at: site)
    }

    public func load(
        ordering: AtomicLoadOrdering = .sequentiallyConsistent, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Value {
        let orders = Operation.Orders(ordering)
        let site = SourceSite(file, line)
        return Value(
            word: try orders.areStrong ? handle.load(at: site) : handle.perform(.load, orders: orders, at: site))
    }

    public func store(
        _ value: Value, ordering: AtomicStoreOrdering = .sequentiallyConsistent, file: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        try handle.perform(.store, value.word, orders: Operation.Orders(ordering), at: SourceSite(file, line))
    }

    /// Stores a new value and returns the old one.
    public func exchange(
        _ value: Value, ordering: AtomicUpdateOrdering = .sequentiallyConsistent, file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Value {
        let site = SourceSite(file, line)
        return Value(word: try handle.perform(.exchange, value.word, orders: Operation.Orders(ordering), at: site))
    }

    // For built primitives, which pass their caller's site.

    @inline(__always) func lock(_ mutex: borrowing Handle, ifClear bits: Int, at site: SourceSite) throws -> ThreadID? {
        try handle.lock(mutex, ifClear: bits, at: site)
    }

    func load(at site: SourceSite) throws -> Value { Value(word: try handle.load(at: site)) }
    func store(_ value: Value, at site: SourceSite) throws { try handle.perform(.store, value.word, at: site) }

    func exchange(_ value: Value, at site: SourceSite) throws -> Value {
        Value(word: try handle.perform(.exchange, value.word, at: site))
    }

    /// Stores a new value if the current value is the expected one.
    ///
    /// - Returns: whether it stored, and the previous value.
    public func compareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> (exchanged: Bool, original: Value) {
        try compareExchange(expected, desired, Operation.Orders(ordering), SourceSite(file, line))
    }

    /// Does what `compareExchange(expected:desired:ordering:)` does, with a separate memory order for a failure, which
    /// is only a load.
    public func compareExchange(
        expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering,
        failureOrdering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line
    ) throws -> (exchanged: Bool, original: Value) {
        let orders = Operation.Orders(successOrdering, onFailure: failureOrdering)
        return try compareExchange(expected, desired, orders, SourceSite(file, line))
    }

    /// Does what `compareExchange` does, but may also fail although it finds the expected value, as on some processors.
    /// Such failures are limited in number under the scheduler, together with spurious wake-ups.
    public func weakCompareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> (exchanged: Bool, original: Value) {
        try weakCompareExchange(expected, desired, Operation.Orders(ordering), SourceSite(file, line))
    }

    /// Does what `weakCompareExchange(expected:desired:ordering:)` does, with a separate memory order for a failure,
    /// which is only a load.
    public func weakCompareExchange(
        expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering,
        failureOrdering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line
    ) throws -> (exchanged: Bool, original: Value) {
        let orders = Operation.Orders(successOrdering, onFailure: failureOrdering)
        return try weakCompareExchange(expected, desired, orders, SourceSite(file, line))
    }

    private func weakCompareExchange(
        _ expected: Value, _ desired: Value, _ orders: Operation.Orders, _ site: SourceSite
    ) throws -> (exchanged: Bool, original: Value) {
        let found = try handle.perform(.weakCompareExchange, expected.word, desired.word, orders: orders, at: site)
        // A spurious failure returns the complement of the expected word (`Memory.spuriousFailure`). The word could
        // have that value by itself, so the runtime is asked whether the failure was spurious.
        let isSpurious =
            found == ~expected.word
            && handle.with { $0.hasFailedSpuriously(on: handle.object, expecting: expected.word) }
        return (found == expected.word, isSpurious ? expected : Value(word: found))
    }

    private func compareExchange(
        _ expected: Value, _ desired: Value, _ orders: Operation.Orders, _ site: SourceSite
    ) throws -> (exchanged: Bool, original: Value) {
        let old = try handle.perform(.compareExchange, expected.word, desired.word, orders: orders, at: site)
        return (old == expected.word, Value(word: old))
    }
}

extension Atomic where Value == Int {
    /// Adds, wrapping around on overflow, and returns the old value.
    @discardableResult
    public func add(
        _ amount: Int, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int {
        try handle.perform(.add, amount, orders: Operation.Orders(ordering), at: SourceSite(file, line))
    }

    /// For built primitives, which pass their caller's site.
    @discardableResult
    func add(_ amount: Int, at site: SourceSite) throws -> Int { try handle.perform(.add, amount, at: site) }

    /// Combines with `&`, and returns the old value.
    @discardableResult
    public func bitAnd(
        _ mask: Int, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int {
        try handle.perform(.bitAnd, mask, orders: Operation.Orders(ordering), at: SourceSite(file, line))
    }

    /// Combines with `|`, and returns the old value.
    @discardableResult
    public func bitOr(
        _ mask: Int, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int {
        try handle.perform(.bitOr, mask, orders: Operation.Orders(ordering), at: SourceSite(file, line))
    }

    /// For built primitives, which pass their caller's site.
    @discardableResult
    func bitOr(_ mask: Int, at site: SourceSite) throws -> Int { try handle.perform(.bitOr, mask, at: site) }

    /// Combines with `^`, and returns the old value.
    @discardableResult
    public func bitXor(
        _ mask: Int, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int {
        try handle.perform(.bitXor, mask, orders: Operation.Orders(ordering), at: SourceSite(file, line))
    }

    /// Sets bit `0x80 >> (n & 7)` of byte `n >> 3`, and returns the bit's old value (the guide's `OSAtomicTestAndSet`).
    ///
    /// - Throws: `Misuse` `invalid-value`, unless n is from 0 to 63.
    public func testAndSet(bit n: Int, file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        let bit: Int = try mask(ofBit: n, SourceSite(file, line))
        return try bitOr(bit, file: file, line: line) & bit != 0
    }

    /// Clears the bit that `testAndSet` numbers `n`, and returns its old value (the guide's `OSAtomicTestAndClear`).
    ///
    /// - Throws: `Misuse` `invalid-value`, unless n is from 0 to 63.
    public func testAndClear(bit n: Int, file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        let bit: Int = try mask(ofBit: n, SourceSite(file, line))
        return try bitAnd(~bit, file: file, line: line) & bit != 0
    }
}

/// The mask of the bit that `OSAtomicTestAndSet` numbers `n`: bit `0x80 >> (n & 7)` of byte `n >> 3`.
private func mask<Word: FixedWidthInteger>(ofBit n: Int, _ site: SourceSite) throws -> Word {
    guard (0..<Word.bitWidth).contains(n) else { throw Misuse.recorded(.invalidValue, at: site) }
    return Word(0x80 >> UInt8(n & 7)) << Word((n >> 3) * 8)
}

/// Words of 32 bits.
extension Atomic where Value == Int32 {
    /// Adds, wrapping around on overflow, and returns the old value.
    @discardableResult
    public func add(
        _ amount: Int32, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int32 {
        Int32(
            word: try handle.perform(
                .add, amount.word, Operation.narrow, orders: Operation.Orders(ordering), at: SourceSite(file, line)))
    }

    /// Combines with `&`, and returns the old value.
    @discardableResult
    public func bitAnd(
        _ mask: Int32, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int32 {
        Int32(
            word: try handle.perform(.bitAnd, mask.word, orders: Operation.Orders(ordering), at: SourceSite(file, line))
        )
    }

    /// Combines with `|`, and returns the old value.
    @discardableResult
    public func bitOr(
        _ mask: Int32, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int32 {
        Int32(
            word: try handle.perform(.bitOr, mask.word, orders: Operation.Orders(ordering), at: SourceSite(file, line)))
    }

    /// Combines with `^`, and returns the old value.
    @discardableResult
    public func bitXor(
        _ mask: Int32, ordering: AtomicUpdateOrdering = .sequentiallyConsistent,
        file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int32 {
        Int32(
            word: try handle.perform(.bitXor, mask.word, orders: Operation.Orders(ordering), at: SourceSite(file, line))
        )
    }

    /// Sets bit `0x80 >> (n & 7)` of byte `n >> 3`, and returns the bit's old value (the guide's `OSAtomicTestAndSet`).
    ///
    /// - Throws: `Misuse` `invalid-value`, unless n is from 0 to 31.
    public func testAndSet(bit n: Int, file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        let bit: Int32 = try mask(ofBit: n, SourceSite(file, line))
        return try bitOr(bit, file: file, line: line) & bit != 0
    }

    /// Clears the bit that `testAndSet` numbers `n`, and returns its old value (the guide's `OSAtomicTestAndClear`).
    ///
    /// - Throws: `Misuse` `invalid-value`, unless n is from 0 to 31.
    public func testAndClear(bit n: Int, file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        let bit: Int32 = try mask(ofBit: n, SourceSite(file, line))
        return try bitAnd(~bit, file: file, line: line) & bit != 0
    }
}

/// A value that fits in a word of 64 bits, so that the scheduler can hold it and traces can show it.
public protocol Word: Equatable, Sendable {
    init(word: Int)
    var word: Int { get }
}

extension Int: Word {
    public init(word: Int) { self = word }
    public var word: Int { self }
}

extension Int32: Word {
    public init(word: Int) { self = Int32(truncatingIfNeeded: word) }
    public var word: Int { Int(self) }
}

extension Bool: Word {
    public init(word: Int) { self = word != 0 }
    public var word: Int { self ? 1 : 0 }
}
