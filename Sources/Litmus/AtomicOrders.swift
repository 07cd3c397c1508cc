import CLitmus
import LabProgram
import Trace

/// The memory orders of an operation on an atomic, as constants of the runner, which is in C (`CLitmus`).
struct AtomicOrders {
    private let access: MemoryOrder
    private let failure: MemoryOrder

    init(of action: Program.Action) {
        access = action.orders.order
        failure = action.orders.failure
    }

    /// The order of the operation if it is not a compare-exchange that fails.
    var order: clitmus_order { access.native }
    /// The order of a compare-exchange that fails, and so does not store.
    var failureOrder: clitmus_order { failure.native }

    /// The instruction for a load with this order.
    var load: clitmus_opcode {
        switch access {
        case .relaxed: CLITMUS_LOAD_RELAXED
        case .acquire: CLITMUS_LOAD_ACQUIRE
        case .seqcst: CLITMUS_LOAD_SEQCST
        case .release, .acqRel: preconditionFailure("a load has no such order")
        }
    }

    /// The instruction for a store with this order.
    var store: clitmus_opcode {
        switch access {
        case .relaxed: CLITMUS_STORE_RELAXED
        case .release: CLITMUS_STORE_RELEASE
        case .seqcst: CLITMUS_STORE_SEQCST
        case .acquire, .acqRel: preconditionFailure("a store has no such order")
        }
    }
}

extension MemoryOrder {
    /// The runner's constant for the order.
    var native: clitmus_order {
        switch self {
        case .relaxed: CLITMUS_RELAXED
        case .acquire: CLITMUS_ACQUIRE
        case .release: CLITMUS_RELEASE
        case .acqRel: CLITMUS_ACQ_REL
        case .seqcst: CLITMUS_SEQCST
        }
    }
}
