import Execution
import Machine
import Text
import Trace

/// A moment of the run, in nanoseconds since it began. On real threads it is monotonic time. Under the scheduler it is
/// virtual time, which stands still while any thread can continue, and then jumps to the next deadline.
public struct Instant: Comparable, Hashable, Sendable {
    package let nanoseconds: Int

    package init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

    /// Now, on the current run's clock.
    public static var now: Instant { Instant(nanoseconds: ThreadContext.runtime.now) }

    /// A moment that never comes.
    public static let distantFuture = Instant(nanoseconds: Operation.never)

    /// A moment that has passed. A wait until then only tests, and does not block.
    public static let distantPast = Instant(nanoseconds: -1)

    public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    /// The sum saturates: no duration is too long to add.
    public static func + (instant: Self, duration: Duration) -> Self {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        if overflow { return duration < .zero ? distantPast : distantFuture }
        return Instant(nanoseconds: sum)
    }

    /// The time from one moment to the other.
    public static func - (a: Self, b: Self) -> Duration {
        .nanoseconds(a.nanoseconds) - .nanoseconds(b.nanoseconds)
    }
}

extension Duration {
    /// The duration for people, in notes and messages: `1.5 s`, `6.399 ms`.
    public var readable: String { ReadableDuration.text(nanoseconds: Int64(wholeNanoseconds)) }

    /// The duration in nanoseconds, with fractions dropped, and limited to what 64 bits hold: about 292 years.
    var wholeNanoseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        return carried ? (seconds < 0 ? .min : .max) : sum
    }
}
