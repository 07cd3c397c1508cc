/// A count in memory that is shared with a process which runs a scenario's code, and may have been written over by it.
enum SharedCount {
    /// What a count may be: more is never reached, and so many can be added up.
    static let range = 0...1 << 48

    /// - Parameter count: as it was read.
    static func clamped(_ count: Int) -> Int { min(max(count, range.lowerBound), range.upperBound) }
}
