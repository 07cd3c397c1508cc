import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchTime`, on the clock of the run: see `Lab.Date`.
    public struct DispatchTime: Comparable, Sendable {
        let instant: Instant

        public static func now() -> DispatchTime { DispatchTime(instant: .now) }
        public static let distantFuture = DispatchTime(instant: .distantFuture)

        /// - Parameter uptimeNanoseconds: since the beginning of the run.
        public init(uptimeNanoseconds: UInt64) {
            instant = Instant(nanoseconds: Int(clamping: uptimeNanoseconds))
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

        /// Never is distant in both directions.
        public static func - (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
            DispatchTime(instant: interval.duration.map { time.instant + (.zero - $0) } ?? .distantFuture)
        }

        public func distance(to other: DispatchTime) -> DispatchTimeInterval {
            .nanoseconds(other.instant.nanoseconds - instant.nanoseconds)
        }

        public func advanced(by interval: DispatchTimeInterval) -> DispatchTime { self + interval }
    }

    /// Dispatch's `DispatchWallTime`. A run has one clock.
    public typealias DispatchWallTime = DispatchTime
}

extension DispatchTimeInterval {
    /// Nil: forever.
    fileprivate var duration: Duration? {
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
