import Trace

extension Operation {
    /// The memory order of an operation on an atomic, and the one that it has if it is a compare-exchange that fails. In
    /// one byte, which takes no room beside an operation's kind. Without orders: sequentially consistent.
    package struct Orders: Equatable, Sendable, BitwiseCopyable {
        package let bits: UInt8

        @inline(always) package init(bits: UInt8 = 0) { self.bits = bits }

        /// - Parameter failure: nil: as in C++, the order without its release.
        package init(_ order: MemoryOrder, failure: MemoryOrder? = nil) {
            bits = order.rawValue | (failure ?? order.onFailure).rawValue << 4
        }

        package var order: MemoryOrder { Self.order(bits & 15) }
        package var failure: MemoryOrder { Self.order(bits >> 4) }

        /// Whether none is weaker than sequentially consistent.
        @inline(always) package var areStrong: Bool { bits == 0 }

        /// The order that the operation has if it comes to this act.
        package func order(of act: Act) -> MemoryOrder {
            act == .mismatch || act == .failSpuriously ? failure : order
        }

        private static func order(_ number: UInt8) -> MemoryOrder { MemoryOrder(rawValue: number) ?? .seqcst }
    }
}

extension Operation {
    /// The memory order of a step that takes the operation and comes to this act.
    package func memoryOrder(of act: Act) -> MemoryOrder {
        orders.areStrong || kind == .fence ? .seqcst : orders.order(of: act)
    }
}
