import Foundation

// What Foundation can do with a date other than waiting, by way of Foundation's `Date`. The beginning of the run is
// mapped to Foundation's reference date, so a date has the same text in each execution.
extension Lab.Date {
    public init(_ date: Foundation.Date) {
        self.init(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    }

    public func compare(_ other: Lab.Date) -> ComparisonResult {
        if self == other { return .orderedSame }
        return self < other ? .orderedAscending : .orderedDescending
    }

    public func description(with locale: Locale?) -> String { Foundation.Date(self).description(with: locale) }

    public func formatted() -> String { Foundation.Date(self).formatted() }

    public func formatted(
        date: Foundation.Date.FormatStyle.DateStyle, time: Foundation.Date.FormatStyle.TimeStyle
    ) -> String {
        Foundation.Date(self).formatted(date: date, time: time)
    }

    public func formatted<Style: Foundation.FormatStyle>(_ style: Style) -> Style.FormatOutput
    where Style.FormatInput == Foundation.Date {
        Foundation.Date(self).formatted(style)
    }
}

extension Foundation.Date {
    /// The date that is as long after Foundation's reference date, the first of January 2001, as this one is after the
    /// beginning of the run.
    public init(_ date: Lab.Date) {
        self.init(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    }
}

extension DateFormatter {
    public func string(from date: Lab.Date) -> String { string(from: Foundation.Date(date)) }
}

extension ISO8601DateFormatter {
    public func string(from date: Lab.Date) -> String { string(from: Foundation.Date(date)) }
}
