extension RunLoop {
    /// A named set of sources, timers, ports and observers (guide: Run Loop Modes).
    public struct Mode: Hashable, Sendable, ExpressibleByStringLiteral {
        public let name: String

        public init(_ name: String) { self.name = name }
        public init(stringLiteral name: String) { self.init(name) }

        /// The mode for most purposes.
        public static let `default`: Mode = "default"
        /// Represents every mode of the loop's common set, which includes `default`. Add sources to it; do not run in
        /// it.
        public static let common: Mode = "common"
        /// For waiting for the reply to a request (`Port.request`).
        public static let connectionReply: Mode = "connection reply"
        /// For a panel that must be answered before the program continues.
        public static let modalPanel: Mode = "modal panel"
        /// For following the mouse until its button is released.
        public static let eventTracking: Mode = "event tracking"
    }
}
