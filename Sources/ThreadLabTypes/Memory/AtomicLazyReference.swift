import Execution
import Glibc
import Primitives

extension Lab {
    /// Synchronization's `AtomicLazyReference`: a reference that is set once, by the thread that comes first.
    public struct AtomicLazyReference<Instance: AnyObject>: ~Copyable, @unchecked Sendable {
        private let base: ManagedAtomicLazyReference<Instance>

        public init(file: StaticString = #fileID, line: UInt = #line) {
            base = ManagedAtomicLazyReference(file: file, line: line)
        }

        /// Returns the instance that is there, or stores this one and returns it.
        public borrowing func storeIfNil(
            _ desired: consuming Instance, file: StaticString = #fileID, line: UInt = #line
        ) -> Instance {
            base.storeIfNilThenLoad(desired, file: file, line: line)
        }

        public borrowing func load(file: StaticString = #fileID, line: UInt = #line) -> Instance? {
            base.load(file: file, line: line)
        }
    }

    /// swift-atomics' `ManagedAtomicLazyReference`.
    public class ManagedAtomicLazyReference<Instance: AnyObject>: @unchecked Sendable {
        /// Whether there is an instance. Not its address, which differs from one execution to the next.
        private let isSet: Lab.Atomic<Bool>
        private let instance = Guarded<Instance?>(nil)

        public init(file: StaticString = #fileID, line: UInt = #line) {
            isSet = Lab.Atomic(false, file: file, line: line)
        }

        /// Returns the instance that is there, or stores this one and returns it.
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

        /// On real threads, the one that was first may be about to store it.
        private var present: Instance {
            while true {
                if let present = instance.withLock({ $0 }) { return present }
                sched_yield()
            }
        }
    }
}
