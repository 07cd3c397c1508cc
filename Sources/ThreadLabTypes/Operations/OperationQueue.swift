import Execution
import Foundation
import Primitives

extension Lab {
    /// Foundation's `OperationQueue`. An operation that can begin gets a thread, which then runs other operations that
    /// can begin. If the queue has an underlying queue, operations are blocks of that one instead.
    open class OperationQueue: Identified, @unchecked Sendable {
        /// Foundation's value for a limit that the system chooses. Here that limit is four, because a greater one would
        /// only multiply the schedules.
        public static let defaultMaxConcurrentOperationCount = -1
        /// How many operations run at once under that limit.
        private static let width = 4

        /// A name for the program's own use. Traces do not show it.
        open var name: String?
        /// Has no effect.
        open var qualityOfService = QualityOfService.default

        private let mutex: Primitives.Mutex
        private let isEmpty: Primitives.Condition
        // Accessed with the mutex held.
        private var state = QueuedOperations()
        private var underlying: DispatchQueue?

        /// Whether this is `main`.
        private let isMain: Bool
        /// `progress`, once the program has asked for it.
        private let madeProgress = Guarded<Progress?>(nil)

        /// An initializer without parameters, which subclasses can override.
        @_disfavoredOverload
        public init() {
            isMain = false
            mutex = Primitives.Mutex("operation queue")
            isEmpty = Primitives.Condition("operations of queue")
        }

        public init(file: StaticString = #fileID, line: UInt = #line) {
            isMain = false
            mutex = Primitives.Mutex("operation queue", file: file, line: line)
            isEmpty = Primitives.Condition("operations of queue", file: file, line: line)
        }

        init(onQueueOfMain: ()) {
            isMain = true
            mutex = Primitives.Mutex("main operation queue")
            isEmpty = Primitives.Condition("operations of main queue")
            state.limit = 1
        }

        /// The queue whose operations run as blocks of the main queue.
        public static var main: OperationQueue { ObjectsOfRun.current.mainOperations }

        /// The queue whose operation the calling thread runs. For a thread that runs none: `main` on the main thread,
        /// otherwise nil.
        public static var current: OperationQueue? {
            let runtime = ThreadContext.runtime.counted
            let value = runtime.slotValue(runtime.knownSlot(.dropInOperationQueue))
            if let value { return unsafeDowncast(value, to: OperationQueue.self) }
            return Thread.isMainThread ? main : nil
        }

        // MARK: - Adding

        public final func addOperation(
            _ operation: Operation, file: StaticString = #fileID, line: UInt = #line
        ) {
            add(operation, isBarrier: false, file, line)
        }

        @preconcurrency
        public final func addOperation(
            file: StaticString = #fileID, line: UInt = #line, _ block: @escaping @Sendable () -> Void
        ) {
            add(BlockOperation(file: file, line: line, block: block), isBarrier: false, file, line)
        }

        public final func addOperations(
            _ operations: [Operation], waitUntilFinished: Bool, file: StaticString = #fileID, line: UInt = #line
        ) {
            for operation in operations { addOperation(operation, file: file, line: line) }
            if waitUntilFinished {
                for operation in operations { operation.waitUntilFinished(file: file, line: line) }
            }
        }

        /// Runs the block alone: after all operations that were added before, and before all that are added later.
        @preconcurrency
        public final func addBarrierBlock(
            file: StaticString = #fileID, line: UInt = #line, _ barrier: @escaping @Sendable () -> Void
        ) {
            add(BlockOperation(file: file, line: line, block: barrier), isBarrier: true, file, line)
        }

        private func add(_ operation: Operation, isBarrier: Bool, _ file: StaticString, _ line: UInt) {
            must { try mutex.withLock(file: file, line: line) { state.append(operation, isBarrier: isBarrier) } }
            operation.enter(self, file, line)
            if operation.isReady { noteReady(operation, file, line) }
        }

        // MARK: - Controlling

        /// The maximum number of operations that run at once.
        public final var maxConcurrentOperationCount: Int {
            get {
                must(orElse: Self.defaultMaxConcurrentOperationCount) {
                    try mutex.withLock { state.limit ?? Self.defaultMaxConcurrentOperationCount }
                }
            }
            set { change { $0.limit = newValue == Self.defaultMaxConcurrentOperationCount ? nil : max(0, newValue) } }
        }

        /// Whether no further operations may begin.
        public final var isSuspended: Bool {
            get { must(orElse: false) { try mutex.withLock { state.isSuspended } } }
            set { change { $0.isSuspended = newValue } }
        }

