import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchSemaphore`: a number of permits.
    public final class DispatchSemaphore: Sendable {
        private let base: Primitives.Semaphore

        public init(value: Int, file: StaticString = #fileID, line: UInt = #line) {
            base = mustMake { try Primitives.Semaphore(value: value, file: file, line: line) }
        }

        // Versions without `file` and `line`, for code that passes these functions by name.

        @_disfavoredOverload
        public func wait() { wait(file: #fileID, line: #line) }

        @_disfavoredOverload @discardableResult
        public func signal() -> Int { signal(file: #fileID, line: #line) }

        public func wait(file: StaticString = #fileID, line: UInt = #line) {
            must { try base.wait(file: file, line: line) }
        }

        public func wait(
            timeout: DispatchTime, file: StaticString = #fileID, line: UInt = #line
        ) -> DispatchTimeoutResult {
            must(orElse: false) { try base.wait(until: timeout.instant, file: file, line: line) } ? .success : .timedOut
        }

        public func wait(
            wallTimeout: DispatchWallTime, file: StaticString = #fileID, line: UInt = #line
        ) -> DispatchTimeoutResult {
            wait(timeout: wallTimeout, file: file, line: line)
        }

        /// - Returns: 0. In Dispatch the result tells whether a thread was woken, on which no code should rely.
        @discardableResult
        public func signal(file: StaticString = #fileID, line: UInt = #line) -> Int {
            must { try base.signal(file: file, line: line) }
            return 0
        }
    }
}
