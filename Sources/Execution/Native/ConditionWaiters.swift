import Synchronization

/// Who waits on a condition, as one word: with which mutex, how many wait, and how many of those that were woken have not
/// come back yet. POSIX keeps the same to itself.
struct ConditionWaiters {
    private let word: UnsafeMutablePointer<NativeObject>

    init(_ object: UnsafeMutablePointer<NativeObject>) { word = object }

    /// How many wait and have not been woken.
    var count: Int { Self.waiting(load()) }

    /// Whether no thread is on the way out of a wait either.
    var isDeserted: Bool { load() & 0xFFFF_FFFF == 0 }

    /// One more waits with this mutex. False if others wait with another one.
    func enter(with mutex: UInt32) -> Bool {
        update { old in
            guard Self.waiting(old) == 0 || old >> 32 == UInt64(mutex) else { return nil }
            return (old & 0xFFFF_FFFF | UInt64(mutex) << 32) + Self.oneWaiting
        }
    }

    /// A signal is about to be sent: it wakes one of those that wait, if any do.
    func wakeOne() {
        _ = update { Self.waiting($0) > 0 ? $0 - Self.oneWaiting + 1 : nil }
    }

    func wakeAll() {
        _ = update { $0 - UInt64(Self.waiting($0)) * Self.oneWaiting + UInt64(Self.waiting($0)) }
    }

    /// A waiter is back.
    ///
    /// - Parameter timedOut: its deadline passed; if it had been woken as well, the signal went to another or is spent.
    func leave(timedOut: Bool) {
        _ = update { old in
            let woken = old & 0xFFFF
            // Without a signal to its name it woke spuriously, and still counts as waiting.
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
