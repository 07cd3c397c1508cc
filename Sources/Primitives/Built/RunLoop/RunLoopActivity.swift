extension RunLoop {
    /// The points of a run at which observers are called (guide: Run Loop Observers).
    public struct Activity: OptionSet, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The run begins.
        public static let entry = Activity(rawValue: 1 << 0)
        /// The loop is about to process timers.
        public static let beforeTimers = Activity(rawValue: 1 << 1)
        /// The loop is about to process input sources that are not ports.
        public static let beforeSources = Activity(rawValue: 1 << 2)
        /// The loop is about to sleep.
        public static let beforeWaiting = Activity(rawValue: 1 << 3)
        /// The loop has woken up, and not processed yet what woke it.
        public static let afterWaiting = Activity(rawValue: 1 << 4)
        /// The run ends.
        public static let exit = Activity(rawValue: 1 << 5)
        public static let all: Activity = [.entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit]

        private static let names = [
            "entry", "before timers", "before sources", "before waiting", "after waiting", "exit",
        ]

        public var description: String {
            Self.names.indices.filter { contains(Self(rawValue: 1 << $0)) }.map { Self.names[$0] }.joined(
                separator: ", ")
        }
    }
}
