import Glibc
import Machine
import Synchronization

/// Seats of declared threads: a word that is 0 until a thread is started there, and then its number plus one.
extension NativeRuntime {
    private static let isBeingStarted = -1

    /// Claims the seat for a thread that the caller starts. False if it is taken.
    func claim(_ seat: RuntimeObject) -> Bool {
        let word = NativeStorage(seat).atomic
        return word.pointee.compareExchange(
            expected: 0, desired: Self.isBeingStarted, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Assigns the claimed seat to the started thread.
    func sit(_ thread: RuntimeObject, on seat: RuntimeObject) {
        NativeStorage(seat).atomic.pointee.store(Int(thread.id) + 1, ordering: .releasing)
    }

    /// The thread on the seat. Nil: it is empty.
    func sitter(on seat: RuntimeObject) throws -> RuntimeObject? {
        let word = NativeStorage(seat).atomic
        while true {
            switch word.pointee.load(ordering: .acquiring) {
            case 0: return nil
            // Another thread has claimed it and is starting the thread, which takes some microseconds.
            case Self.isBeingStarted:
                try checkRunning()
                sched_yield()
            case let number: return RuntimeObject(id: UInt32(number - 1))
            }
        }
    }
}
