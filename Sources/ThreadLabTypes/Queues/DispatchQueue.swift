import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchQueue`. Its blocks run on threads of its own; qualities of service are ignored.
    public final class DispatchQueue: Sendable {
        public struct Attributes: OptionSet, Sendable {
            public let rawValue: Int
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// Blocks may run at the same time.
            public static let concurrent = Attributes(rawValue: 1)
        }

        public let label: String
        let base: WorkQueue

        /// The number of blocks of a concurrent queue that run at once. Dispatch decides that by itself; more would only
        /// multiply the schedules.
        static let width = 4

        public init(
            label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [], target: DispatchQueue? = nil,
            file: StaticString = #fileID, line: UInt = #line
        ) {
            self.label = label
            let width = attributes.contains(.concurrent) ? Self.width : 1
            base = Self.makeBase(label, width: width, target: target?.base, file, line)
        }

        private init(_ base: WorkQueue) {
            label = base.name
            self.base = base
        }

        /// The main thread's queue. The main thread must be the first to use it, and run its loop for the blocks to run.
        public static var main: DispatchQueue {
            DispatchQueue(must(orElse: makeBase("main queue")) { try WorkQueue.main })
        }

        /// The queue that all code shares. The main thread must be the first to use it.
        public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
            DispatchQueue(must(orElse: makeBase("global queue", width: width)) { try WorkQueue.global(width: width) })
        }

        private static func makeBase(
            _ label: String, width: Int = 1, target: WorkQueue? = nil, _ file: StaticString = #fileID,
            _ line: UInt = #line
        ) -> WorkQueue {
            mustMake { try WorkQueue(label, width: width, target: target, file: file, line: line) }
        }

        // MARK: - Blocks

        public func async(
            group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
            file: StaticString = #fileID, line: UInt = #line, execute work: @escaping @Sendable () -> Void
        ) {
            group?.enter(file: file, line: line)
            must {
                try base.async(flags: flags.ours, file: file, line: line) {
                    work()
                    group?.leave(file: file, line: line)
                }
            }
        }

        public func asyncAfter(
            deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
            file: StaticString = #fileID, line: UInt = #line, execute work: @escaping @Sendable () -> Void
        ) {
            must {
                try base.asyncAfter(
                    deadline: deadline.instant, flags: flags.ours, file: file, line: line
                ) { work() }
            }
        }

        public func asyncAfter(
            wallDeadline: DispatchWallTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
            file: StaticString = #fileID, line: UInt = #line, execute work: @escaping @Sendable () -> Void
        ) {
            asyncAfter(deadline: wallDeadline, qos: qos, flags: flags, file: file, line: line, execute: work)
        }

        public func sync<Result, Failure>(
            flags: DispatchWorkItemFlags = [], file: StaticString = #fileID, line: UInt = #line,
            execute work: () throws(Failure) -> Result
        ) throws(Failure) -> Result {
            var result: Swift.Result<Result, Failure>?
            must {
                try base.sync(flags: flags.ours, file: file, line: line) {
                    do throws(Failure) { result = .success(try work()) } catch { result = .failure(error) }
                }
            }
            // The queue has done nothing.
            guard let result else { return try work() }
            return try result.get()
        }

        // MARK: - Work items

        public func async(
            file: StaticString = #fileID, line: UInt = #line, execute item: DispatchWorkItem
        ) {
            async(flags: item.flags, file: file, line: line) { item.perform(file: file, line: line) }
        }

        public func async(
            group: DispatchGroup, file: StaticString = #fileID, line: UInt = #line, execute item: DispatchWorkItem
        ) {
            async(group: group, flags: item.flags, file: file, line: line) { item.perform(file: file, line: line) }
        }

        public func asyncAfter(
            deadline: DispatchTime, file: StaticString = #fileID, line: UInt = #line, execute item: DispatchWorkItem
        ) {
            asyncAfter(deadline: deadline, flags: item.flags, file: file, line: line) {
                item.perform(file: file, line: line)
            }
        }

        public func sync(
            file: StaticString = #fileID, line: UInt = #line, execute item: DispatchWorkItem
        ) {
            sync(flags: item.flags, file: file, line: line) { item.perform(file: file, line: line) }
        }

        // MARK: - Suspending

        public func suspend(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.suspend(file: file, line: line) }
        }

        public func resume(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.resume(file: file, line: line) }
        }
    }
}

extension DispatchWorkItemFlags {
    fileprivate var ours: WorkQueue.Flags { contains(.barrier) ? .barrier : [] }
}

extension Lab.DispatchQueue {
    /// Calls the block for each number below `iterations`, on the calling thread and some others, and waits until all
    /// calls have returned.
    public static func concurrentPerform(
        iterations: Int, file: StaticString = #fileID, line: UInt = #line, execute work: (Int) -> Void
    ) {
        withoutActuallyEscaping(work) { work in
            let calls = Calls(work)
            defer { calls.work = nil }
            let next = Primitives.Atomic("next iteration", 0, file: file, line: line)
            let done = Lab.DispatchSemaphore(value: 0, file: file, line: line)
            let help: @Sendable () -> Void = {
                while case let number = must(orElse: iterations, { try next.add(1, file: file, line: line) }),
                    number < iterations
                {
                    calls.make(number)
                }
            }
            let helpers = max(0, min(iterations, width) - 1)
            for _ in 0..<helpers {
                must {
                    try Primitives.Thread.detach("iterations", file: file, line: line) {
                        help()
                        done.signal(file: file, line: line)
                    }
                }
            }
            help()
            for _ in 0..<helpers { done.wait(file: file, line: line) }
        }
    }

    /// A block that threads call until its caller takes it back. A thread that signals that it is done still has what it
    /// runs, for a moment, and must not have the caller's block with it: that one ends with the call.
    private final class Calls: @unchecked Sendable {
        /// Written only when no other thread calls it any longer.
        var work: ((Int) -> Void)?

        init(_ work: @escaping (Int) -> Void) { self.work = work }

        /// Keeps nothing of the block when it returns.
        @inline(never) func make(_ number: Int) { work?(number) }
    }
}

extension Lab {
    /// Dispatch's `DispatchSpecificKey`.
    public final class DispatchSpecificKey<Value: Sendable>: Sendable {
        let base = WorkQueue.SpecificKey<Value>()

        public init() {}
    }
}

extension Lab.DispatchQueue {
    public func setSpecific<Value>(key: Lab.DispatchSpecificKey<Value>, value: Value?) {
        base.setSpecific(key.base, value)
    }

    public func getSpecific<Value>(key: Lab.DispatchSpecificKey<Value>) -> Value? { base.getSpecific(key.base) }

    public static func getSpecific<Value>(key: Lab.DispatchSpecificKey<Value>) -> Value? {
        WorkQueue.getSpecific(key.base)
    }
}
