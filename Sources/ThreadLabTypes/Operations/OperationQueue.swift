import Primitives

extension Lab {
    /// Foundation's `OperationQueue`. Each operation that can begin has a thread, which runs further ones when it is done.
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

        /// For a subclass that overrides it.
        @_disfavoredOverload
        public init() {
            mutex = Primitives.Mutex("operation queue")
            isEmpty = Primitives.Condition("operations of queue")
        }

        public init(file: StaticString = #fileID, line: UInt = #line) {
            mutex = Primitives.Mutex("operation queue", file: file, line: line)
            isEmpty = Primitives.Condition("operations of queue", file: file, line: line)
        }

        // MARK: - Adding

        public final func addOperation(
            _ operation: Operation, file: StaticString = #fileID, line: UInt = #line
        ) {
            add(operation, isBarrier: false, file, line)
        }

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
        public final func addBarrierBlock(
            file: StaticString = #fileID, line: UInt = #line, _ barrier: @escaping @Sendable () -> Void
        ) {
            add(BlockOperation(file: file, line: line, block: barrier), isBarrier: true, file, line)
        }

        private func add(_ operation: Operation, isBarrier: Bool, _ file: StaticString, _ line: UInt) {
            must { try mutex.withLock(file: file, line: line) { state.append(operation, isBarrier: isBarrier) } }
            if operation.enter(self, file, line) { noteReady(operation, file, line) }
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
            for operation in operations {
                must {
                    try Primitives.Thread.detach(operation.name ?? "operation", file: file, line: line) {
                        self.run(operation, file, line)
                    }
                }
            }
        }

        /// Runs the operation on the calling thread, and then others that can begin.
        private func run(_ first: Operation, _ file: StaticString, _ line: UInt) {
            var next: Operation? = first
            while let operation = next {
                operation.start()
                operation.finish()
                let due: [Operation] = must(orElse: []) {
                    try mutex.withLock(file: file, line: line) {
                        state.remove(operation)
                        if state.unfinished.isEmpty { try isEmpty.broadcast(file: file, line: line) }
                        return state.takeDue(atMost: Self.width)
                    }
                }
                operation.complete()
                begin(due.dropFirst(), file, line)
                next = due.first
            }
        }
    }

    /// The operations of a queue, and which of them can begin.
    struct QueuedOperations {
        private struct Entry {
            let operation: Operation
            let isBarrier: Bool
            var isReady = false
            var hasBegun = false
        }

        private var entries: [Entry] = []
        /// The number of operations that may run at once. Nil: the queue's own limit.
        var limit: Int?
        var isSuspended = false

        var unfinished: [Operation] { entries.map(\.operation) }

        mutating func append(_ operation: Operation, isBarrier: Bool) {
            entries.append(Entry(operation: operation, isBarrier: isBarrier))
        }

        mutating func noteReady(_ operation: Operation) {
            if let index = index(of: operation) { entries[index].isReady = true }
        }

        mutating func remove(_ operation: Operation) {
            if let index = index(of: operation) { entries.remove(at: index) }
        }

        /// The operations that can begin now, which thereby have begun: those with a higher priority before others, and
        /// each after the ones that were queued before it.
        mutating func takeDue(atMost width: Int) -> [Operation] {
            var due: [Operation] = []
            while let index = next(atMost: limit ?? width) {
                entries[index].hasBegun = true
                due.append(entries[index].operation)
            }
            return due
        }

        private func next(atMost limit: Int) -> Int? {
            if isSuspended || entries.count(where: \.hasBegun) >= limit { return nil }
            // A barrier is first when all that was queued before it has finished; nothing behind it begins before it ends.
            let end = entries.firstIndex(where: \.isBarrier) ?? entries.endIndex
            if end == 0, let barrier = entries.first { return barrier.isReady && !barrier.hasBegun ? 0 : nil }
            var best: Int?
            for index in 0..<end where entries[index].isReady && !entries[index].hasBegun {
                let isBetter = best.map { priority(index) > priority($0) } ?? true
                if isBetter { best = index }
            }
            return best
        }

        private func priority(_ index: Int) -> Int { entries[index].operation.queuePriority.rawValue }

        private func index(of operation: Operation) -> Int? {
            entries.firstIndex { $0.operation === operation }
        }
    }
}
