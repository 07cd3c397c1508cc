import Execution
import Machine
import Synchronization
import Trace

/// A memory fence: it orders what the calling thread did before it and does after it. One thread's release before a
/// store, however weak, and another's acquire after the load that sees it, order the two threads.
public enum Fence {
    /// A step of the thread.
    public static func issue(
        ordering: AtomicUpdateOrdering, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let orders = Operation.Orders(ordering)
        // C and Swift allow a relaxed fence, which does nothing.
        if orders.order == .relaxed { return }
        let fence = Operation(.fence, orders: orders)
        _ = try ThreadContext.runtime.perform(fence, on: .none, at: SourceSite(file, line))
    }
}

extension Operation.Orders {
    init(_ ordering: AtomicLoadOrdering) { self.init(MemoryOrder(ordering)) }

    init(_ ordering: AtomicStoreOrdering) {
        self.init(ordering == .relaxed ? .relaxed : ordering == .releasing ? .release : .seqcst)
    }

    init(_ ordering: AtomicUpdateOrdering) { self.init(MemoryOrder(ordering)) }

    init(_ ordering: AtomicUpdateOrdering, onFailure failure: AtomicLoadOrdering) {
        self.init(MemoryOrder(ordering), failure: MemoryOrder(failure))
    }
}

extension MemoryOrder {
    fileprivate init(_ ordering: AtomicLoadOrdering) {
        self = ordering == .relaxed ? .relaxed : ordering == .acquiring ? .acquire : .seqcst
    }

    fileprivate init(_ ordering: AtomicUpdateOrdering) {
        self =
            switch ordering {
            case .relaxed: .relaxed
            case .acquiring: .acquire
            case .releasing: .release
            case .acquiringAndReleasing: .acqRel
            default: .seqcst
            }
    }
}
