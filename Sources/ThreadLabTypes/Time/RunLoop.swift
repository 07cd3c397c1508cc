import Foundation
import Primitives

extension Lab {
    /// Foundation's `RunLoop`, for timers and blocks. Ports cannot be added.
    public final class RunLoop: Identified, Sendable {
        public struct Mode: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(_ rawValue: String) { self.rawValue = rawValue }
            public init(rawValue: String) { self.rawValue = rawValue }

            public static let `default` = Mode("kCFRunLoopDefaultMode")
            public static let common = Mode("kCFRunLoopCommonModes")

            fileprivate var primitive: Primitives.RunLoop.Mode {
                if self == .default { return .default }
                return self == .common ? .common : Primitives.RunLoop.Mode(rawValue)
            }

            fileprivate init(_ mode: Primitives.RunLoop.Mode) {
                self = mode == .default ? .default : Mode(mode.name)
            }
        }

        private let base: Primitives.RunLoop

        private init(_ base: Primitives.RunLoop) { self.base = base }

        /// The calling thread's loop.
        public static var current: RunLoop { RunLoop(.current) }

        /// The main thread's loop. The main thread must use it first.
        public static var main: RunLoop { RunLoop(must(orElse: .current) { try .main }) }

        /// Two objects for the same loop are equal, but not identical.
        public static func == (a: RunLoop, b: RunLoop) -> Bool { a.base === b.base }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(base)) }

        /// The mode in which the loop runs. Nil: it does not run.
        public var currentMode: Mode? { base.currentMode.map { Mode($0) } }

        public func add(
            _ timer: Timer, forMode mode: Mode, file: StaticString = #fileID, line: UInt = #line
        ) {
            must { try base.add(timer.base, to: mode.primitive, file: file, line: line) }
        }

        /// When a run in this mode has something to do at the latest: the time of the next timer. Nil: it has nothing
        /// to watch.
        public func limitDate(forMode mode: Mode) -> Date? {
            must(orElse: nil) { try base.limitDate(in: mode.primitive) }.map { Date(instant: $0) }
        }

        // MARK: - Running

        /// Runs in the default mode, until there is nothing to watch. On the main thread it runs forever.
        public func run(file: StaticString = #fileID, line: UInt = #line) {
            run(until: .distantFuture, file: file, line: line)
        }

        public func run(until limit: Date, file: StaticString = #fileID, line: UInt = #line) {
            must {
                try keepingMainAlive(in: .default) { try base.run(until: limit.instant, file: file, line: line) }
            }
        }

        /// Runs until something other than a timer was handled, or the time has passed.
        ///
        /// - Returns: false if there was nothing to watch.
        @discardableResult
        public func run(
            mode: Mode, before limit: Date, file: StaticString = #fileID, line: UInt = #line
        ) -> Bool {
            must(orElse: false) {
                try keepingMainAlive(in: mode.primitive) {
                    try base.run(mode: mode.primitive, until: limit.instant, file: file, line: line) != .finished
                }
            }
        }

        /// Runs the body while the main thread's loop has something to watch: a timer that never fires stands for the
        /// main queue, which that loop always watches.
        private func keepingMainAlive<Result>(
            in mode: Primitives.RunLoop.Mode, _ body: () throws -> Result
        ) throws -> Result {
            guard base.isMain else { return try body() }
            let timer = Primitives.Timer(fire: .distantFuture) { _ in }
            try base.add(timer, to: mode)
            let result = try body()
            try timer.invalidate()
            return result
        }

        public func acceptInput(
            forMode mode: Mode, before limit: Date, file: StaticString = #fileID, line: UInt = #line
        ) {
            run(mode: mode, before: limit, file: file, line: line)
        }

        // MARK: - From any thread

        /// Lets the loop's thread run the block when it runs the loop in the default mode.
        @preconcurrency
        public func perform(
            file: StaticString = #fileID, line: UInt = #line, _ block: @escaping @Sendable () -> Void
        ) {
            perform(inModes: [.default], file: file, line: line, block: block)
        }

        @preconcurrency
        public func perform(
            inModes modes: [Mode], file: StaticString = #fileID, line: UInt = #line,
            block: @escaping @Sendable () -> Void
        ) {
            must { try base.perform(inModes: modes.map(\.primitive), file: file, line: line) { block() } }
        }
    }
}
