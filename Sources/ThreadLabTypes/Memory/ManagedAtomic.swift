import Primitives
import Synchronization

// The types of the package swift-atomics, built on `Lab.Atomic`.
extension Lab {
    public typealias AtomicValue = Synchronization.AtomicRepresentable
    public typealias AtomicInteger = Synchronization.AtomicRepresentable & FixedWidthInteger
    public typealias AtomicLoadOrdering = Synchronization.AtomicLoadOrdering
    public typealias AtomicStoreOrdering = Synchronization.AtomicStoreOrdering
    public typealias AtomicUpdateOrdering = Synchronization.AtomicUpdateOrdering

    /// The common base of `ManagedAtomic` and `UnsafeAtomic`. Its operations are those of `Lab.Atomic`.
    public protocol SharedAtomic<Value> {
        associatedtype Value: AtomicValue
        var shared: SharedAtomicWord<Value> { get }
    }

    /// The word of a `SharedAtomic`.
    public final class SharedAtomicWord<Value: AtomicValue>: Sendable {
        let word: Lab.Atomic<Value>

        fileprivate init(_ value: consuming Value, _ file: StaticString, _ line: UInt) {
            word = Lab.Atomic(value, file: file, line: line)
        }
    }

    /// swift-atomics' `ManagedAtomic`: an atomic value of up to 64 bits, by reference.
    public class ManagedAtomic<Value: AtomicValue>: SharedAtomic, @unchecked Sendable {
        public let shared: SharedAtomicWord<Value>

        public init(_ value: consuming Value, file: StaticString = #fileID, line: UInt = #line) {
            shared = SharedAtomicWord(value, file, line)
        }
    }

    /// swift-atomics' `UnsafeAtomic`: an atomic value of up to 64 bits, in memory that the program manages.
    public struct UnsafeAtomic<Value: AtomicValue>: SharedAtomic, @unchecked Sendable {
        /// Memory for a value.
        public struct Storage {
            fileprivate let shared: Unmanaged<SharedAtomicWord<Value>>

            public init(_ value: consuming Value, file: StaticString = #fileID, line: UInt = #line) {
                shared = .passRetained(SharedAtomicWord(value, file, line))
            }

            /// Returns the value. The memory must not be used again.
            @discardableResult
            public mutating func dispose() -> Value { shared.takeRetainedValue().word.load(ordering: .relaxed) }
        }

        private let storage: UnsafeMutablePointer<Storage>

        public init(@_nonEphemeral at storage: UnsafeMutablePointer<Storage>) { self.storage = storage }

        public static func create(
            _ initialValue: consuming Value, file: StaticString = #fileID, line: UInt = #line
        ) -> Self {
            let storage = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
            storage.initialize(to: Storage(initialValue, file: file, line: line))
            return Self(at: storage)
        }

        /// Returns the value, and frees the memory.
        @discardableResult
        public func destroy() -> Value {
            defer { storage.deallocate() }
            return storage.pointee.dispose()
        }

        public var shared: SharedAtomicWord<Value> { storage.pointee.shared.takeUnretainedValue() }
    }
}

extension Lab.SharedAtomic {
    public func load(ordering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line) -> Value {
        shared.word.load(ordering: ordering, file: file, line: line)
    }

    public func store(
        _ desired: consuming Value, ordering: AtomicStoreOrdering, file: StaticString = #fileID, line: UInt = #line
    ) {
        shared.word.store(desired, ordering: ordering, file: file, line: line)
    }

    public func exchange(
        _ desired: consuming Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> Value {
        shared.word.exchange(desired, ordering: ordering, file: file, line: line)
    }

    public func compareExchange(
        expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering,
        file: StaticString = #fileID, line: UInt = #line
    ) -> (exchanged: Bool, original: Value) {
        shared.word.compareExchange(
            expected: expected, desired: desired, ordering: ordering, file: file, line: line)
    }

    public func compareExchange(
        expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
        failureOrdering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (exchanged: Bool, original: Value) {
        shared.word.compareExchange(
            expected: expected, desired: desired, successOrdering: successOrdering, failureOrdering: failureOrdering,
            file: file, line: line)
    }

    /// May fail although it finds the expected value, as often as `RunRules.spuriousWakeups` allows.
    public func weakCompareExchange(
        expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering,
        file: StaticString = #fileID, line: UInt = #line
    ) -> (exchanged: Bool, original: Value) {
        shared.word.weakCompareExchange(
            expected: expected, desired: desired, ordering: ordering, file: file, line: line)
    }

    public func weakCompareExchange(
        expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
        failureOrdering: AtomicLoadOrdering, file: StaticString = #fileID, line: UInt = #line
    ) -> (exchanged: Bool, original: Value) {
        shared.word.weakCompareExchange(
            expected: expected, desired: desired, successOrdering: successOrdering, failureOrdering: failureOrdering,
            file: file, line: line)
    }
}
