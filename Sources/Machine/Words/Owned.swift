/// One separately allocated value, which is freed with its owner.
///
/// For values that a class changes at every step: a class's variables are checked for exclusive access at each use, but
/// not the memory to which a constant of the class points.
package struct Owned<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    package let pointer: UnsafeMutablePointer<Value>

    @inlinable package init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    @inlinable deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    @inlinable @inline(always) package var pointee: Value {
        unsafeAddress { UnsafePointer(pointer) }
        nonmutating unsafeMutableAddress { pointer }
    }
}
