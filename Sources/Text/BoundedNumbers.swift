/// Saturating arithmetic for numbers that come from files, such as the times of a trace: any value of the type may
/// occur in one, and overflow must not trap.
extension FixedWidthInteger {
    /// The sum. If it overflows, the nearest number of the type: `max` or `min`.
    package func added(saturating other: Self) -> Self {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .min : .max) : sum
    }

    /// The product. If it overflows, the nearest number of the type: `max` or `min`.
    package func multiplied(saturating other: Self) -> Self {
        let (product, isBeyond) = multipliedReportingOverflow(by: other)
        return isBeyond ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
