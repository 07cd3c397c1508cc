import CPthread
import Synchronization
import Trace

/// A key under which each thread has a separate value: a POSIX key.
///
/// Its address is its number in the runtime's interface. The registry keeps it as long as the runtime lives.
final class NativeSlot: @unchecked Sendable {
    let key: pthread_key_t
    /// The object's number in events.
    let object: UInt32
    let destructor: (@Sendable (AnyObject) -> Void)?
    private let isDeletedFlag = Atomic(false)

    init(key: pthread_key_t, object: UInt32, destructor: (@Sendable (AnyObject) -> Void)?) {
        self.key = key
        self.object = object
        self.destructor = destructor
    }

    deinit { delete() }

    var isDeleted: Bool { isDeletedFlag.load(ordering: .acquiring) }

    func delete() {
        if isDeletedFlag.exchange(true, ordering: .acquiringAndReleasing) { return }
        check(pthread_key_delete(key), "pthread_key_delete")
    }

    static func at(_ number: Int) -> NativeSlot {
        guard let address = UnsafeRawPointer(bitPattern: number) else { preconditionFailure("no slot") }
        return Unmanaged<NativeSlot>.fromOpaque(address).takeUnretainedValue()
    }

    var number: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

/// One thread's value under one key. POSIX stores this cell's address under the key.
final class SlotCell {
    let slot: NativeSlot
    var value: AnyObject?

    init(slot: NativeSlot) { self.slot = slot }

    /// Whether POSIX will call the destructor for it.
    var isSet: Bool { value != nil && !slot.isDeleted }
}
