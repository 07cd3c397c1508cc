import CLab
import CPthread
import Glibc
import Machine
import Synchronization
import Trace

/// Operations on atomics, cells, record files and fences in native runs.
extension NativeRuntime {
    /// Performs an operation on memory, or reads a semaphore's value. Returns its result.
    func access(_ storage: NativeStorage, _ operation: Operation, _ me: NativeThread, _ site: SourceSite) -> Int {
        if operation.kind == .load { return load(storage, operation.orders.order, me, site) }
        if operation.kind == .semaphoreValue { return value(of: storage) }
        if operation.kind == .read {
            // An access of a list has the number of a text.
            if operation.a != 0 { return me.record(.listRead, storage.id, site, reading: { operation.a }) }
            return me.record(.cellRead, storage.id, site, reading: { storage.word.pointee })
        }
        if operation.kind == .write {
            if operation.b != 0 { return me.record(.listWrite, storage.id, site, writing: { operation.b }) }
            _ = me.record(
                .cellWrite, storage.id, site,
                writing: {
                    storage.word.pointee = operation.a
                    return operation.a
                })
            return 0
        }
        if operation.kind == .append {
            return me.record(
                .fileAppend, storage.id, site,
                writing: { storage.atomic.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue })
        }
        if operation.kind == .store {
            // The store is an exchange, because the old value shows its place in the order of all writes. On x86-64, a
            // sequentially consistent store is an exchange anyway.
            _ = me.record(
                .atomicStore, storage.id, site, order: operation.orders.order,
                updating: { Self.update(storage.atomic, operation) })
            return 0
        }
        // A weak compare-exchange may fail spuriously, but never does here.
        if operation.kind.change == .compareExchange {
            return me.record(
                storage.id, site, to: operation.b, orders: operation.orders,
                comparing: {
                    let (done, old) = storage.atomic.pointee.compareExchange(
                        expected: operation.a, desired: operation.b, ordering: .sequentiallyConsistent)
                    return (done, old)
                })
        }
        return me.record(
            .atomicUpdate, storage.id, site, order: operation.orders.order,
            updating: { Self.update(storage.atomic, operation) })
    }

    func fence(_ order: MemoryOrder, _ me: NativeThread, _ site: SourceSite) -> Int {
        switch order {
        case .relaxed: break
        case .acquire: atomicMemoryFence(ordering: .acquiring)
        case .release: atomicMemoryFence(ordering: .releasing)
        case .acqRel: atomicMemoryFence(ordering: .acquiringAndReleasing)
        case .seqcst: atomicMemoryFence(ordering: .sequentiallyConsistent)
        }
        me.record(.fence, 0, Int(order.rawValue), site)
        return 0
    }

    @inline(__always)
    func load(
        _ storage: NativeStorage, _ order: MemoryOrder, _ me: NativeThread, _ site: SourceSite
    ) -> Int {
        me.record(
            .atomicLoad, storage.id, site, order: order,
            reading: { storage.atomic.pointee.load(ordering: .sequentiallyConsistent) })
    }

    /// Changes the word as the operation says. Every update is sequentially consistent here, whatever order it asks
    /// for.
    @inline(__always)
    private static func update(
        _ word: UnsafeMutablePointer<Atomic<Int>>, _ operation: Operation
    ) -> (old: Int, new: Int) {
        let values: (oldValue: Int, newValue: Int)
        switch operation.kind.change {
        case .add where operation.b == Operation.narrow: values = addNarrow(word, operation)
        case .add: values = word.pointee.wrappingAdd(operation.a, ordering: .sequentiallyConsistent)
        case .bitAnd: values = word.pointee.bitwiseAnd(operation.a, ordering: .sequentiallyConsistent)
        case .bitOr: values = word.pointee.bitwiseOr(operation.a, ordering: .sequentiallyConsistent)
        case .bitXor: values = word.pointee.bitwiseXor(operation.a, ordering: .sequentiallyConsistent)
        case .store, .compareExchange, .none:
            values = (word.pointee.exchange(operation.a, ordering: .sequentiallyConsistent), operation.a)
        }
        return (values.oldValue, values.newValue)
    }

    /// Adds in 32 bits. The word has 64 bits, so the hardware's addition would not wrap around.
    @inline(never)
    private static func addNarrow(
        _ word: UnsafeMutablePointer<Atomic<Int>>, _ operation: Operation
    ) -> (oldValue: Int, newValue: Int) {
        var old = word.pointee.load(ordering: .relaxed)
        while let new = operation.word(after: old) {
            let result = word.pointee.weakCompareExchange(
                expected: old, desired: new, ordering: .sequentiallyConsistent)
            if result.exchanged { return (old, new) }
            old = result.original
        }
        return (old, old)
    }
}

/// Memory that is read without an operation: by `await`, by spin locks, and from outside the program.
extension NativeRuntime {
    func siteOfText(_ name: String, _ line: Int) -> SourceSite {
        recorder.site(inFileNamed: recorder.text(name), line: line)
    }

    /// The value of a cell, an atomic or a semaphore: see `Runtime.word`.
    func currentWord(of object: RuntimeObject) -> Int {
        let storage = NativeStorage(object)
        return storage.kind == .semaphore
            ? value(of: storage) : storage.atomic.pointee.load(ordering: .sequentiallyConsistent)
    }

    /// The longest pause of an `await` between two checks, in microseconds. `DeadlockWatch` relies on it.
    private static var longestNap: UInt32 { 20_000 }

    /// Waits until something has changed. Nothing announces a write to memory, so this checks often at first, and then
    /// less often.
    func poll(_ object: RuntimeObject, _ site: SourceSite, _ hasChanged: () -> Bool) throws {
        if hasChanged() { return }
        caller.record(.memoryWait, object.id, 0, site)
        try checkRepeatedly(until: hasChanged)
    }

    /// The number of checks that are separated only by a yield, and then the first pause, in microseconds.
    private static var quickChecks: UInt32 { 50 }

    /// Checks until something has changed: first without pauses, and then after pauses that grow by half each time.
    private func checkRepeatedly(until hasChanged: () -> Bool) throws {
        var pause: UInt32 = 0
        while !hasChanged() {
            try checkRunning()
            if pause < Self.quickChecks { sched_yield() } else { usleep(pause) }
            pause = pause < Self.quickChecks ? pause + 1 : min(Self.longestNap, pause + pause / 2)
        }
    }

    /// How long a thread spins before it waits like an `await`, in nanoseconds. So a run whose threads spin forever
    /// ends like a deadlocked run, and does not occupy the machine.
    private static var longestSpin: Int { 100_000_000 }

    /// Waits until something has changed, and keeps the processor busy, with a pause instruction between checks.
    func spin(_ object: RuntimeObject, _ site: SourceSite, _ hasChanged: () -> Bool) throws {
        if spinsBriefly(until: hasChanged) { return }
        caller.record(.memorySpin, object.id, 0, site)
        let end = now + Self.longestSpin
        while now < end {
            try checkRunning()
            if spinsBriefly(until: hasChanged) { return }
        }
        try checkRepeatedly(until: hasChanged)
    }

    /// Spins for about ten microseconds.
    ///
    /// - Returns: whether something has changed.
    private func spinsBriefly(until hasChanged: () -> Bool) -> Bool {
        for _ in 0..<1000 {
            if hasChanged() { return true }
            clab_pause()
        }
        return false
    }
}
