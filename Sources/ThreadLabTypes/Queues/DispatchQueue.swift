import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchQueue`. Its blocks run on threads of its own; qualities of service are ignored.
    public final class DispatchQueue: Identified, Sendable {
        public struct Attributes: OptionSet, Sendable {
            public let rawValue: UInt64
            public init(rawValue: UInt64) { self.rawValue = rawValue }

            /// Blocks may run at the same time.
            public static let concurrent = Attributes(rawValue: 2)
            /// No block begins before `activate`.
            public static let initiallyInactive = Attributes(rawValue: 4)
        }

        /// How often Objective-C's objects are released: of no consequence here.
        public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }

        /// The queues that all code shared before there were qualities of service.
        public enum GlobalQueuePriority: Sendable { case high, `default`, low, background }

        public let label: String
        /// As it was given: of no consequence here.
        public let qos: DispatchQoS
        private let present: Present
        /// Nil: it was active from the beginning.
        private let isInactive: Primitives.Atomic<Bool>?

        /// The number of blocks of a concurrent queue that run at once. Dispatch decides that by itself; more would only
        /// multiply the schedules.
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
            let isInactive = attributes.contains(.initiallyInactive)
            self.isInactive = isInactive ? Primitives.Atomic("inactive", true, file: file, line: line) : nil
            if isInactive { suspend(file: file, line: line) }
        }

        init(_ base: WorkQueue) {
            label = base.name
            qos = .unspecified
            present = Present(base)
            isInactive = nil
        }

        /// The main thread's queue. The main thread must be the first to use it, and run its loop for the blocks to run.
        public static var main: DispatchQueue {
            ObjectsOfRun.current.mainQueue(must(orElse: substitute("main queue", width: 1)) { try WorkQueue.main })
        }

        /// The queue that all code shares. The main thread must be the first to use it.
        public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
            ObjectsOfRun.current.globalQueue(
                must(orElse: substitute("global queue", width: width)) { try WorkQueue.global(width: width) })
        }

        public static func global(priority: GlobalQueuePriority) -> DispatchQueue { global() }

        /// For a `deinit` that comes too late.
        private static func substitute(_ label: String, width: Int) -> WorkQueue {
            mustMake { try WorkQueue(label, width: width) }
        }

        // MARK: - Its target

        /// The queue that its blocks run on: it changes with the target.
        private final class Present: @unchecked Sendable {
            var queue: WorkQueue

            init(_ queue: WorkQueue) { self.queue = queue }
        }

        var base: WorkQueue { present.queue }

        /// Lets its blocks run on the target too, one after another if that is serial. Nil: on no other queue.
        ///
        /// Only a queue without blocks can change its target here, as long as only one thread uses it; Dispatch allows
        /// it later, and at no certain moment.
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

        /// Lets blocks of a queue that was made inactive begin. It does nothing the second time.
        public func activate(file: StaticString = #fileID, line: UInt = #line) {
            guard let isInactive else { return }
            if must(orElse: false, { try isInactive.exchange(false, file: file, line: line) }) {
                resume(file: file, line: line)
            }
        }
    }
}

extension DispatchWorkItemFlags {
    var ours: WorkQueue.Flags { contains(.barrier) ? .barrier : [] }
}
