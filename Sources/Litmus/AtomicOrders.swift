import CLitmus
import LabProgram
import Trace

/// How an operation orders memory, as the runner knows it.
struct AtomicOrders {
    var order: clitmus_order
    /// Of a compare-exchange that does not store.
    var failureOrder: clitmus_order

    static func of(_ action: Program.Action) -> AtomicOrders {
        AtomicOrders(order: action.orders.order.native, failureOrder: action.orders.failure.native)
    }

    var load: clitmus_opcode {
        switch order {
        case CLITMUS_RELAXED: CLITMUS_LOAD_RELAXED
        case CLITMUS_ACQUIRE: CLITMUS_LOAD_ACQUIRE
        default: CLITMUS_LOAD_SEQCST
        }
    }

    var store: clitmus_opcode {
        switch order {
        case CLITMUS_RELAXED: CLITMUS_STORE_RELAXED
        case CLITMUS_RELEASE: CLITMUS_STORE_RELEASE
        default: CLITMUS_STORE_SEQCST
        }
    }
}

extension MemoryOrder {
    /// As the compiler of the runner knows it.
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
