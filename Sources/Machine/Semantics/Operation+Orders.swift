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

        private static func order(_ number: UInt8) -> MemoryOrder { MemoryOrder(rawValue: number) ?? .seqcst }
    }
}
