import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchTime`, on the clock of the run: see `Lab.Date`.
    public struct DispatchTime: Comparable, Sendable {
        let instant: Instant

        public static func now() -> DispatchTime { DispatchTime(instant: .now) }
        public static let distantFuture = DispatchTime(instant: .distantFuture)

        public static func < (a: DispatchTime, b: DispatchTime) -> Bool { a.instant < b.instant }

        public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
            DispatchTime(instant: time.instant + .seconds(limited: seconds))
        }

        public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
            DispatchTime(instant: interval.duration.map { time.instant + $0 } ?? .distantFuture)
        }
    }
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
