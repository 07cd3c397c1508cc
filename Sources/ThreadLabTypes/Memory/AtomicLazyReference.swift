import Execution
import Glibc
import Primitives

extension Lab {
    /// Synchronization's `AtomicLazyReference`: a reference that is set once, by the first thread that tries.
    public struct AtomicLazyReference<Instance: AnyObject>: ~Copyable, @unchecked Sendable {
        private let base: ManagedAtomicLazyReference<Instance>

        public init(file: StaticString = #fileID, line: UInt = #line) {
            base = ManagedAtomicLazyReference(file: file, line: line)
        }

        /// Returns the stored instance, or stores this one and returns it.
        public borrowing func storeIfNil(
            _ desired: consuming Instance, file: StaticString = #fileID, line: UInt = #line
        ) -> Instance {
            base.storeIfNilThenLoad(desired, file: file, line: line)
        }

        public borrowing func load(file: StaticString = #fileID, line: UInt = #line) -> Instance? {
            base.load(file: file, line: line)
        }
    }

    /// swift-atomics' `UnsafeAtomicLazyReference`: a reference that is set once, in memory that the program manages.
    public struct UnsafeAtomicLazyReference<Instance: AnyObject>: @unchecked Sendable {
        /// Memory for a reference.
        public struct Storage {
            fileprivate let shared: Unmanaged<ManagedAtomicLazyReference<Instance>>

            public init(file: StaticString = #fileID, line: UInt = #line) {
                shared = .passRetained(ManagedAtomicLazyReference(file: file, line: line))
            }

            /// Returns the stored instance. The memory must not be used again.
            @discardableResult
            public mutating func dispose() -> Instance? { shared.takeRetainedValue().load() }
        }

        private let storage: UnsafeMutablePointer<Storage>

        public init(@_nonEphemeral at storage: UnsafeMutablePointer<Storage>) { self.storage = storage }

        public static func create(file: StaticString = #fileID, line: UInt = #line) -> Self {
            let storage = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
            storage.initialize(to: Storage(file: file, line: line))
            return Self(at: storage)
        }

        /// Returns the stored instance, and frees the memory.
        @discardableResult
        public func destroy() -> Instance? {
            defer { storage.deallocate() }
            return storage.pointee.dispose()
        }

        /// Returns the stored instance, or stores this one and returns it.
        public func storeIfNilThenLoad(
            _ desired: consuming Instance, file: StaticString = #fileID, line: UInt = #line
        ) -> Instance {
            storage.pointee.shared.takeUnretainedValue().storeIfNilThenLoad(desired, file: file, line: line)
        }

        public func load(file: StaticString = #fileID, line: UInt = #line) -> Instance? {
            storage.pointee.shared.takeUnretainedValue().load(file: file, line: line)
        }
    }

    /// swift-atomics' `ManagedAtomicLazyReference`: a reference that is set once, by the first thread that tries. The
    /// other types here are built on it.
    public class ManagedAtomicLazyReference<Instance: AnyObject>: @unchecked Sendable {
        /// Whether an instance is stored. The scheduler sees this flag, not the address of the instance, which would
        /// differ from one execution to the next.
        private let isSet: Lab.Atomic<Bool>
        private let instance = Guarded<Instance?>(nil)

        public init(file: StaticString = #fileID, line: UInt = #line) {
            isSet = Lab.Atomic(false, file: file, line: line)
        }

        /// Returns the stored instance, or stores this one and returns it.
        public func storeIfNilThenLoad(
            _ desired: Instance, file: StaticString = #fileID, line: UInt = #line
        ) -> Instance {
            let (isFirst, _) = isSet.compareExchange(
                expected: false, desired: true, ordering: .acquiringAndReleasing, file: file, line: line)
            if !isFirst { return present }
            instance.withLock { $0 = desired }
            return desired
        }

        public func load(file: StaticString = #fileID, line: UInt = #line) -> Instance? {
            isSet.load(ordering: .acquiring, file: file, line: line) ? present : nil
        }

        /// The stored instance, for a thread that has seen `isSet`. On real threads, the thread that set the flag may
        /// not have stored the instance yet.
        private var present: Instance {
            while true {
                if let present = instance.withLock({ $0 }) { return present }
                sched_yield()
            }
        }
    }
}
