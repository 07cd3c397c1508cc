import Execution
import Foundation
import Primitives

extension Lab {
    /// Foundation's `Timer`: calls its block on the thread to whose run loop it was added.
    ///
    /// A timer without a first date first fires after its interval. On Linux, Foundation's timer fires at once unless
    /// `scheduledTimer` made it.
    open class Timer: Identified, @unchecked Sendable {
        let base: Primitives.Timer

        /// - Parameters:
        ///   - date: when the timer first fires.
        ///   - interval: in seconds.
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

        /// For a timer that a loop still has, although the program has released the first object.
        private init(_ base: Primitives.Timer) { self.base = base }

        /// A weak reference to the timer's object, so that the timer's block does not keep the object alive.
        private final class Owner: @unchecked Sendable {
            weak var timer: Timer?

            func object(for base: Primitives.Timer) -> Timer { timer ?? Timer(base) }
        }

        public static func == (a: Timer, b: Timer) -> Bool { a.base === b.base }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(base)) }

        /// Calls the block now. A repeating timer keeps its plan; any other timer becomes invalid.
        open func fire() { must { try base.fire() } }

        /// Only the loop's thread may call it.
        open func invalidate() { must { try base.invalidate() } }

        open var isValid: Bool { base.isValid }

        /// The planned time of the next fire.
        open var fireDate: Date {
            get { Date(instant: base.fireDate) }
            set { must { try base.setFireDate(newValue.instant) } }
        }

        /// The interval in seconds. 0 if the timer does not repeat.
        open var timeInterval: TimeInterval { base.timeInterval / .seconds(1) }

        /// How much later than planned it may fire, in seconds, so that the loop can wake up once for several timers.
        open var tolerance: TimeInterval {
            get { base.tolerance / .seconds(1) }
            set { must { try base.setTolerance(.seconds(limited: newValue)) } }
        }

        open var userInfo: Any? { nil }
    }
}
