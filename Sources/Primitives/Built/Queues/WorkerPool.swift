import Execution
import Text
import Trace

/// Threads that run the items of queues. A thread is created when an item finds no idle thread, up to the pool's limit,
/// and ends after some idle time. Each queue has its own pool, unless it is given one.
public final class WorkerPool: Sendable {
    /// The maximum number of threads. If all of them run blocks that wait for items that have not begun, none of them
    /// can continue.
    public let threads: Int

    let name: String
    /// Protects the pool and the lines of its queues.
    let gate: Part
    /// The condition on which idle threads wait for work.
    private let work: Part
    private let priority: Int?
    private let state = Guarded(State())

    private struct State {
        /// Nil: no block was delayed so far.
        var timer: QueueTimer?
        /// The lines that wait for an idle worker, one entry for each request.
        var requests = Fifo<QueueLine>()
        /// The number of threads that wait for work.
        var idle = 0
        /// The number of threads that have not ended.
        var alive = 0
        /// The number of threads created so far, for their names.
        var made = 0
    }

    /// The idle time after which a thread ends.
    private static let patience = Duration.seconds(1)

    /// - Parameters:
    ///   - name: its name in traces; its threads are numbered after it.
    ///   - threads: the limit, at least 1.
    ///   - priority: the priority of its threads, 0 to 31, a hint (Dispatch's quality of service). Nil: unset.
    /// - Throws: `Misuse` `invalid-value`.
    public convenience init(
        _ name: String? = nil, threads: Int, priority: Int? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        guard threads > 0 && ThreadAttributes(priority: priority).refusal == nil else {
            throw Misuse.recorded(.invalidValue, at: site)
        }
        self.init(name ?? "pool", threads, priority: priority, at: site)
    }

    init(_ name: String, _ threads: Int, priority: Int? = nil, at site: SourceSite) {
        self.name = name
        self.threads = threads
        self.priority = priority
        gate = Part(lockOf: name, at: site)
        work = Part(.condition, "work for \(name)", at: site)
    }

    // MARK: - With the lock held

    /// Requests a worker for the line, if another one would find work.
    ///
    /// - Throws: `ThreadCreationFailed`, if the pool has no thread and cannot create one.
    func serveIfNeeded(_ line: QueueLine, at site: SourceSite) throws {
        guard line.needsWorker else { return }
        if state.value.requests.count >= state.value.idle && state.value.alive < threads {
            try startWorker(at: site)
        }
        line.join()
        state.value.requests.append(line)
        if state.value.requests.count <= state.value.idle { try work.signal(at: site) }
    }

    /// The timer of delayed blocks, made at the first use.
    func timer(at site: SourceSite) -> QueueTimer {
        if let timer = state.value.timer { return timer }
        let timer = QueueTimer(of: name, gate, at: site)
        state.value.timer = timer
        return timer
    }

    private func startWorker(at site: SourceSite) throws {
        let number = threads == 1 ? "" : " \(state.value.made + 1)"
        do {
            let attributes = ThreadAttributes(priority: priority, isDetached: true)
            let worker = try Thread("\(name.possessive) worker\(number)", attributes, at: site) { try self.run() }
            ThreadContext.runtime.record(.queueServe, 0, Int(worker.id.index), at: site)
        } catch let error as ThreadCreationFailed {
            // Existing threads will serve the line.
            guard state.value.alive > 0 else { throw error }
            return
        }
        state.value.alive += 1
        state.value.made += 1
    }

    // MARK: - A worker

    /// The body of a worker: serves lines until none has requested it for some time. If it leaves by an error, because
    /// a block throws or the run ends, it does not hold the lock.
    private func run() throws {
        try gate.lock(at: .unknown)
        while true {
            if let line = state.value.requests.popFirst() {
                try serve(line)
            } else if try !waitForWork() {
                state.value.alive -= 1
                return try gate.unlock(at: .unknown)
            }
        }
    }

    /// Waits for a request.
    ///
    /// - Returns: false if none came within the idle time.
    private func waitForWork() throws -> Bool {
        state.value.idle += 1
        defer { state.value.idle -= 1 }
        // The program cannot observe this time, so reading the clock need not be a step.
        let now = Instant(nanoseconds: ThreadContext.runtime.with { $0.hiddenNow })
        return try work.wait(with: gate, until: now + Self.patience, at: .unknown) || !state.value.requests.isEmpty
    }

    /// Runs items of the line until none can begin.
    private func serve(_ line: QueueLine) throws {
        // An item whose queues this worker has acquired after it found them held by a `sync`. Unless the next search
        // begins this item, its queues are released again.
        var held: WorkItem?
        var batch = Fifo<WorkItem>()
        while true {
            var finding = try line.next(holding: held)
            if let present = held, finding.item?.ticket != present.ticket {
                try present.level.give(barrier: present.isBarrier, at: present.site)
            }
            held = nil
            switch finding {
            case .item(var item):
                // Drops the second reference to the block, so that `run` releases the last one.
                finding = .nothing
                // After a barrier there may be work for several workers.
                try serveIfNeeded(line, at: item.site)
                line.takeAlong(after: item, &batch)
                try outsideGate {
                    try item.run()
                    try runBatch(&batch, of: line)
                }
                line.putBack(&batch)
                line.end(item)
            case .held(let item):
                try outsideGate { try item.level.take(barrier: item.isBarrier, at: item.site) }
                held = item
            case .nothing:
                line.leave()
                return
            }
        }
    }

    /// Runs the items of the batch. Stops if the queue is suspended, and leaves the rest in the batch.
    private func runBatch(_ batch: inout Fifo<WorkItem>, of line: QueueLine) throws {
        while var item = batch.popFirst() {
            if try line.isSuspended(at: item.site) { return batch.prepend(item) }
            line.noteTaken(batch.count)
            try item.level.take(barrier: false, at: item.site)
            try item.run()
        }
    }

    /// Runs the body with the pool's lock released.
    private func outsideGate(_ body: () throws -> Void) throws {
        try gate.unlock(at: .unknown)
        try body()
        try gate.lock(at: .unknown)
    }
}

extension QueueLine.Finding {
    var item: WorkItem? { if case .item(let item) = self { item } else { nil } }
}
