import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchQueue`. Its blocks run on threads of the run, and qualities of service are ignored.
    public final class DispatchQueue: Identified, Sendable {
        public struct Attributes: OptionSet, Sendable {
            public let rawValue: UInt64
            public init(rawValue: UInt64) { self.rawValue = rawValue }

            /// Blocks may run at the same time.
            public static let concurrent = Attributes(rawValue: 2)
            /// No block begins before `activate`.
            public static let initiallyInactive = Attributes(rawValue: 4)
        }

        /// When autoreleased Objective-C objects are released. Has no effect.
        public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }

        /// The priorities of global queues before there were qualities of service.
        public enum GlobalQueuePriority: Sendable { case high, `default`, low, background }

        public let label: String
        /// The quality of service that was given. Has no effect.
        public let qos: DispatchQoS
        private let present: Present
        /// Whether `activate` has not been called yet. Nil: the queue was active from the beginning.
        private let isInactive: Primitives.Atomic<Bool>?

        /// The maximum number of blocks of a concurrent queue that run at once. Dispatch chooses it itself. Here it is
        /// small, because more would only multiply the schedules.
        static let width = 4

        public init(
            label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
            autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil,
            file: StaticString = #fileID, line: UInt = #line
        ) {
            self.label = label
            self.qos = qos
            let width = attributes.contains(.concurrent) ? Self.width : 1
            let base = mustMake {
                try WorkQueue(label, width: width, target: target?.base, file: file, line: line)
            }
            present = Present(base)
            let beginsInactive = attributes.contains(.initiallyInactive)
            isInactive = beginsInactive ? Primitives.Atomic("inactive", true, file: file, line: line) : nil
            if beginsInactive { suspend(file: file, line: line) }
        }

        init(_ base: WorkQueue) {
            label = base.name
            qos = .unspecified
            present = Present(base)
            isInactive = nil
        }

        /// The main thread's queue. The main thread must use it first, and must run its run loop for the blocks to run.
        public static var main: DispatchQueue {
            ObjectsOfRun.current.mainQueue(must(orElse: substitute("main queue", width: 1)) { try WorkQueue.main })
        }

        /// The queue that all code shares. The main thread must use it first.
        public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
            ObjectsOfRun.current.globalQueue(
                must(orElse: substitute("global queue", width: width)) { try WorkQueue.global(width: width) })
        }

        public static func global(priority: GlobalQueuePriority) -> DispatchQueue { global() }

        /// A queue for a `deinit` that asks for a shared one after the end of the run.
        private static func substitute(_ label: String, width: Int) -> WorkQueue {
            mustMake { try WorkQueue(label, width: width) }
        }

        // MARK: - Its target

        /// The queue on which the blocks run. It changes with the target.
        private final class Present: @unchecked Sendable {
            var queue: WorkQueue

            init(_ queue: WorkQueue) { self.queue = queue }
        }

        var base: WorkQueue { present.queue }

        /// Makes blocks of the queue blocks of the target too: if the target is serial, they run one after another.
        /// Nil: no target.
        ///
        /// Here the target can be changed only for a queue without blocks, while only one thread uses it. Dispatch also
        /// allows it later, with effect at some unspecified time.
        public func setTarget(queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line) {
            must { present.queue = try base.moved(to: queue?.base, file: file, line: line) }
        }

        // MARK: - Suspending

        public func suspend(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.suspend(file: file, line: line) }
        }

        public func resume(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.resume(file: file, line: line) }
        }

        /// Lets the blocks of a queue that was created inactive begin. Further calls have no effect.
        public func activate(file: StaticString = #fileID, line: UInt = #line) {
            guard let isInactive else { return }
            if must(orElse: false, { try isInactive.exchange(false, file: file, line: line) }) {
                resume(file: file, line: line)
            }
        }
    }
}

extension DispatchWorkItemFlags {
    /// The flags that have an effect, for the primitive.
    var primitive: WorkQueue.Flags { contains(.barrier) ? .barrier : [] }
}
