import Primitives

extension Lab {
    /// Foundation's `Operation`: work that is done once, by a queue, when what it depends on has finished. A subclass
    /// overrides `main`.
    ///
    /// An operation that is over only some time after `start` has returned (`isAsynchronous`) says so by key-value
    /// observing, which does not exist here: it is over when `start` returns.
    open class Operation: Identified, @unchecked Sendable {
        /// Which of the operations that can begin is the next one.
        public enum QueuePriority: Int, Sendable {
            case veryLow = -8
            case low = -4
            case normal = 0
            case high = 4
            case veryHigh = 8
        }

        /// For people, and the name of its thread in traces.
        open var name: String?
        /// Of no consequence here.
        open var qualityOfService = QualityOfService.default
        /// Read when the operation could begin.
        open var queuePriority = QueuePriority.normal
        /// Runs when the operation has finished, on a thread of its own: what waited for the operation may already
        /// continue.
        open var completionBlock: (@Sendable () -> Void)?

        private let mutex: Primitives.Mutex
        private let ended: Primitives.Condition
        // With the mutex held.
        private var phase = Phase.waiting
        private var cancelled = false
        private var prior: [Operation] = []
        private var unfinished = 0
        private var dependents: [Operation] = []
        private var queue: OperationQueue?

        private enum Phase { case waiting, executing, finished }

        /// For a subclass that overrides it.
        @_disfavoredOverload
        public init() {
            mutex = Primitives.Mutex("operation")
            ended = Primitives.Condition("end of operation")
        }

        public init(file: StaticString = #fileID, line: UInt = #line) {
            mutex = Primitives.Mutex("operation", file: file, line: line)
            ended = Primitives.Condition("end of operation", file: file, line: line)
        }

        // MARK: - Its work

        /// What the operation does. By default, nothing.
        open func main() {}

        /// Does the work on the calling thread, unless the operation was cancelled. A queue calls it.
        open func start() {
            let isWanted = locked(orElse: false) {
                try check(phase == .waiting, "an operation is started that was started before")
                if !cancelled { phase = .executing }
                return !cancelled
            }
            if isWanted { main() }
            finish()
        }

        /// Does nothing the second time: a `start` that a subclass overrides may call this one.
        func finish() {
            let due: [Operation] = locked(orElse: []) {
                if phase == .finished { return [] }
                phase = .finished
                try ended.broadcast()
                defer { dependents = [] }
                return dependents
            }
            for dependent in due { dependent.priorHasFinished() }
        }

        /// Calls the completion block, after the operation was finished.
        func complete() {
            guard let block = completionBlock else { return }
            completionBlock = nil
            must { try Primitives.Thread.detach("completion") { block() } }
        }

        /// Asks the operation to end: one that has not begun never does, and one that runs should look at
        /// `isCancelled`. What it depends on is not waited for any more.
        open func cancel() {
            let queue = locked(orElse: nil) {
                cancelled = true
                return self.queue
            }
            queue?.noteReady(self)
        }

        open var isCancelled: Bool { locked(orElse: false) { cancelled } }
        open var isExecuting: Bool { locked(orElse: false) { phase == .executing } }
        open var isFinished: Bool { locked(orElse: true) { phase == .finished } }
        /// Whether it need not wait for others.
        open var isReady: Bool { locked(orElse: true) { hasNoObstacle } }
        open var isAsynchronous: Bool { false }

        public final func waitUntilFinished(file: StaticString = #fileID, line: UInt = #line) {
            must {
                try mutex.withLock(file: file, line: line) {
                    while phase != .finished { try ended.wait(with: mutex, file: file, line: line) }
                }
            }
        }

        // MARK: - Dependencies

        /// The operations that must have finished before it begins.
        open var dependencies: [Operation] { locked(orElse: []) { prior } }

        open func addDependency(_ operation: Operation) {
            must {
                try mutex.withLock {
                    prior.append(operation)
                    unfinished += 1
                }
            }
            if !operation.notes(dependent: self) { priorHasFinished() }
        }

        open func removeDependency(_ operation: Operation) {
            let wasOne = locked(orElse: false) {
                guard let index = prior.firstIndex(where: { $0 === operation }) else { return false }
                prior.remove(at: index)
                return true
            }
            if wasOne && operation.forgets(dependent: self) { priorHasFinished() }
        }

        /// False if it has finished already.
        private func notes(dependent: Operation) -> Bool {
            locked(orElse: true) {
                if phase == .finished { return false }
                dependents.append(dependent)
                return true
            }
        }

        /// False if it has finished already.
        private func forgets(dependent: Operation) -> Bool {
            locked(orElse: false) {
                guard let index = dependents.firstIndex(where: { $0 === dependent }) else { return false }
                dependents.remove(at: index)
                return true
            }
        }

        private func priorHasFinished() {
            let queue = locked(orElse: nil) {
                unfinished -= 1
                return hasNoObstacle ? self.queue : nil
            }
            queue?.noteReady(self)
        }

        // MARK: - For its queue

        /// Returns whether it can begin.
        func enter(_ queue: OperationQueue, _ file: StaticString, _ line: UInt) -> Bool {
            must(orElse: false) {
                try mutex.withLock(file: file, line: line) {
                    try check(
                        self.queue == nil && phase == .waiting, "an operation is queued that was queued before",
                        file: file, line: line)
                    self.queue = queue
                    return hasNoObstacle
                }
            }
        }

        private var hasNoObstacle: Bool { unfinished == 0 || cancelled }

        private func locked<Result>(
            orElse instead: @autoclosure () -> Result, _ body: () throws -> Result
        ) -> Result {
            must(orElse: instead()) { try mutex.withLock(body) }
        }
    }

    /// Foundation's `BlockOperation`: it has finished when all of its blocks have. They run at the same time.
    open class BlockOperation: Operation, @unchecked Sendable {
        /// In the order in which they were added.
        open private(set) var executionBlocks: [@Sendable () -> Void] = []

        @_disfavoredOverload
        public override init() { super.init(file: #fileID, line: #line) }

        public override init(file: StaticString = #fileID, line: UInt = #line) { super.init(file: file, line: line) }

        public convenience init(
            file: StaticString = #fileID, line: UInt = #line, block: @escaping @Sendable () -> Void
        ) {
            self.init(file: file, line: line)
            executionBlocks = [block]
        }

        /// Adds a block, before the operation begins.
        open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) { executionBlocks.append(block) }

        /// Runs the blocks: the first on this thread, the others on threads of their own.
        open override func main() {
            guard let first = executionBlocks.first else { return }
            let others = executionBlocks.dropFirst()
            let done = DispatchSemaphore(value: 0)
            for block in others {
                must {
                    try Primitives.Thread.detach("block") {
                        block()
                        done.signal()
                    }
                }
            }
            first()
            for _ in others { done.wait() }
        }
    }
}
