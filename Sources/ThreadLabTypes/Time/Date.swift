import Dispatch
import Glibc
import Primitives

extension Lab {
    /// Foundation's `Date`, for waits and expiry, on the clock of the run. Under the scheduler that time is virtual,
    /// and by default passes only when no thread can continue (`RunRules.timeouts`). The reference date is the
    /// beginning of the run.
    public struct Date: Comparable, Hashable, Strideable, Codable, CustomStringConvertible, Sendable {
        public typealias TimeInterval = Double

        let instant: Instant

        init(instant: Instant) { self.instant = instant }

        public init() { self.init(instant: .now) }

        public init(timeIntervalSinceNow seconds: TimeInterval) {
            self.init(instant: .now + .seconds(limited: seconds))
        }

        public init(timeIntervalSinceReferenceDate seconds: TimeInterval) {
            self.init(instant: Instant(nanoseconds: 0) + .seconds(limited: seconds))
        }

        public init(timeIntervalSince1970 seconds: TimeInterval) {
            self.init(timeIntervalSinceReferenceDate: seconds - Self.timeIntervalBetween1970AndReferenceDate)
        }

        public init(timeInterval seconds: TimeInterval, since date: Date) {
            self.init(instant: date.instant + .seconds(limited: seconds))
        }

        public static var now: Date { Date() }
        public static let distantFuture = Date(instant: .distantFuture)
        public static let distantPast = Date(instant: .distantPast)

        public static func < (a: Date, b: Date) -> Bool { a.instant < b.instant }

        /// The time from the other date to this one, in seconds.
        public func timeIntervalSince(_ other: Date) -> TimeInterval { (instant - other.instant) / .seconds(1) }

        public var timeIntervalSinceNow: TimeInterval { timeIntervalSince(Date()) }

        public static let timeIntervalBetween1970AndReferenceDate = 978_307_200.0
        public var timeIntervalSinceReferenceDate: TimeInterval {
            timeIntervalSince(Date(instant: Instant(nanoseconds: 0)))
        }
        public static var timeIntervalSinceReferenceDate: TimeInterval { Date().timeIntervalSinceReferenceDate }
        public var timeIntervalSince1970: TimeInterval {
            timeIntervalSinceReferenceDate + Self.timeIntervalBetween1970AndReferenceDate
        }

        public func distance(to other: Date) -> TimeInterval { other.timeIntervalSince(self) }
        public func advanced(by seconds: TimeInterval) -> Date { addingTimeInterval(seconds) }
        public mutating func addTimeInterval(_ seconds: TimeInterval) { self += seconds }

        public func addingTimeInterval(_ seconds: TimeInterval) -> Date { Date(timeInterval: seconds, since: self) }

        public static func + (date: Date, seconds: TimeInterval) -> Date { date.addingTimeInterval(seconds) }
        public static func - (date: Date, seconds: TimeInterval) -> Date { date.addingTimeInterval(-seconds) }
        public static func += (date: inout Date, seconds: TimeInterval) { date = date + seconds }
        public static func -= (date: inout Date, seconds: TimeInterval) { date = date - seconds }

        public var description: String { "\(timeIntervalSinceReferenceDate) s" }

        public init(from decoder: any Decoder) throws {
            self.init(timeIntervalSinceReferenceDate: try decoder.singleValueContainer().decode(TimeInterval.self))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(timeIntervalSinceReferenceDate)
        }
    }
}

extension Duration {
    /// The duration, limited to 285 years in either direction, so that it fits into 64 bits of nanoseconds. NaN becomes
    /// zero.
    static func seconds(limited seconds: Double) -> Duration {
        let most = 9_000_000_000.0
        return seconds.isNaN ? .zero : .nanoseconds(Int64(min(max(seconds, -most), most) * 1_000_000_000))
    }
}

extension Lab {
    /// Dispatch's `DispatchTime`, on the clock of the run (see `Lab.Date`).
    public struct DispatchTime: Comparable, Sendable {
        let instant: Instant

        public static func now() -> DispatchTime { DispatchTime(instant: .now) }
        public static let distantFuture = DispatchTime(instant: .distantFuture)

        /// - Parameter uptimeNanoseconds: the nanoseconds since the beginning of the run.
        public init(uptimeNanoseconds: UInt64) {
            instant = Instant(nanoseconds: Int(clamping: uptimeNanoseconds))
        }

        /// A time read by this package's `clock_gettime`, which counts from 1970. The run begins at the reference date
        /// (2001), so that offset is subtracted.
        public init(timespec: timespec) {
            let seconds = Double(timespec.tv_sec) - Date.timeIntervalBetween1970AndReferenceDate
            self.init(instant: Instant(nanoseconds: 0) + .seconds(limited: seconds) + .nanoseconds(timespec.tv_nsec))
        }

        init(instant: Instant) { self.instant = instant }

        public var uptimeNanoseconds: UInt64 { UInt64(clamping: instant.nanoseconds) }

        public static func < (a: DispatchTime, b: DispatchTime) -> Bool { a.instant < b.instant }

        public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
            DispatchTime(instant: time.instant + .seconds(limited: seconds))
        }

        public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
            DispatchTime(instant: interval.duration.map { time.instant + $0 } ?? .distantFuture)
        }

        public static func - (time: DispatchTime, seconds: Double) -> DispatchTime { time + -seconds }

        /// Subtracting `.never` also yields the distant future.
        public static func - (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
            DispatchTime(instant: interval.duration.map { time.instant + (.zero - $0) } ?? .distantFuture)
        }

        public func distance(to other: DispatchTime) -> DispatchTimeInterval {
            .nanoseconds(other.instant.nanoseconds - instant.nanoseconds)
        }

        public func advanced(by interval: DispatchTimeInterval) -> DispatchTime { self + interval }
    }

    /// Dispatch's `DispatchWallTime`. A run has only one clock.
    public typealias DispatchWallTime = DispatchTime
}

extension DispatchTimeInterval {
    /// The duration. Nil: forever.
    var duration: Duration? {
        switch self {
        case .seconds(let count): .seconds(count)
        case .milliseconds(let count): .milliseconds(count)
        case .microseconds(let count): .microseconds(count)
        case .nanoseconds(let count): .nanoseconds(count)
        case .never: nil
        @unknown default: nil
        }
    }
}
