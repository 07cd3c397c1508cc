/// One separately allocated value, which is freed with its owner.
///
/// For values that a class changes at every step: variables of a class are checked for exclusive access at each use;
/// memory that a constant of the class points to is not.
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
