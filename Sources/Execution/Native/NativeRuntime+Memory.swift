import CPthread
import Glibc
import Machine
import Synchronization
import Trace

/// Atomic and plain memory.
extension NativeRuntime {
    func access(_ storage: NativeStorage, _ operation: Operation, _ me: NativeThread, _ site: SourceSite) -> Int {
        let id = storage.id
        switch operation.kind {
        case .read:
            let value = storage.word.pointee
            me.record(.cellRead, id, value, site)
            return value
        case .write:
            me.record(.cellWrite, id, operation.a, site)
            storage.word.pointee = operation.a
            return 0
        case .load:
            let value = storage.atomic.pointee.load(ordering: .sequentiallyConsistent)
            me.record(.atomicLoad, id, value, site)
            return value
        case .store:
            // Recorded before, so that whoever loads the value does so later by the clock too.
            me.record(.atomicStore, id, operation.a, site)
            storage.atomic.pointee.store(operation.a, ordering: .sequentiallyConsistent)
            return 0
        case .append:
            let count = storage.atomic.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
            me.record(.fileAppend, id, count, site)
            return count
        case .semaphoreValue: return value(of: storage)
        default: return update(storage, operation, me, site)
        }
    }

    /// - Returns: the value before.
    private func update(
        _ storage: NativeStorage, _ operation: Operation, _ me: NativeThread, _ site: SourceSite
    ) -> Int {
        let word = storage.atomic
        let values: (oldValue: Int, newValue: Int)
        switch operation.kind {
        case .add: values = word.pointee.wrappingAdd(operation.a, ordering: .sequentiallyConsistent)
        case .bitAnd: values = word.pointee.bitwiseAnd(operation.a, ordering: .sequentiallyConsistent)
        case .bitOr: values = word.pointee.bitwiseOr(operation.a, ordering: .sequentiallyConsistent)
        case .bitXor: values = word.pointee.bitwiseXor(operation.a, ordering: .sequentiallyConsistent)
        case .exchange:
            values = (word.pointee.exchange(operation.a, ordering: .sequentiallyConsistent), operation.a)
        default:
            let (done, old) = word.pointee.compareExchange(
                expected: operation.a, desired: operation.b, ordering: .sequentiallyConsistent)
            if !done {
                me.record(.atomicMismatch, storage.id, old, site)
                return old
            }
            values = (old, operation.b)
        }
        me.record(.atomicUpdate, storage.id, values.newValue, site)
        return values.oldValue
    }
}

/// Memory as `.lab` programs look at it.
extension NativeRuntime {
    func siteOfText(_ name: String, _ line: Int) -> SourceSite {
        guard let recorder else { return .unknown }
        return recorder.site(inFileNamed: recorder.text(name), line: line)
    }

    func look(at object: RuntimeObject) -> Int {
        let storage = NativeStorage(object)
        switch storage.kind {
        case .semaphore: return value(of: storage)
        default: return storage.atomic.pointee.load(ordering: .sequentiallyConsistent)
        }
    }

    /// How long an `await` pauses between two looks at most, in microseconds. `DeadlockWatch` relies on it.
    private static var longestNap: UInt32 { 20_000 }

    /// Looks often at first, then less often: nobody says when memory is written.
    func poll(_ object: RuntimeObject, _ site: SourceSite, _ hasChanged: () -> Bool) throws {
        if hasChanged() { return }
        NativeThread.calling.record(.memoryWait, object.id, 0, site)
        var pause: UInt32 = 0
        while !hasChanged() {
            try checkRunning()
            if pause < 50 { sched_yield() } else { usleep(pause) }
            pause = pause < 50 ? pause + 1 : min(Self.longestNap, pause + pause / 2)
        }
    }
}
