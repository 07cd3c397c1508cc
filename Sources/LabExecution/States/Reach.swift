/// Things that steps may touch, one bit each. Two sets that do not conflict belong to steps that are independent.
struct Reach: BitwiseCopyable, Equatable, Sendable {
    /// What may be touched, and what of it may be changed.
    var touched: UInt64 = 0
    var changed: UInt64 = 0

    init(touched: UInt64 = 0, changed: UInt64 = 0) {
        self.touched = touched | changed
        self.changed = changed
    }

    /// Everything.
    static let world = Reach(touched: .max, changed: .max)

    mutating func formUnion(_ other: Reach) {
        touched |= other.touched
        changed |= other.changed
    }

    func conflicts(with other: Reach) -> Bool {
        touched & other.changed != 0 || changed & other.touched != 0
    }
}
