import Synchronization

/// The waiters of a condition, as one word: their mutex, how many wait, and how many were woken but have not returned
/// yet. POSIX does not reveal this.
struct ConditionWaiters {
    private let word: UnsafeMutablePointer<NativeObject>

    init(_ object: UnsafeMutablePointer<NativeObject>) { word = object }

    /// The number of waiters that have not been woken.
    var count: Int { Self.waiting(load()) }

    /// Whether no thread is waiting or leaving a wait.
    var isDeserted: Bool { load() & 0xFFFF_FFFF == 0 }

    /// Adds a waiter with this mutex. False if others wait with a different one.
    func enter(with mutex: UInt32) -> Bool {
        update { old in
            guard Self.waiting(old) == 0 || old >> 32 == UInt64(mutex) else { return nil }
            return (old & 0xFFFF_FFFF | UInt64(mutex) << 32) + Self.oneWaiting
        }
    }

    /// A signal is about to be sent: it wakes one of the waiters, if there are any.
    func wakeOne() {
        _ = update { Self.waiting($0) > 0 ? $0 - Self.oneWaiting + 1 : nil }
    }

    func wakeAll() {
        _ = update { $0 - UInt64(Self.waiting($0)) * Self.oneWaiting + UInt64(Self.waiting($0)) }
    }

    /// A waiter has returned.
    ///
    /// - Parameter timedOut: its deadline passed; if it was woken too, the signal went to another waiter or is lost.
    func leave(timedOut: Bool) {
        _ = update { old in
            let woken = old & 0xFFFF
            // Without a signal of its own it woke spuriously, and still counts as waiting.
            if woken == 0 || (timedOut && Self.waiting(old) > 0) { return old &- Self.oneWaiting }
            return old - 1
        }
    }

    private static let oneWaiting: UInt64 = 1 << 16

    private static func waiting(_ word: UInt64) -> Int { Int(word >> 16 & 0xFFFF) }

    private func load() -> UInt64 { word.pointee.waiters.load(ordering: .acquiring) }

    /// - Returns: false if `change` refused.
    private func update(_ change: (UInt64) -> UInt64?) -> Bool {
        var old = load()
        while true {
            guard let new = change(old) else { return false }
            let (done, found) = word.pointee.waiters.compareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing)
            if done { return true }
            old = found
        }
    }
}
