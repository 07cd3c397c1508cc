import Primitives

extension Lab {
    /// Dispatch's `DispatchSpecificKey`: a key under which queues store a value.
    public final class DispatchSpecificKey<Value>: @unchecked Sendable {
        /// Dispatch does not require values to be sendable.
        struct Unchecked: @unchecked Sendable {
            let value: Value
        }

        let base = WorkQueue.SpecificKey<Unchecked>()

        public init() {}
    }
}

extension Lab.DispatchQueue {
    public func setSpecific<Value>(key: Lab.DispatchSpecificKey<Value>, value: Value?) {
        base.setSpecific(key.base, value.map { .init(value: $0) })
    }

    public func getSpecific<Value>(key: Lab.DispatchSpecificKey<Value>) -> Value? {
        base.getSpecific(key.base)?.value
    }

    public static func getSpecific<Value>(key: Lab.DispatchSpecificKey<Value>) -> Value? {
        WorkQueue.getSpecific(key.base)?.value
    }
}
