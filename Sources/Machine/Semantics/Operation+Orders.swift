import Trace

extension Operation {
    /// The memory orders of an operation on an atomic: the order of its step, in the lower four bits, and the order if
    /// it is a compare-exchange that fails, in the upper four. One byte, which fits beside the operation's kind. Zero
    /// means sequentially consistent.
    package struct Orders: Equatable, Sendable, BitwiseCopyable {
        package let bits: UInt8

        @inline(always) package init(bits: UInt8 = 0) { self.bits = bits }

        /// - Parameter failure: nil means `order` without its release, as in C++.
        package init(_ order: MemoryOrder, failure: MemoryOrder? = nil) {
            bits = order.rawValue | (failure ?? order.onFailure).rawValue << 4
        }

        package var order: MemoryOrder { Self.order(bits & 15) }
        package var failure: MemoryOrder { Self.order(bits >> 4) }

        /// Whether both orders are sequentially consistent.
        @inline(always) package var areStrong: Bool { bits == 0 }

        /// The order of a step that does this act.
        package func order(of act: Act) -> MemoryOrder {
            act == .mismatch || act == .failSpuriously ? failure : order
        }

        private static func order(_ number: UInt8) -> MemoryOrder { MemoryOrder(rawValue: number) ?? .seqcst }
    }
}

extension Operation {
    /// The memory order that the event of a step with this act has. `seqcst` for a fence, whose order is the event's
    /// value.
    package func memoryOrder(of act: Act) -> MemoryOrder {
        orders.areStrong || kind == .fence ? .seqcst : orders.order(of: act)
    }
}
