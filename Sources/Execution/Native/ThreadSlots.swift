import CPthread
import Trace

/// The values that one thread has in slots.
struct ThreadSlots {
    private var cells: [SlotCell] = []
    /// POSIX's present round of destructors, and the key that it called last. POSIX leaves the order open; glibc goes
    /// through the keys in ascending order, round after round (`__nptl_deallocate_tsd`), and `KeyOrderTests` hold it to
    /// that. With another order, a thread that stores in each round would seem not to end.
    private var round = 1
    private var lastKey: pthread_key_t?

    /// `PTHREAD_DESTRUCTOR_ITERATIONS`.
    private static let rounds = 4

    var isEmpty: Bool { !cells.contains { $0.isSet } }

    func value(of slot: NativeSlot) -> AnyObject? { cells.first { $0.slot === slot }?.value }

    // These functions return what they remove, for the caller to release when the slots are no longer being changed: a
    // value's `deinit` may access them.

    /// - Returns: the value before.
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

    /// What the thread has stored, in the order of first use.
    var values: [AnyObject] { cells.filter(\.isSet).compactMap(\.value) }

    /// POSIX has reached this key.
    ///
    /// - Returns: whether no destructor can come after this one at present.
    mutating func note(_ key: pthread_key_t) {
        if let lastKey, key <= lastKey { round += 1 }
        lastKey = key
    }

    /// Whether POSIX will not call another destructor.
    var isDone: Bool {
        guard round >= Self.rounds, let lastKey else { return isEmpty }
        return !cells.contains { $0.isSet && $0.slot.key > lastKey }
    }

    /// Releases all values, without destructors. What their `deinit` stores is released too; in the end, leaked.
    static func drop(from thread: NativeThread) {
        for _ in 0..<rounds where !thread.slots.cells.isEmpty { _ = thread.slots.takeAll() }
        for cell in thread.slots.takeAll() { _ = Unmanaged.passRetained(cell) }
    }

    private mutating func takeAll() -> [SlotCell] {
        for cell in cells where cell.isSet { pthread_setspecific(cell.slot.key, nil) }
        defer { cells = [] }
        return cells
    }

    /// What POSIX does when a thread ends, for the main thread that exits as a thread but does not end.
    func runDestructors(_ me: NativeThread) {
        for _ in 0..<Self.rounds {
            for cell in me.slots.cells.sorted(by: { $0.slot.key < $1.slot.key }) where cell.isSet {
                pthread_setspecific(cell.slot.key, nil)
                me.native.destroyValue(of: cell, me)
            }
        }
    }
}
