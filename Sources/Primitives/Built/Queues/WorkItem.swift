import Execution
import Trace

/// An item that waits in the line of a queue: a block, or the place of a thread that waits in `sync`.
struct WorkItem: Sendable {
    /// The queue to which it was submitted.
    unowned(unsafe) let level: QueueLevel
    /// Keeps the queue alive. Nil: the line does. Counting a reference for each item would take noticeable time on
    /// several processors.
    private let keeper: QueueLevel?
    let isBarrier: Bool
    /// The number that identifies the item in its line.
    let ticket: Int
    /// The site where it was queued.
    let site: SourceSite
    /// The block. Nil: the item is the place of a thread in `sync`, which runs its block itself.
    private(set) var body: (@Sendable () throws -> Void)?

    init(
        of level: QueueLevel, keepsLevel: Bool, isBarrier: Bool, ticket: Int, site: SourceSite,
        body: (@Sendable () throws -> Void)?
    ) {
        self.level = level
        keeper = keepsLevel ? level : nil
        self.isBarrier = isBarrier
        self.ticket = ticket
        self.site = site
        self.body = body
    }

    /// Whether the two items cannot run at the same time.
    func excludes(_ other: WorkItem) -> Bool {
        level.contains { mine in
            other.level.contains { theirs in
                mine === theirs
                    && (mine.isSerial || (isBarrier && mine === level) || (other.isBarrier && theirs === other.level))
            }
        }
    }

    /// Runs the item on the calling thread, which holds its queues, and releases them. The block is released last,
    /// because its deinitializers may need the pool's lock.
    mutating func run() throws {
        defer { body = nil }
        do { if let body { try level.running(body) } } catch is ThreadExit {
            // `Thread.exit` in a block ends the item, and not the worker.
        } catch {
            try level.give(barrier: isBarrier, at: site)
            throw error
        }
        try level.give(barrier: isBarrier, at: site)
    }
}
