import Execution
import Trace

/// A queue of operations. Each runs after those on which it depends, and at most a given number run at once (Foundation
/// `OperationQueue`). Built on a work queue, to which an operation goes when it can run.
public final class OperationQueue: Sendable {
    /// Its name in traces.
    public let name: String
    /// The maximum number of operations that run at once.
    public let maxConcurrentOperationCount: Int
    private let queue: WorkQueue
    private let gate: Part
    private let allFinished: Part
    private let unfinished: Unfinished

    /// The operations that have not finished. Accessed with `gate` held, or after the run.
    private final class Unfinished: RunBound, @unchecked Sendable {
        var value: [BlockOperation] = []

        func runHasEnded() {
            for operation in value { operation.drop() }
            value = []
        }
    }

    /// - Parameters:
    ///   - name: its name in traces, made unique within the run.
    ///   - maxConcurrentOperationCount: the maximum number of operations that run at once. 1: one after the other.
    ///   - pool: the threads that run its operations. Nil: its own.
    /// - Throws: `Misuse` `invalid-value`, if the count is less than 1.
    public init(
        _ name: String? = nil, maxConcurrentOperationCount: Int, pool: WorkerPool? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        queue = try WorkQueue(name, width: maxConcurrentOperationCount, pool: pool, file: file, line: line)
        self.name = queue.name
        self.maxConcurrentOperationCount = maxConcurrentOperationCount
        gate = Part(lockOf: self.name, at: site)
        allFinished = Part(.condition, "the operations of \(self.name)", at: site)
        gate.belong(to: allFinished.handle.object)
        unfinished = Unfinished()
        QueuesOfRun.current.add(unfinished)
    }

    /// Adds the operation, and returns at once.
    ///
    /// - Throws: `Misuse` `invalid-value`, if it has been added to a queue before.
    public func addOperation(
        _ operation: BlockOperation, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        try operation.enter(self, at: site)
        try gate.withLock(at: site) { unfinished.value.append(operation) }
        try operation.removeObstacle(at: site)
    }

    /// Adds an operation that runs the block.
    ///
    /// - Returns: the operation.
    @discardableResult
    public func addOperation(
        _ name: String? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ block: @escaping @Sendable () throws -> Void
    ) throws -> BlockOperation {
        let operation = BlockOperation(name, file: file, line: line) { _ in try block() }
        try addOperation(operation, file: file, line: line)
        return operation
    }

    /// A version for a function that is passed by name: `queue.addOperation(load)`.
    @discardableResult @_disfavoredOverload
    public func addOperation(
        _ block: @escaping @Sendable () throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) throws -> BlockOperation {
        try addOperation(nil, file: file, line: line, block)
    }

    /// Cancels every operation that has not finished.
    public func cancelAllOperations(file: StaticString = #fileID, line: UInt = #line) throws {
        for operation in try operations(file: file, line: line) { try operation.cancel(file: file, line: line) }
    }

    /// Waits until all operations have finished. An operation of the queue must not call it, because it would wait for
    /// itself.
    public func waitUntilAllOperationsAreFinished(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try gate.withLock(at: site) {
            while !unfinished.value.isEmpty {
                _ = try allFinished.wait(with: gate, at: site)
            }
        }
    }

    /// The unfinished operations, running or waiting, in the order of their addition.
    public func operations(file: StaticString = #fileID, line: UInt = #line) throws -> [BlockOperation] {
        try gate.withLock(at: SourceSite(file, line)) { unfinished.value }
    }

    /// The number of unfinished operations.
    public func operationCount(file: StaticString = #fileID, line: UInt = #line) throws -> Int {
        try gate.withLock(at: SourceSite(file, line)) { unfinished.value.count }
    }

    /// Lets no further operation begin until `resume`.
    public func suspend(file: StaticString = #fileID, line: UInt = #line) throws {
        try queue.suspend(file: file, line: line)
    }

    public func resume(file: StaticString = #fileID, line: UInt = #line) throws {
        try queue.resume(file: file, line: line)
    }

    // MARK: - For its operations

    /// Its number in traces.
    var object: Int { Int(queue.level.hold.handle.object.id) }

    /// Queues an operation whose dependencies have finished.
    func start(_ operation: BlockOperation, at site: SourceSite) throws {
        try queue.async(at: site) { try operation.run(at: site) }
    }

    /// Removes an operation that has finished.
    func forget(_ operation: BlockOperation, at site: SourceSite) throws {
        try gate.withLock(at: site) {
            unfinished.value.removeAll { $0 === operation }
            if unfinished.value.isEmpty { try allFinished.broadcast(at: site) }
        }
    }
}
