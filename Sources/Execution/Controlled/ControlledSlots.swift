/// The thread-local slots of a controlled execution. POSIX keys would not work, because all fibers share one OS thread.
struct ControlledSlots {
    /// The number of rounds of destructors, as in glibc (`PTHREAD_DESTRUCTOR_ITERATIONS`).
    static let destructorRounds = 4
    /// The number of keys, as in glibc (`PTHREAD_KEYS_MAX`).
    static let maximumKeys = 1024

    private struct Key {
        var destructor: (@Sendable (AnyObject) -> Void)?
        var isLive = true
        /// The number of the slot's object in events; 0 if it has none.
        var object: UInt32 = 0
    }

    private var keys: [Key] = []
    /// The number of the first key of this execution. Numbers are not reused in later executions, so a key that
    /// outlives its execution is not mistaken for a later one.
    private var firstKey = 0
    /// By thread: its values by key.
    private var values: [Int: [Int: AnyObject]] = [:]

    typealias Values = [Int: AnyObject]

    // The following functions return the values that they remove, and the caller releases them afterwards: the `deinit`
    // of a value may access the slots again.

    /// Removes all keys. Returns the values by thread; nil if there were no keys.
    mutating func reset() -> [Int: Values]? {
        if keys.isEmpty { return nil }
        keys.removeAll(keepingCapacity: true)
        firstKey += Self.maximumKeys
        defer { values = [:] }
        return values
    }

    /// Makes a key. A deleted key is reused only when no other is left, so that a stale key does not soon refer to
    /// another slot. Returns nil if all keys are in use.
    mutating func make(_ destructor: (@Sendable (AnyObject) -> Void)?) -> Int? {
        if keys.count < Self.maximumKeys {
            keys.append(Key(destructor: destructor))
            return firstKey + keys.count - 1
        }
        guard let dead = keys.firstIndex(where: { !$0.isLive }) else { return nil }
        keys[dead] = Key(destructor: destructor)
        return firstKey + dead
    }

    /// The index of the key in this execution. Nil if it belongs to another execution.
    private func index(of key: Int) -> Int? { keys.indices.contains(key - firstKey) ? key - firstKey : nil }

    /// Sets the number of the slot's object in events.
    mutating func name(_ key: Int, _ object: UInt32) { keys[key - firstKey].object = object }

    /// The number of the slot's object in events; 0 if it has none.
    func object(of key: Int) -> UInt32 { index(of: key).map { keys[$0].object } ?? 0 }

    /// Deletes the key, and returns all threads' values under it. After the execution there are no keys, but objects
    /// that are released then may still delete theirs.
    mutating func delete(_ key: Int) -> [AnyObject] {
        guard let index = index(of: key) else { return [] }
        keys[index].destructor = nil
        keys[index].isLive = false
        return values.keys.sorted().compactMap { values[$0]?.removeValue(forKey: key) }
    }

    func value(_ key: Int, of thread: Int) -> AnyObject? { values[thread]?[key] }

    /// Sets the thread's value. Returns the previous value; the new one if the key is not in use.
    mutating func set(_ key: Int, _ value: AnyObject?, of thread: Int) -> AnyObject? {
        guard let index = index(of: key), keys[index].isLive else { return value }
        let old = values[thread]?[key]
        values[thread, default: [:]][key] = value
        return old
    }

    /// A thread's value, with the destructor to call.
    struct Destructible {
        let object: UInt32
        let value: AnyObject
        let destructor: @Sendable (AnyObject) -> Void
    }

    /// Removes and returns the thread's next value that has a destructor.
    ///
    /// - Parameter round: the keys of the current round of destructors that have not been visited. The last one is
    ///   next.
    mutating func takeDestructible(of thread: Int, round: inout [Int]) -> Destructible? {
        while let key = round.popLast() {
            guard let index = index(of: key), keys[index].isLive, let destructor = keys[index].destructor,
                let value = values[thread]?.removeValue(forKey: key)
            else { continue }
            return Destructible(object: keys[index].object, value: value, destructor: destructor)
        }
        return nil
    }

    /// Whether the execution has made no key.
    var isUnused: Bool { keys.isEmpty }

    /// The thread's values, in the order of the keys.
    func values(of thread: Int) -> [AnyObject] {
        values[thread].map { $0.sorted { $0.key < $1.key }.map(\.value) } ?? []
    }

    /// The keys under which the thread has a value, highest first.
    func usedKeys(of thread: Int) -> [Int] { values[thread].map { $0.keys.sorted(by: >) } ?? [] }

    /// Removes and returns all values of the thread.
    mutating func forget(_ thread: Int) -> Values? { values.removeValue(forKey: thread) }
}
