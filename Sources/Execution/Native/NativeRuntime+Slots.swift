import CPthread
import Trace

/// Thread-local slots: POSIX keys, whose destructors POSIX calls.
extension NativeRuntime {
    func addSlot(_ shown: ObjectKind, _ destructor: (@Sendable (AnyObject) -> Void)?) -> Int? {
        var key = pthread_key_t()
        guard pthread_key_create(&key, slotDestructor) == 0 else { return nil }
        let (id, name) = registry.declare(shown)
        recorder.declareObject(id, kind: shown, name: name)
        let slot = NativeSlot(key: key, object: id, destructor: destructor)
        registry.addSlot(slot)
        return slot.number
    }

    func value(of slot: NativeSlot) -> AnyObject? {
        guard !slot.isDeleted, let cell = pthread_getspecific(slot.key) else { return nil }
        return Unmanaged<SlotCell>.fromOpaque(cell).takeUnretainedValue().value
    }

    /// When the run is over, other threads keep nothing in its slots.
    func setValue(_ value: AnyObject?, of slot: NativeSlot) {
        _ = withKnownCaller { me in
            _ = me.slots.set(slot, value)
            me.record(.slotSet, slot.object, 0, .unknown)
        }
    }

    /// Calls the destructor of a value. POSIX has emptied the slot already.
    func destroyValue(of cell: SlotCell, _ me: NativeThread) {
        guard let value = cell.value else { return }
        cell.value = nil
        guard let destructor = cell.slot.destructor, !cell.slot.isDeleted, !hasEnded else { return }
        me.record(.slotDestroy, cell.slot.object, 0, .unknown)
        destructor(value)
    }
}

/// Called by POSIX on a thread that ends, for each of its values. The thread's last one is the thread's end for the run.
private func slotDestructor(_ address: UnsafeMutableRawPointer?) {
    guard let address, let context = ThreadContext.current, context.isNative else { return }
    let me = unsafeDowncast(context, to: NativeThread.self)
    let cell = Unmanaged<SlotCell>.fromOpaque(address).takeUnretainedValue()
    me.slots.note(cell.slot.key)
    me.native.destroyValue(of: cell, me)
    if me.slots.isDone { me.native.leave(me) }
}
