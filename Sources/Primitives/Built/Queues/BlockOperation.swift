import Execution
import Trace

/// A piece of work for an operation queue, which runs after the operations that it depends on have finished (Foundation
/// `BlockOperation`). Any thread may use it.
public final class BlockOperation: Sendable {
    /// Its name in traces.
    public let name: String
    private let block: @Sendable (BlockOperation) throws -> Void
    private let completion: (@Sendable () throws -> Void)?
    private let handle: Handle
    private let gate: Part
    private let ended: Part
    /// The number of unfinished operations on which it depends, plus one until it has been added to a queue.
    private let obstacles: Atomic<Int>
    /// The bits `cancelledBit` and `begunBit`. They are in one word, so that a thread that begins the operation finds
    /// out in the same step whether it was cancelled.
    private let progress: Atomic<Int>
    /// Accessed only with `gate` held.
    private let state = Guarded(State())

    private static let (cancelledBit, begunBit) = (1, 2)

    private struct State {
        var isFinished = false
        /// The operations on which it depends.
        var prior: [Prior] = []
        /// The operations that depend on it.
        var dependents: [BlockOperation] = []
        var queue: OperationQueue?
        /// The site where it was added to the queue.
        var site = SourceSite.unknown
    }

    /// An operation keeps its dependents alive. With strong references in this direction too, two operations that
    /// depend on each other would be leaked.
    private struct Prior {
        weak let operation: BlockOperation?
    }

