/// A histogram of durations in nanoseconds, for a median and high percentiles. Its size does not grow with the number
/// of durations.
struct Durations {
    private var counts: [UInt32] = []
    private(set) var count = 0
    private(set) var greatest: UInt64 = 0

    mutating func add(_ nanoseconds: UInt64) {
        let bucket = Self.bucket(nanoseconds)
        while counts.count <= bucket { counts.append(0) }
        counts[bucket] &+= 1
        count += 1
        greatest = max(greatest, nanoseconds)
    }

    /// The duration that this fraction of all durations does not exceed. The result is at most an eighth too long.
    func quantile(_ share: Double) -> UInt64 {
        var left = Int((Double(count) * share).rounded(.up))
        for (bucket, number) in counts.enumerated() {
            left -= Int(number)
            if left <= 0 { return min(Self.bound(bucket), greatest) }
        }
        return greatest
    }

    /// Durations below this, the fourth power of 2, have a bucket each. The numbers of all other buckets follow.
    private static let exact = 16

    /// The number of a duration's bucket: one for each value below `exact`, then eight for each power of two. The three
    /// bits after the highest one choose among the eight.
    private static func bucket(_ value: UInt64) -> Int {
        guard value >= exact else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return exact + (exponent - 4) * 8 + Int(value >> (exponent - 3) & 7)
    }

    /// The greatest duration in a bucket: one less than the smallest in the next.
    private static func bound(_ bucket: Int) -> UInt64 {
        guard bucket >= exact else { return UInt64(bucket) }
        let exponent = (bucket - exact) / 8 + 4
        return (UInt64(bucket % 8 + 9) << (exponent - 3)) &- 1
    }
}
