import Execution
import Trace

/// Something that waits in a queue's line.
struct WorkItem: Sendable {
    unowned(unsafe) let level: QueueLevel
    /// Nil: the line keeps it. To count references to it at every item, on two processors, is noticeable.
    private let keeper: QueueLevel?
    let isBarrier: Bool
    /// Its number in the line.
    let ticket: Int
    /// Where it was queued.
    let site: SourceSite
    /// Nil: the turn of a thread that waits in `sync`, and runs its block itself.
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

    /// Whether they cannot run at the same time.
    func excludes(_ other: WorkItem) -> Bool {
        level.contains { mine in
            other.level.contains { theirs in
                mine === theirs
                    && (mine.isSerial || (isBarrier && mine === level) || (other.isBarrier && theirs === other.level))
            }
        }
    }

    /// Runs it on the calling thread, which holds its queues, and gives them up. Then it releases the block, whose end
    /// may need the lock of the pool.
    mutating func run() throws {
        defer { body = nil }
        do { if let body { try level.running(body) } } catch is ThreadExit {
            // It is the item that is left, and not the worker.
        } catch {
            try level.give(barrier: isBarrier, at: site)
            throw error
        }
        try level.give(barrier: isBarrier, at: site)
    }
}