    /// - Parameters:
    ///   - name: its name in traces.
    ///   - completion: runs on the same thread after the work, or in place of it if the operation was cancelled. The
    ///     operation has finished only when this has returned.
    ///   - block: its work. It gets the operation itself, to check `isCancelled`.
    public init(
        _ name: String? = nil, completion: (@Sendable () throws -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line, _ block: @escaping @Sendable (BlockOperation) throws -> Void
    ) {
        let site = SourceSite(file, line)
        self.name = name ?? "operation"
        self.block = block
        self.completion = completion
        handle = Handle(.other, shownAs: .operation, self.name, at: site)
        gate = Part(lockOf: self.name, at: site)
        ended = Part(.condition, "the end of \(self.name)", at: site)
        gate.belong(to: ended.handle.object)
        obstacles = Atomic(partOf: self.name, 1, at: site)
        progress = Atomic(partOf: self.name, 0, at: site)
    }

    /// A version for a function that is passed by name: `BlockOperation(load)`.
    @_disfavoredOverload
    public convenience init(
        _ block: @escaping @Sendable (BlockOperation) throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(nil, file: file, line: line, block)
    }

    /// Delays the operation until the other one has finished, which may be in another queue. Operations that depend on
    /// each other in a cycle never run, nor does one that depends on an operation that is in no queue.
    ///
    /// - Throws: `Misuse` `invalid-value`, if the operation has been added to a queue already, or is the other one.
    public func addDependency(
        on other: BlockOperation, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        let isAccepted = try gate.withLock(at: site) {
            guard state.value.queue == nil && !state.value.isFinished && other !== self else { return false }
            state.value.prior.append(Prior(operation: other))
            return true
        }
        guard isAccepted else { throw Misuse.recorded(.invalidValue, at: site) }
        handle.record(.operationDepend, Int(other.handle.object.id), at: site)
        try obstacles.add(1, at: site)
        let mustWait = try other.gate.withLock(at: site) {
            if !other.state.value.isFinished { other.state.value.dependents.append(self) }
            return !other.state.value.isFinished
        }
        if !mustWait { try obstacles.add(-1, at: site) }
    }

    /// Asks the operation to stop. One that has not begun does no work, and finishes when its turn comes; one that is
    /// running continues until it checks `isCancelled`.
    public func cancel(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        ThreadContext.runtime.with { $0.record(.operationCancel, 0, text: name, at: site) }
        try progress.bitOr(Self.cancelledBit, at: site)
    }

    public func isCancelled(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try progress.load(at: SourceSite(file, line)) & Self.cancelledBit != 0
    }

    /// Whether a thread runs it now.
    public func isExecuting(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        guard try progress.load(at: SourceSite(file, line)) & Self.begunBit != 0 else { return false }
        return try !isFinished(file: file, line: line)
    }

    /// Whether all operations on which it depends have finished. Then it runs as soon as its queue lets it, or has
    /// already run.
    public func isReady(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try unfinishedDependencies(file: file, line: line).isEmpty
    }

    /// The operations on which it depends, in the order of their addition. Empty once it has finished.
    public func dependencies(file: StaticString = #fileID, line: UInt = #line) throws -> [BlockOperation] {
        try gate.withLock(at: SourceSite(file, line)) { state.value.prior.compactMap(\.operation) }
    }

    private func unfinishedDependencies(file: StaticString, line: UInt) throws -> [BlockOperation] {
        try dependencies(file: file, line: line).filter { try !$0.isFinished(file: file, line: line) }
    }

    /// A short description of its current state for printing: `decode waits for load, unpack`. The parts of the
    /// description may be of different moments, because other threads can step in between.
    public func summary(file: StaticString = #fileID, line: UInt = #line) throws -> String {
        if try isFinished(file: file, line: line) { return "\(name) has finished" }
        if try isExecuting(file: file, line: line) { return "\(name) runs" }
        let others = try unfinishedDependencies(file: file, line: line)
        return others.isEmpty ? "\(name) is ready" : "\(name) waits for \(others.map(\.name).joined(separator: ", "))"
    }

    /// Whether its work is done, or was skipped because it had been cancelled.
    public func isFinished(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try gate.withLock(at: SourceSite(file, line)) { state.value.isFinished }
    }

    /// Waits until it has finished. An operation that is in no queue never does.
    public func waitUntilFinished(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try gate.withLock(at: site) {
            while !state.value.isFinished { _ = try ended.wait(with: gate, at: site) }
        }
    }

    // MARK: - For its queue

    /// Notes that the operation is added to this queue.
    ///
    /// - Throws: `Misuse` `invalid-value`, if it has been added to a queue before.
    func enter(_ queue: OperationQueue, at site: SourceSite) throws {
        try gate.withLock(at: site) {
            guard state.value.queue == nil && !state.value.isFinished else {
                throw Misuse.recorded(.invalidValue, at: site)
            }
            state.value.queue = queue
            state.value.site = site
            handle.record(.operationAdd, queue.object, at: site)
        }
    }

    /// Drops the references to the queue and other operations, at the end of the run.
    func drop() { state.value = State() }

    /// Removes one obstacle. After the last one it can run.
    func removeObstacle(at site: SourceSite) throws {
        guard try obstacles.add(-1, at: site) == 1 else { return }
        let (queue, ownSite) = try gate.withLock(at: site) { (state.value.queue, state.value.site) }
        try queue?.start(self, at: ownSite)
    }

    /// Runs the operation on a worker of the queue, unless it was cancelled, and lets its dependents run.
    func run(at site: SourceSite) throws {
        let isCancelled = try progress.bitOr(Self.begunBit, at: site) & Self.cancelledBit != 0
        handle.record(.operationBegin, at: site)
        if !isCancelled { try block(self) }
        try completion?()
        handle.with { $0.record(.operationFinish, handle.object.id, text: name, at: site) }
        let (queue, dependents) = try gate.withLock(at: site) {
            defer { state.value = State(isFinished: true) }
            try ended.broadcast(at: site)
            return (state.value.queue, state.value.dependents)
        }
        for dependent in dependents { try dependent.removeObstacle(at: site) }
        try queue?.forget(self, at: site)
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let operationCancel = Remark(
        "operation.cancel", "cancel {value}", value: .text,
        says: "It asked the operation to stop")
}
