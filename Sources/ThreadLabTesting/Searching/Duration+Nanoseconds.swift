import Text

extension Duration {
    /// At least 0 and at most some centuries.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 { return 0 }
        let (whole, isTooMuch) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooMuch
            ? .max : whole.addingReportingOverflow(UInt64(max(0, attoseconds) / 1_000_000_000)).partialValue
    }
}

extension UInt64 {
    /// Nanoseconds as people write them.
    var readable: String { ReadableDuration.text(nanoseconds: Int64(clamping: self)) }
}
