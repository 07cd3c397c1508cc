import Foundation

/// A cache whose values expire. It should load each value once.
public final class ExpiringCache<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private let lifetime: Double
    private var entries: [Key: (value: Value, expiry: Date)] = [:]

    /// - Parameter lifetime: of a value, in seconds.
    public init(lifetime: Double) { self.lifetime = lifetime }

    /// The value, which is loaded if there is none or it has expired.
    ///
    /// The bug: between the look and the store another thread looks too, and loads the same value.
    public func value(for key: Key, load: (Key) -> Value) -> Value {
        if let value = lock.withLock({ present(key) }) { return value }
        let value = load(key)
        lock.withLock { entries[key] = (value, Date().addingTimeInterval(lifetime)) }
        return value
    }

    private func present(_ key: Key) -> Value? {
        guard let entry = entries[key], entry.expiry > Date() else { return nil }
        return entry.value
    }
}

/// The same without the bug: a thread that needs a value which is being loaded waits for it.
public final class SingleLoadCache<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let lifetime: Double
    private var entries: [Key: (value: Value, expiry: Date)] = [:]
    private var loading: Set<Key> = []

    public init(lifetime: Double) { self.lifetime = lifetime }

    public func value(for key: Key, load: (Key) -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let entry = entries[key], entry.expiry > Date() { return entry.value }
            if loading.insert(key).inserted { break }
            condition.wait()
        }
        condition.unlock()
        let value = load(key)
        condition.lock()
        entries[key] = (value, Date().addingTimeInterval(lifetime))
        loading.remove(key)
        condition.broadcast()
        return value
    }
}
