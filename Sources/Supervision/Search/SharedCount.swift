/// A count in memory shared with a process that runs a scenario's code, which may have overwritten it.
enum SharedCount {
    /// The maximum count: more is never reached, and counts up to it can be added up.
    static let range = 0...1 << 48

    /// - Parameter count: the count as read from memory.
    static func clamped(_ count: Int) -> Int { min(max(count, range.lowerBound), range.upperBound) }
}
