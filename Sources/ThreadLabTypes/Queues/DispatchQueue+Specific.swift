import Primitives

extension Lab {
    /// Dispatch's `DispatchSpecificKey`.
    public final class DispatchSpecificKey<Value: Sendable>: Sendable {
        let base = WorkQueue.SpecificKey<Value>()

        public init() {}
    }
}

extension Lab.DispatchQueue {
    public func setSpecific<Value>(key: Lab.DispatchSpecificKey<Value>, value: Value?) {
        base.setSpecific(key.base, value)
    }

    public func getSpecific<Value>(key: Lab.DispatchSpecificKey<Value>) -> Value? { base.getSpecific(key.base) }

    public static func getSpecific<Value>(key: Lab.DispatchSpecificKey<Value>) -> Value? {
        WorkQueue.getSpecific(key.base)
    }
}
