import Machine

/// State of a built primitive that only the holder of its lock accesses. The primitive is responsible for the locking,
/// so an access is not checked for being exclusive, as one to a variable of a class would be.
final class Guarded<Value>: @unchecked Sendable {
    private let memory: Owned<Value>

    init(_ value: Value) { memory = Owned(value) }

    var value: Value {
        @inline(__always) unsafeAddress { UnsafePointer(memory.pointer) }
        @inline(__always) unsafeMutableAddress { memory.pointer }
    }
}
