import Dispatch
import Execution
import Primitives

extension Lab {
    /// Dispatch's `DispatchSourceTimer`: a source that fires at planned times.
    public protocol DispatchSourceTimer: DispatchSourceProtocol, TimerSource {}

    private final class AnyTimerSource: TimerSource, DispatchSourceTimer, @unchecked Sendable {}

    /// A source whose events come at planned times. The plan does not drift, and leeways have no effect.
    public class TimerSource: DispatchSource, @unchecked Sendable {
        // Accessed with the mutex held.
        private var plan: Plan?
        /// The number of plans so far.
        private var plans = 0
        /// Whether a delayed block for the next time is queued.
        private var isArmed = false

        private struct Plan {
            /// Distinguishes the plan of the latest `schedule` from earlier ones, whose delayed blocks have no effect.
            let number: Int
            /// When the timer fires next.
            var next: Instant
            /// Nil: the timer fires once.
            let interval: Duration?
        }

        public func schedule(
            deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
            leeway: DispatchTimeInterval = .nanoseconds(0)
        ) {
            schedule(deadline.instant, interval.duration)
        }

        /// - Parameter interval: in seconds. Infinity: the timer fires once.
        public func schedule(
            deadline: DispatchTime, repeating interval: Double, leeway: DispatchTimeInterval = .nanoseconds(0)
        ) {
            schedule(deadline.instant, interval.isInfinite ? nil : .seconds(limited: interval))
        }

        public func schedule(
            wallDeadline: DispatchWallTime, repeating interval: DispatchTimeInterval = .never,
            leeway: DispatchTimeInterval = .nanoseconds(0)
        ) {
            schedule(deadline: wallDeadline, repeating: interval, leeway: leeway)
        }

        /// - Parameter interval: in seconds. Infinity: the timer fires once.
        public func schedule(
            wallDeadline: DispatchWallTime, repeating interval: Double,
            leeway: DispatchTimeInterval = .nanoseconds(0)
        ) {
            schedule(deadline: wallDeadline, repeating: interval, leeway: leeway)
        }

        /// The shortest interval, 1 ms. An interval of zero would fire forever at one moment of virtual time.
        private static let shortest = Duration.milliseconds(1)

        private func schedule(_ next: Instant, _ interval: Duration?) {
            locked {
                plans += 1
                plan = Plan(number: plans, next: next, interval: interval.map { max($0, Self.shortest) })
                isArmed = false
            }
            arm()
        }

        override func continueIfPossible() {
            super.continueIfPossible()
            arm()
        }

        /// Queues a delayed block for the next planned time. For a suspended timer that is done only at `resume`:
        /// otherwise virtual time would advance for a timer that must not fire.
        private func arm() {
            let next: Plan? = locked(orElse: nil) {
                guard isActivated && canDeliver && !isArmed else { return nil }
                isArmed = plan != nil
                return plan
            }
            guard let next else { return }
            must {
                try queue.base.asyncAfter(deadline: next.next) { [weak self] in self?.tick(next.number) }
            }
        }

        /// Runs on the queue, at the planned time or later: calls the handler once, with the number of planned times
        /// that have come as its data.
        private func tick(_ number: Int) {
            // The number of planned times that have come. 0: the plan has changed, or no handler may be called.
            var due: UInt = 0
            locked {
                guard let present = plan, present.number == number else { return }
                isArmed = false
                guard canDeliver else { return }
                due = 1
                if let interval = present.interval {
                    let late = Int((Instant.now - present.next) / interval)
                    due += UInt(max(0, late))
                    plan?.next = present.next + interval * Int(due)
                } else {
                    plan = nil
                }
            }
            if due > 0 { fire(due) }
            arm()
        }
    }
}

extension Lab.DispatchSource {
    /// Makes a timer, to be set by `schedule` and started by `resume`.
    ///
    /// - Parameter queue: runs the handlers. Nil: the global queue.
    public static func makeTimerSource(
        flags: TimerFlags = [], queue: Lab.DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Lab.DispatchSourceTimer {
        Lab.AnyTimerSource("timer", queue, file, line)
    }
}
