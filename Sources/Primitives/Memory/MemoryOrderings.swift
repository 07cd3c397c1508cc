import Execution
import Machine
import Synchronization
import Trace

/// A memory fence: it orders the calling thread's accesses before it and after it. If one thread stores a value after a
/// release fence, and another thread loads that value and then issues an acquire fence, then what precedes the first
/// fence happens before what follows the second, even if store and load are relaxed.
public enum Fence {
    /// Issues a fence: one step of the calling thread, or nothing if the ordering is relaxed.
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

/// Swift's orderings as memory orders of an operation.
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
