import Foundation
import Primitives

extension Lab {
    /// Foundation's `Operation`: work that a queue does once, after the operations on which it depends. A subclass
    /// overrides `main`. Or it overrides `start`, `isExecuting` and `isFinished`, and calls `didChangeValue(forKey:)`
    /// when it has finished.
    open class Operation: Identified, @unchecked Sendable {
        /// The priority among operations that can begin.
        public enum QueuePriority: Int, Sendable {
            case veryLow = -8
            case low = -4
            case normal = 0
            case high = 4
            case veryHigh = 8
        }

        /// A name for people, and for its thread in traces.
        open var name: String?
        /// Has no effect.
        open var qualityOfService = QualityOfService.default
        /// Read when the operation can begin.
        open var queuePriority = QueuePriority.normal
        /// Runs on a separate thread when the operation has finished. Threads that waited for the operation may already
        /// continue.
        @preconcurrency open var completionBlock: (@Sendable () -> Void)?

        private let mutex: Primitives.Mutex
        private let ended: Primitives.Condition
        // Accessed with the mutex held.
        private var phase = Phase.waiting
        private var cancelled = false
        /// The operations on which it depends.
        private var prior: [Operation] = []
        /// The number of those that have not finished.
        private var unfinished = 0
        /// The operations that depend on it, until it has finished.
        private var dependents: [Operation] = []
        private var queue: OperationQueue?
        /// Whether `start` was called when the operation had not finished.
        private var hasBegun = false
        /// Whether `start` has returned to the queue. An operation that finishes later must tell the queue.
        private var hasLeftStart = false

        private enum Phase { case waiting, executing, finished }

        /// An initializer without parameters, which subclasses can override.
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

        /// The operation's work. By default it does nothing.
        open func main() {}

        /// Does the work on the calling thread, unless the operation was cancelled. Called by its queue.
        open func start() {
            let isWanted: Bool? = locked(orElse: nil) {
                // A cancelled operation may have reported its end before its queue starts it.
                if phase == .finished && !hasBegun { return nil }
                try check(phase == .waiting, "an operation is started that was started before")
                hasBegun = true
                if !cancelled { phase = .executing }
                return !cancelled
            }
            guard let isWanted else { return }
            if isWanted { main() }
            finish()
        }

        /// Marks the operation as finished, and lets threads and operations that wait for it continue. Further calls
        /// have no effect.
        private func finish() {
            let end: End? = locked(orElse: nil) {
                if phase == .finished { return nil }
                phase = .finished
                try ended.broadcast()
                defer { dependents = [] }
                return End(dependents: dependents, queue: queue, isLate: hasLeftStart)
            }
            guard let end else { return }
            for dependent in end.dependents { dependent.noteObstacles(oneLess: true) }
            if let queue = end.queue {
                if end.isLate { queue.noteFinished(self) }
            } else {
                complete()
            }
        }

        /// What is left to do once the operation has finished.
        private struct End {
            let dependents: [Operation]
            let queue: OperationQueue?
            /// Whether `start` has already returned to the queue, which then does not see the end by itself.
            let isLate: Bool
        }

        /// Calls the completion block, after the operation has finished.
        func complete() {
            guard let block = completionBlock else { return }
            completionBlock = nil
            must { try Primitives.Thread.detach("completion") { block() } }
        }

        /// Asks the operation to end. One that has not begun will do no work, and no longer waits for its dependencies;
        /// one that runs should check `isCancelled`.
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
        /// Whether it need not wait for its dependencies: they have finished, or it was cancelled.
        open var isReady: Bool { locked(orElse: true) { hasNoObstacle } }
        open var isAsynchronous: Bool { false }

        public final func waitUntilFinished(
            file: StaticString = #fileID, line: UInt = #line
        ) {
            must {
                try mutex.withLock(file: file, line: line) {
                    while phase != .finished { try ended.wait(with: mutex, file: file, line: line) }
                }
            }
        }

        // MARK: - Key-value observing

        /// A subclass calls this before its overridden `isReady`, `isExecuting` or `isFinished` changes.
        public func willChangeValue(forKey key: String) {}
        public func willChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {}

        /// A subclass calls this after its overridden `isReady`, `isExecuting` or `isFinished` has changed. The queue,
        /// and operations that wait for this one, then read it again.
        public func didChangeValue(forKey key: String) {
            switch key {
            case "isFinished", "finished": if isFinished { finish() }
            case "isReady", "ready": noteObstacles(oneLess: false)
            default: break
            }
        }

        public func didChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {
            switch keyPath {
            case \Operation.isFinished: didChangeValue(forKey: "isFinished")
            case \Operation.isReady: didChangeValue(forKey: "isReady")
            default: break
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
            if !operation.notes(dependent: self) { noteObstacles(oneLess: true) }
        }

        open func removeDependency(_ operation: Operation) {
            let wasOne = locked(orElse: false) {
                guard let index = prior.firstIndex(where: { $0 === operation }) else { return false }
                prior.remove(at: index)
                return true
            }
            if wasOne && operation.forgets(dependent: self) { noteObstacles(oneLess: true) }
        }

        /// Adds an operation that depends on this one. Returns false if this one has already finished.
        private func notes(dependent: Operation) -> Bool {
            locked(orElse: true) {
                if phase == .finished { return false }
                dependents.append(dependent)
                return true
            }
        }

        /// Removes an operation that depends on this one. Returns false if there is none to remove, for example because
        /// this one has finished.
        private func forgets(dependent: Operation) -> Bool {
            locked(orElse: false) {
                guard let index = dependents.firstIndex(where: { $0 === dependent }) else { return false }
                dependents.remove(at: index)
                return true
            }
        }

        /// Lets the queue check again whether the operation can begin.
        ///
        /// - Parameter oneLess: whether one of its dependencies has finished, or was removed.
        private func noteObstacles(oneLess: Bool) {
            let queue = locked(orElse: nil) {
                if oneLess { unfinished -= 1 }
                return self.queue
            }
            if let queue, isReady { queue.noteReady(self) }
        }

        // MARK: - For its queue

        /// Notes that it was added to this queue. An operation is added to one queue, once.
        func enter(_ queue: OperationQueue, _ file: StaticString, _ line: UInt) {
            must {
                try mutex.withLock(file: file, line: line) {
                    try check(
                        self.queue == nil && phase == .waiting, "an operation is queued that was queued before",
                        file: file, line: line)
                    self.queue = queue
                }
            }
        }

        /// Starts the operation on the calling thread, which is its queue's.
        ///
        /// - Returns: false if it finishes later.
        func startInQueue() -> Bool {
            start()
            return locked(orElse: true) {
                hasLeftStart = true
                return phase == .finished
            }
        }

        private var hasNoObstacle: Bool { unfinished == 0 || cancelled }

        private func locked<Result>(
            orElse instead: @autoclosure () -> Result, _ body: () throws -> Result
        ) -> Result {
            must(orElse: instead()) { try mutex.withLock(body) }
        }
    }
}
