/// Arithmetic for numbers that files contain, such as the times of a trace: they may be as large as their type allows.
extension FixedWidthInteger {
    /// The sum, or the greatest (least) number if the sum is beyond it.
    package func added(saturating other: Self) -> Self {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .min : .max) : sum
    }

    /// The product, or the greatest (least) number if the product is beyond it.
    package func multiplied(saturating other: Self) -> Self {
        let (product, isBeyond) = multipliedReportingOverflow(by: other)
        return isBeyond ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