        /// The queue that runs the operations as blocks. Nil: they run on threads. Can be changed only while the queue
        /// is empty.
        public final var underlyingQueue: DispatchQueue? {
            get { isMain ? .main : must(orElse: nil) { try mutex.withLock { underlying } } }
            set {
                must {
                    try mutex.withLock {
                        try check(state.unfinished.isEmpty, "a queue with operations gets another underlying queue")
                        underlying = newValue
                    }
                }
            }
        }

        /// Counts the operations that finish from now on, if `totalUnitCount` is set.
        public final var progress: Progress {
            madeProgress.withLock { made in
                if let made { return made }
                let new = Progress(totalUnitCount: 0)
                made = new
                return new
            }
        }

        /// Cancels every operation that has not finished.
        open func cancelAllOperations() { for operation in operations { operation.cancel() } }

        /// The unfinished operations.
        public final var operations: [Operation] {
            must(orElse: []) { try mutex.withLock { state.unfinished } }
        }
        public final var operationCount: Int { operations.count }

        /// Waits until the queue is empty. An operation of the queue must not call it, because it would wait for
        /// itself.
        public final func waitUntilAllOperationsAreFinished(file: StaticString = #fileID, line: UInt = #line) {
            must {
                try mutex.withLock(file: file, line: line) {
                    while !state.unfinished.isEmpty { try isEmpty.wait(with: mutex, file: file, line: line) }
                }
            }
        }

        // MARK: - Running

        /// Notes that an operation no longer has to wait for others.
        func noteReady(_ operation: Operation, _ file: StaticString = #fileID, _ line: UInt = #line) {
            change(file, line) { $0.noteReady(operation) }
        }

        /// Changes the state that determines which operations can begin, and begins those that now can.
        private func change(
            _ file: StaticString = #fileID, _ line: UInt = #line, _ body: (inout QueuedOperations) -> Void
        ) {
            // `begin` is inside `must` too. If the change has no effect, because a `deinit` makes it after the end of
            // the run, no operation may begin: its thread would belong to another run.
            must {
                let due = try mutex.withLock(file: file, line: line) {
                    body(&state)
                    return state.takeDue(atMost: Self.width)
                }
                begin(due[...], file, line)
            }
        }

        /// Gives each of the operations a thread, or queues it in the underlying queue.
        private func begin(_ operations: ArraySlice<Operation>, _ file: StaticString, _ line: UInt) {
            if operations.isEmpty { return }
            // The underlying queue does not change while there are operations.
            let underlying = isMain ? DispatchQueue.main : underlying
            for operation in operations {
                if let underlying {
                    underlying.async(file: file, line: line) {
                        self.begin(self.run(operation, file, line)[...], file, line)
                    }
                } else {
                    must {
                        try Primitives.Thread.detach(operation.name ?? "operation", file: file, line: line) {
                            self.runAll(from: operation, file, line)
                        }
                    }
                }
            }
        }

        /// Runs the operation on the calling thread, and then further ones that can begin.
        private func runAll(from first: Operation, _ file: StaticString, _ line: UInt) {
            var next: Operation? = first
            while let operation = next {
                let due = run(operation, file, line)
                begin(due.dropFirst(), file, line)
                next = due.first
            }
        }

        /// Runs the operation on the calling thread.
        ///
        /// - Returns: the operations that can begin because it has finished.
        private func run(_ operation: Operation, _ file: StaticString, _ line: UInt) -> [Operation] {
            let runtime = ThreadContext.runtime.counted
            let slot = runtime.knownSlot(.dropInOperationQueue)
            let outer = runtime.slotValue(slot)
            runtime.setSlotValue(slot, self)
            let hasFinished = operation.startInQueue()
            runtime.setSlotValue(slot, outer)
            return hasFinished ? remove(operation, file, line) : []
        }

        /// Removes an operation that has finished after its `start` returned, and begins those that can begin now.
        func noteFinished(_ operation: Operation, _ file: StaticString = #fileID, _ line: UInt = #line) {
            begin(remove(operation, file, line)[...], file, line)
        }

        /// Removes an operation that has finished.
        ///
        /// - Returns: the operations that can begin because of that.
        private func remove(_ operation: Operation, _ file: StaticString, _ line: UInt) -> [Operation] {
            let due: [Operation] = must(orElse: []) {
                try mutex.withLock(file: file, line: line) {
                    state.remove(operation)
                    if state.unfinished.isEmpty { try isEmpty.broadcast(file: file, line: line) }
                    return state.takeDue(atMost: Self.width)
                }
            }
            if let progress = madeProgress.withLock({ $0 }), progress.totalUnitCount > 0 {
                progress.completedUnitCount += 1
            }
            operation.complete()
            return due
        }
    }
}
