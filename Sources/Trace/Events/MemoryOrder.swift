/// How an operation on an atomic, or a fence, orders what its thread does before and after it, as in C++20. Recordings
/// contain the raw value.
package enum MemoryOrder: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The default: the order of an operation that names none.
    case seqcst = 0
    case relaxed, acquire, release, acqRel

    /// The word in `.lab` programs and saved traces.
    package var word: String {
        switch self {
        case .seqcst: "seqcst"
        case .relaxed: "relaxed"
        case .acquire: "acquire"
        case .release: "release"
        case .acqRel: "acqRel"
        }
    }

    package init?(word: String) {
        guard let order = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = order
    }

    /// Whether the operation acquires: if it reads a write that releases, its thread then sees everything that the
    /// other thread did before that write.
    @inlinable package var acquires: Bool {
        switch self {
        case .acquire, .acqRel, .seqcst: true
        case .relaxed, .release: false
        }
    }

    /// Whether the operation releases: a thread that acquires and reads its write then sees everything that this thread
    /// did before it.
    @inlinable package var releases: Bool {
        switch self {
        case .release, .acqRel, .seqcst: true
        case .relaxed, .acquire: false
        }
    }

    /// The order of a failed compare-exchange, which is a load, if the program names only this order, for success.
    package var onFailure: MemoryOrder {
        switch self {
        case .acqRel: .acquire
        case .release: .relaxed
        case .relaxed, .acquire, .seqcst: self
        }
    }

    /// Whether the other order guarantees everything that this one does, and more.
    package func isWeaker(than other: MemoryOrder) -> Bool {
        self != .seqcst && self != other && (!acquires || other.acquires) && (!releases || other.releases)
    }

    // The possible orders of loads, stores, updates and fences. None is weaker than one before it in its list.
    package static let ofLoads: [MemoryOrder] = [.relaxed, .acquire, .seqcst]
    package static let ofStores: [MemoryOrder] = [.relaxed, .release, .seqcst]
    package static let ofUpdates: [MemoryOrder] = [.relaxed, .acquire, .release, .acqRel, .seqcst]
    package static let ofFences: [MemoryOrder] = [.acquire, .release, .acqRel, .seqcst]

    /// Written explicitly, because other modules call the derived equality through a table.
    @inlinable @inline(__always)
    package static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
}
