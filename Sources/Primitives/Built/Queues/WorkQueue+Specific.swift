import Execution

extension WorkQueue {
    /// A key for data of queues.
    public final class SpecificKey<Value: Sendable>: Sendable {
        public init() {}
    }

    /// Stores a value for the queue under the key, or removes it.
    public func setSpecific<Value>(_ key: SpecificKey<Value>, _ value: Value?) {
        level.specifics.withLock { $0[ObjectIdentifier(key)] = value }
    }

    /// The queue's own value.
    public func getSpecific<Value>(_ key: SpecificKey<Value>) -> Value? { level.specific(key) }

    /// The value of the queue whose block the calling thread runs: the innermost one, if there are several. If it has
    /// none, that of its target, and so on.
    ///
    /// It does not say which queues the thread holds: a block that was called by `sync` from another queue's block holds
    /// that one too.
    public static func getSpecific<Value>(_ key: SpecificKey<Value>) -> Value? {
        var level = QueueLevel.current
        while let present = level {
            if let value = present.specific(key) { return value }
            level = present.target
        }
        return nil
    }
}

extension QueueLevel {
    fileprivate func specific<Value>(_ key: WorkQueue.SpecificKey<Value>) -> Value? {
        specifics.withLock { $0[ObjectIdentifier(key)] as? Value }
    }
}
