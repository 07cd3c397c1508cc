import Execution
import Foundation
import Primitives

extension Lab {
    /// Foundation's `OperationQueue`. Each operation that can begin has a thread, which runs further ones when it is
    /// done; or is a block of the underlying queue.
    open class OperationQueue: Identified, @unchecked Sendable {
        /// As many as is sensible: four here, because more would only multiply the schedules.
        public static let defaultMaxConcurrentOperationCount = -1
        private static let width = 4

        /// For people.
        open var name: String?
        /// Of no consequence here.
        open var qualityOfService = QualityOfService.default

        private let mutex: Primitives.Mutex
        private let isEmpty: Primitives.Condition
        // With the mutex held.
        private var state = QueuedOperations()
        private var underlying: DispatchQueue?

        private let isMain: Bool
        private let madeProgress = Guarded<Progress?>(nil)

        /// For a subclass that overrides it.
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

        /// The queue whose operations are blocks of the main queue.
        public static var main: OperationQueue { ObjectsOfRun.current.mainOperations }

        /// The queue whose operation the calling thread runs. On the main thread, if it runs none, the main queue; on
        /// another thread nil.
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

        /// Runs the block alone: after all operations that were added before, and before those that are added later.
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

        /// The number of operations that run at once.
        public final var maxConcurrentOperationCount: Int {
            get {
                must(orElse: Self.defaultMaxConcurrentOperationCount) {
                    try mutex.withLock { state.limit ?? Self.defaultMaxConcurrentOperationCount }
                }
            }
            set { change { $0.limit = newValue == Self.defaultMaxConcurrentOperationCount ? nil : max(0, newValue) } }
        }

        /// Whether further operations may not begin.
        public final var isSuspended: Bool {
            get { must(orElse: false) { try mutex.withLock { state.isSuspended } } }
            set { change { $0.isSuspended = newValue } }
        }

        /// The queue that its operations are blocks of. Nil: they have threads. It can be changed while there are none.
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

        /// Counts the operations that finish from now on, if its `totalUnitCount` is set.
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

        /// The operations that have not finished.
        public final var operations: [Operation] {
            must(orElse: []) { try mutex.withLock { state.unfinished } }
        }
        public final var operationCount: Int { operations.count }

        /// Waits until no operation is left. An operation of the queue that calls it waits for itself.
        public final func waitUntilAllOperationsAreFinished(file: StaticString = #fileID, line: UInt = #line) {
            must {
                try mutex.withLock(file: file, line: line) {
                    while !state.unfinished.isEmpty { try isEmpty.wait(with: mutex, file: file, line: line) }
                }
            }
        }

        // MARK: - Running

        /// An operation need not wait for others any more.
        func noteReady(_ operation: Operation, _ file: StaticString = #fileID, _ line: UInt = #line) {
            change(file, line) { $0.noteReady(operation) }
        }

        /// Changes what decides which operations can begin, and begins those that now can.
        private func change(
            _ file: StaticString = #fileID, _ line: UInt = #line, _ body: (inout QueuedOperations) -> Void
        ) {
            // If it has no effect, nothing begins: a thread would be one of another run.
            must {
                let due = try mutex.withLock(file: file, line: line) {
                    body(&state)
                    return state.takeDue(atMost: Self.width)
                }
                begin(due[...], file, line)
            }
        }

        private func begin(_ operations: ArraySlice<Operation>, _ file: StaticString, _ line: UInt) {
            if operations.isEmpty { return }
            // It does not change while there are operations.
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

        /// Runs the operation on the calling thread, and then others that can begin.
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
        /// - Returns: those that can begin because it has finished.
        private func run(_ operation: Operation, _ file: StaticString, _ line: UInt) -> [Operation] {
            let runtime = ThreadContext.runtime.counted
            let slot = runtime.knownSlot(.dropInOperationQueue)
            let outer = runtime.slotValue(slot)
            runtime.setSlotValue(slot, self)
            let hasFinished = operation.startInQueue()
            runtime.setSlotValue(slot, outer)
            return hasFinished ? remove(operation, file, line) : []
        }

        /// An operation has finished after its `start` had returned.
        func noteFinished(_ operation: Operation, _ file: StaticString = #fileID, _ line: UInt = #line) {
            begin(remove(operation, file, line)[...], file, line)
        }

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
