import Execution
import Foundation
import Primitives

extension Lab {
    /// Foundation's `Timer`: it calls its block on the thread whose run loop it was added to.
    ///
    /// It fires first after its interval. On Linux, Foundation's fires at once when it was not made by
    /// `scheduledTimer`.
    open class Timer: Identified, @unchecked Sendable {
        let base: Primitives.Timer

        /// - Parameter interval: in seconds.
        @preconcurrency
        public init(
            fire date: Date, interval: TimeInterval, repeats: Bool, file: StaticString = #fileID, line: UInt = #line,
            block: @escaping @Sendable (Timer) -> Void
        ) {
            let owner = Owner()
            base = Primitives.Timer(
                fire: date.instant, interval: .seconds(limited: interval), repeats: repeats, file: file, line: line
            ) { timer in block(owner.object(for: timer)) }
            owner.timer = self
        }

        /// - Parameter interval: in seconds.
        @preconcurrency
        public convenience init(
            timeInterval interval: TimeInterval, repeats: Bool, file: StaticString = #fileID, line: UInt = #line,
            block: @escaping @Sendable (Timer) -> Void
        ) {
            self.init(
                fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: repeats, file: file,
                line: line, block: block)
        }

        /// Makes a timer and adds it to the calling thread's loop.
        ///
        /// - Parameter interval: in seconds.
        @preconcurrency @discardableResult
        public static func scheduledTimer(
            withTimeInterval interval: TimeInterval, repeats: Bool, file: StaticString = #fileID, line: UInt = #line,
            block: @escaping @Sendable (Timer) -> Void
        ) -> Timer {
            let timer = Timer(timeInterval: interval, repeats: repeats, file: file, line: line, block: block)
            RunLoop.current.add(timer, forMode: .default, file: file, line: line)
            return timer
        }

        /// For a timer whose object the program has given up while a loop has the timer.
        private init(_ base: Primitives.Timer) { self.base = base }

        /// The timer's object, which does not belong to the timer's block.
        private final class Owner: @unchecked Sendable {
            weak var timer: Timer?

            func object(for base: Primitives.Timer) -> Timer { timer ?? Timer(base) }
        }

        public static func == (a: Timer, b: Timer) -> Bool { a.base === b.base }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(base)) }

        /// Calls the block now. The plan of a repeating timer stays as it is; another timer is invalid afterwards.
        open func fire() { must { try base.fire() } }

        /// Only the thread of the loop may call it.
        open func invalidate() { must { try base.invalidate() } }

        open var isValid: Bool { base.isValid }

        /// The next time at which it fires, as planned.
        open var fireDate: Date {
            get { Date(instant: base.fireDate) }
            set { must { try base.setFireDate(newValue.instant) } }
        }

        /// In seconds. 0 if it does not repeat.
        open var timeInterval: TimeInterval { base.timeInterval / .seconds(1) }

        /// In seconds: how much later it may fire, so that the loop wakes up once for several timers.
        open var tolerance: TimeInterval {
            get { base.tolerance / .seconds(1) }
            set { must { try base.setTolerance(.seconds(limited: newValue)) } }
        }

        open var userInfo: Any? { nil }
    }
}
