import CPthread
import Synchronization
import Trace

/// Thread-local slots of native runs. Each is a POSIX key, and POSIX calls the destructors.
extension NativeRuntime {
    func addSlot(_ name: String?, _ shown: ObjectKind, _ destructor: (@Sendable (AnyObject) -> Void)?) -> Int? {
        var key = pthread_key_t()
        guard pthread_key_create(&key, slotDestructor) == 0 else { return nil }
        let (id, name) = registry.declare(shown, named: name)
        recorder.declareObject(id, kind: shown, name: name)
        let slot = NativeSlot(key: key, object: id, destructor: destructor)
        registry.addSlot(slot)
        return slot.number
    }

    func value(of slot: NativeSlot) -> AnyObject? {
        guard !slot.isDeleted, let cell = pthread_getspecific(slot.key) else { return nil }
        return Unmanaged<SlotCell>.fromOpaque(cell).takeUnretainedValue().value
    }

    /// Sets the calling thread's value. A thread outside the run cannot set one.
    func setValue(_ value: AnyObject?, of slot: NativeSlot, _ site: SourceSite) {
        _ = withKnownCaller { me in
            _ = me.slots.set(slot, value)
            me.record(.slotSet, slot.object, 0, site)
        }
    }

    /// Calls the destructor of a value. POSIX has already emptied the slot.
    func destroyValue(of cell: SlotCell, _ me: NativeThread) {
        guard let value = cell.value else { return }
        cell.value = nil
        guard let destructor = cell.slot.destructor, !cell.slot.isDeleted, !hasEnded else { return }
        me.record(.slotDestroy, cell.slot.object, 0, .unknown)
        destructor(value)
    }
}

/// Called by POSIX for each value of a thread that ends. After the last call, the thread leaves the run.
private func slotDestructor(_ address: UnsafeMutableRawPointer?) {
    guard let address, let context = ThreadContext.current, context.isNative else { return }
    let me = unsafeDowncast(context, to: NativeThread.self)
    let cell = Unmanaged<SlotCell>.fromOpaque(address).takeUnretainedValue()
    me.slots.note(cell.slot.key)
    me.native.destroyValue(of: cell, me)
    if me.slots.isDone { me.native.leave(me) }
}

/// A key under which each thread has a separate value: a POSIX key.
///
/// Its address is the number of the slot in the runtime's interface. The registry keeps the object while the runtime
/// exists.
final class NativeSlot: @unchecked Sendable {
    let key: pthread_key_t
    /// The number of the slot's object in events.
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

    /// The slot with this number, which must exist.
    static func at(_ number: Int) -> NativeSlot {
        guard let address = UnsafeRawPointer(bitPattern: number) else { preconditionFailure("no slot") }
        return Unmanaged<NativeSlot>.fromOpaque(address).takeUnretainedValue()
    }

    var number: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

/// A thread's value under one key. POSIX stores the address of this cell under the key.
final class SlotCell {
    let slot: NativeSlot
    var value: AnyObject?

    init(slot: NativeSlot) { self.slot = slot }

    /// Whether POSIX will call the destructor for this value.
    var isSet: Bool { value != nil && !slot.isDeleted }
}

/// The values of a thread in the slots of its run, and how far POSIX has called their destructors.
struct ThreadSlots {
    private var cells: [SlotCell] = []
    /// The current round of destructors, and the last key whose destructor POSIX has called. POSIX does not specify
    /// their order. glibc visits the keys in ascending order in each round (`__nptl_deallocate_tsd`), and
    /// `KeyOrderTests` check that: in another order, a thread that stores values in each round would not be seen to
    /// end.
    private var round = 1
    private var lastKey: pthread_key_t?

    /// The number of rounds of destructors (`PTHREAD_DESTRUCTOR_ITERATIONS`).
    private static let rounds = 4

    var isEmpty: Bool { !cells.contains { $0.isSet } }

    func value(of slot: NativeSlot) -> AnyObject? { cells.first { $0.slot === slot }?.value }

    // `set` and `takeAll` return the values that they remove, and the caller releases them afterwards: the `deinit` of
    // a value may access the slots again.

    /// Sets a value, also for POSIX.
    ///
    /// - Returns: the previous value.
    mutating func set(_ slot: NativeSlot, _ value: AnyObject?) -> AnyObject? {
        let cell: SlotCell
        if let known = cells.first(where: { $0.slot === slot }) {
            cell = known
        } else {
            cell = SlotCell(slot: slot)
            cells.append(cell)
        }
        let old = cell.value
        cell.value = value
        guard !slot.isDeleted else { return old }
        let address = value == nil ? nil : Unmanaged.passUnretained(cell).toOpaque()
        check(pthread_setspecific(slot.key, address), "pthread_setspecific")
        return old
    }

    /// The thread's values, in the order of first use.
    var values: [AnyObject] { cells.filter(\.isSet).compactMap(\.value) }

    /// Notes that POSIX has called the destructor of this key.
    mutating func note(_ key: pthread_key_t) {
        if let lastKey, key <= lastKey { round += 1 }
        lastKey = key
    }

    /// Whether POSIX will call no further destructor for the thread.
    var isDone: Bool {
        guard round >= Self.rounds, let lastKey else { return isEmpty }
        return !cells.contains { $0.isSet && $0.slot.key > lastKey }
    }

    /// Releases all values without calling destructors. If a `deinit` stores values again, these are released too;
    /// after a few rounds they are leaked.
    static func drop(from thread: NativeThread) {
        for _ in 0..<rounds where !thread.slots.cells.isEmpty { _ = thread.slots.takeAll() }
        for cell in thread.slots.takeAll() { _ = Unmanaged.passRetained(cell) }
    }

    private mutating func takeAll() -> [SlotCell] {
        for cell in cells where cell.isSet { pthread_setspecific(cell.slot.key, nil) }
        defer { cells = [] }
        return cells
    }

    /// Calls destructors as POSIX does at the end of a thread: for a main thread that exits as a thread and then waits
    /// for the end of the others.
    func runDestructors(_ me: NativeThread) {
        for _ in 0..<Self.rounds {
            for cell in me.slots.cells.sorted(by: { $0.slot.key < $1.slot.key }) where cell.isSet {
                pthread_setspecific(cell.slot.key, nil)
                me.native.destroyValue(of: cell, me)
            }
        }
    }
}
