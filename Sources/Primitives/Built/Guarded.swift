/// State of a built primitive that only the holder of its lock accesses. The primitive is responsible for the locking.
final class Guarded<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
}
