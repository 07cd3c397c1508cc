/// State of a built primitive that only the holder of its lock touches. The lock is the primitive's business.
final class Guarded<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
}
