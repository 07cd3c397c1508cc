import Execution
import Trace

/// A piece of work for an operation queue, which runs when the operations that it depends on have finished (Foundation
/// `BlockOperation`). Any thread may use it.
public final class BlockOperation: Sendable {
    /// Its name in traces.
    public let name: String
    private let block: @Sendable (BlockOperation) throws -> Void
    private let completion: (@Sendable () throws -> Void)?
    private let gate: Part
    private let ended: Part
    /// The unfinished operations that it depends on, and one more until it has been added to a queue.
    private let obstacles: Atomic<Int>
    private let cancelled: Atomic<Bool>
    /// Accessed only with the lock held.
    private let state = Guarded(State())

    private struct State {
        var isFinished = false
        /// Those that depend on it.
        var dependents: [BlockOperation] = []
        var queue: OperationQueue?
    }

    /// - Parameters:
    ///   - name: its name in traces.
    ///   - completion: runs when the operation has finished, on the same thread.
    ///   - block: its work. It gets the operation itself, to look at `isCancelled`.
    public init(
        _ name: String? = nil, completion: (@Sendable () throws -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line, _ block: @escaping @Sendable (BlockOperation) throws -> Void
    ) {
        let site = SourceSite(file, line)
        self.name = name ?? "operation"
        self.block = block
        self.completion = completion
        gate = Part(lockOf: self.name, at: site)
        ended = Part(.condition, "the end of \(self.name)", at: site)
        obstacles = Atomic(partOf: self.name, 1, at: site)
        cancelled = Atomic(partOf: self.name, false, at: site)
    }

    /// The same for a function that is passed by name: `BlockOperation(load)`.
    @_disfavoredOverload
    public convenience init(
        _ block: @escaping @Sendable (BlockOperation) throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(nil, file: file, line: line, block)
    }

    /// Lets it run only when the other operation has finished, also one of another queue.
    ///
    /// - Throws: `Misuse` `invalid-value`, if it has been added to a queue already, or is the other.
    public func addDependency(
        on other: BlockOperation, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        let isQueued = try gate.withLock(at: site) { state.value.queue != nil || state.value.isFinished }
        guard !isQueued && other !== self else { throw Misuse.recorded(.invalidValue, at: site) }
        try obstacles.add(1, at: site)
        let mustWait = try other.gate.withLock(at: site) {
            if !other.state.value.isFinished { other.state.value.dependents.append(self) }
            return !other.state.value.isFinished
        }
        if !mustWait { try obstacles.add(-1, at: site) }
    }

    /// Asks it to stop: an operation that has not begun does no work, and finishes when its turn comes; one that runs
    /// continues until it looks at `isCancelled`.
    public func cancel(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        ThreadContext.runtime.with { $0.record(.operationCancel, 0, text: name, at: site) }
        try cancelled.store(true, at: site)
    }

    public func isCancelled(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try cancelled.load(at: SourceSite(file, line))
    }

    /// Whether its work is done, or was not begun because it had been cancelled.
    public func isFinished(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try gate.withLock(at: SourceSite(file, line)) { state.value.isFinished }
    }

    /// Waits until it has finished. An operation that no queue has never does.
    public func waitUntilFinished(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try gate.withLock(at: site) {
            while !state.value.isFinished { _ = try ended.wait(with: gate, at: site) }
        }
    }

    // MARK: - For its queue

    /// - Throws: `Misuse` `invalid-value`, if it has been added to a queue before.
    func enter(_ queue: OperationQueue, at site: SourceSite) throws {
        try gate.withLock(at: site) {
            guard state.value.queue == nil && !state.value.isFinished else {
                throw Misuse.recorded(.invalidValue, at: site)
            }
            state.value.queue = queue
        }
    }

    /// The run is over.
    func drop() { state.value = State() }

    /// One obstacle less. The last one lets it run.
    func removeObstacle(at site: SourceSite) throws {
        guard try obstacles.add(-1, at: site) == 1 else { return }
        let queue = try gate.withLock(at: site) { state.value.queue }
        try queue?.start(self, at: site)
    }

    func run(at site: SourceSite) throws {
        if try !cancelled.load(at: site) { try block(self) }
        try completion?()
        ThreadContext.runtime.with { $0.record(.operationFinish, 0, text: name, at: site) }
        let (queue, dependents) = try gate.withLock(at: site) {
            defer { state.value = State(isFinished: true) }
            try ended.broadcast(at: site)
            return (state.value.queue, state.value.dependents)
        }
        for dependent in dependents { try dependent.removeObstacle(at: site) }
        try queue?.forget(self, at: site)
    }
}

// MARK: - What it says of itself

extension Remark {
    fileprivate static let operationCancel = Remark(
        "operation.cancel", "cancel {value}", value: .text,
        says: "It asked the operation to stop")
}
