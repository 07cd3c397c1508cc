/// The thread-local slots of a controlled execution. Real ones would not work, because all fibers share one OS thread.
struct ControlledSlots {
    /// The number of rounds of destructors, as in glibc (`PTHREAD_DESTRUCTOR_ITERATIONS`).
    static let destructorRounds = 4
    /// The number of keys, as in glibc (`PTHREAD_KEYS_MAX`).
    static let maximumKeys = 1024

    private struct Key {
        var destructor: (@Sendable (AnyObject) -> Void)?
        var isLive = true
        /// The number of the slot's object in events. 0: it has none.
        var object: UInt32 = 0
    }

    private var keys: [Key] = []
    /// The number of the first key. Numbers are not reused in later executions, so a slot that outlives its execution
    /// is not mistaken for another one.
    private var first = 0
    private var values: [Int: [Int: AnyObject]] = [:]

    typealias Values = [Int: AnyObject]

    // These functions return removed values, which the caller releases after the slots have been changed: a value's
    // `deinit` may access the slots.

    /// Removes all keys. Returns nil if there were none.
    mutating func reset() -> [Int: Values]? {
        if keys.isEmpty { return nil }
        keys.removeAll(keepingCapacity: true)
        first += Self.maximumKeys
        defer { values = [:] }
        return values
    }

    /// Reuses a deleted key only when no other is left, so that a stale key does not soon refer to another slot.
    mutating func make(_ destructor: (@Sendable (AnyObject) -> Void)?) -> Int? {
        if keys.count < Self.maximumKeys {
            keys.append(Key(destructor: destructor))
            return first + keys.count - 1
        }
        guard let dead = keys.firstIndex(where: { !$0.isLive }) else { return nil }
        keys[dead] = Key(destructor: destructor)
        return first + dead
    }

    /// The index of the key in this execution. Nil: it belongs to another execution.
    private func index(of key: Int) -> Int? { keys.indices.contains(key - first) ? key - first : nil }

    mutating func name(_ key: Int, _ object: UInt32) { keys[key - first].object = object }

    func object(of key: Int) -> UInt32 { index(of: key).map { keys[$0].object } ?? 0 }

    /// Deletes the key. After the execution there are no keys, but objects that are released then may still delete
    /// theirs.
    mutating func delete(_ key: Int) -> [AnyObject] {
        guard let index = index(of: key) else { return [] }
        keys[index].destructor = nil
        keys[index].isLive = false
        return values.keys.sorted().compactMap { values[$0]?.removeValue(forKey: key) }
    }

    func value(_ key: Int, of thread: Int) -> AnyObject? { values[thread]?[key] }

    mutating func set(_ key: Int, _ value: AnyObject?, of thread: Int) -> AnyObject? {
        guard let index = index(of: key), keys[index].isLive else { return value }
        let old = values[thread]?[key]
        values[thread, default: [:]][key] = value
        return old
    }

    /// A thread's value, and its destructor.
    struct Destructible {
        let object: UInt32
        let value: AnyObject
        let destructor: @Sendable (AnyObject) -> Void
    }

    /// Removes and returns a value of the thread that has a destructor.
    mutating func takeDestructible(of thread: Int, round: inout [Int]) -> Destructible? {
        while let key = round.popLast() {
            guard let index = index(of: key), keys[index].isLive, let destructor = keys[index].destructor,
                let value = values[thread]?.removeValue(forKey: key)
            else { continue }
            return Destructible(object: keys[index].object, value: value, destructor: destructor)
        }
        return nil
    }

    var isUnused: Bool { keys.isEmpty }

    /// The thread's values, in the order of the keys.
    func values(of thread: Int) -> [AnyObject] {
        values[thread].map { $0.sorted { $0.key < $1.key }.map(\.value) } ?? []
    }

    /// The keys under which the thread has a value, highest first.
    func usedKeys(of thread: Int) -> [Int] { values[thread].map { $0.keys.sorted(by: >) } ?? [] }

    mutating func forget(_ thread: Int) -> Values? { values.removeValue(forKey: thread) }
}
