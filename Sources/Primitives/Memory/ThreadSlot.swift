import Execution
import Synchronization
import Trace

/// A place with a separate value for each thread (POSIX `pthread_key_t`). Initially it is empty for every thread.
public final class ThreadSlot<Value: AnyObject & Sendable>: Sendable {
    private let runtime: any Runtime
    private let key: Int
    /// Checked before each use of the key: the system may reuse a deleted key for another slot, whose values have
    /// another type.
    private let isDeleted = Synchronization.Atomic(false)

    /// - Parameters:
    ///   - name: its name in traces, made unique within the run.
    ///   - destructor: runs on a thread that ends with a value here, after its body, with the slot already empty. If
    ///     the destructor stores a value again, it runs again, for at most four rounds.
    /// - Throws: `Misuse` `invalid-value`, if the system has no keys left (1,024 on Linux).
    public convenience init(
        _ name: String? = nil, file: StaticString = #fileID, line: UInt = #line,
        destructor: (@Sendable (Value) -> Void)? = nil
    ) throws {
        try self.init(name, shownAs: .slot, at: SourceSite(file, line), destructor: destructor)
    }

    /// For built primitives. With `shownAs` a `.part`, traces do not show the slot.
    init(
        _ name: String?, shownAs shown: ObjectKind, at site: SourceSite, destructor: (@Sendable (Value) -> Void)?
    ) throws {
        runtime = ThreadContext.runtime.counted
        // Only this slot's own setter stores under the key, so the value is always of its type.
        var erased: (@Sendable (AnyObject) -> Void)?
        if let destructor { erased = { value in destructor(unsafeDowncast(value, to: Value.self)) } }
        guard let key = runtime.makeSlot(named: name, shownAs: shown, at: site, erased) else {
            throw Misuse.recorded(.invalidValue, at: site)
        }
        self.key = key
    }

    /// The calling thread's value. Nil for a deleted slot, whatever was stored.
    public var value: Value? {
        get { isLive ? runtime.slotValue(key).map { unsafeDowncast($0, to: Value.self) } : nil }
        set { store(newValue, at: .unknown) }
    }

    /// Sets the calling thread's value. Unlike an assignment to `value`, this appears in traces.
    public func set(_ value: Value?, file: StaticString = #fileID, line: UInt = #line) {
        store(value, at: SourceSite(file, line))
    }

    private func store(_ value: Value?, at site: SourceSite) {
        if isLive { runtime.setSlotValue(key, value, at: site) }
    }

    /// Deletes the slot. Remaining values are dropped, and no destructor runs from now on.
    public func delete() {
        if !isDeleted.exchange(true, ordering: .acquiringAndReleasing) { runtime.deleteSlot(key) }
    }

    private var isLive: Bool { !isDeleted.load(ordering: .acquiring) }
}

/// A separate dictionary for every thread (guide: Configuring Thread-Local Storage). Built on a thread slot. It needs
/// no lock, because no other thread can reach it.
public final class ThreadDictionary {
    private var values: [String: any Sendable] = [:]

    /// The calling thread's dictionary, created on first use.
    public static var current: ThreadDictionary {
        let runtime = ThreadContext.runtime.counted
        let key = runtime.knownSlot(.dictionary)
        if let present = runtime.slotValue(key) { return unsafeDowncast(present, to: ThreadDictionary.self) }
        let new = ThreadDictionary()
        runtime.setSlotValue(key, new)
        return new
    }

    /// The value under the key, if it has this type.
    public func value<Value>(
        _ key: String, as type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
    ) -> Value? {
        ThreadContext.runtime.with {
            $0.record(.dictionaryGet, 0, text: "\(key) = \(shown(key))", at: SourceSite(file, line))
        }
        return values[key] as? Value
    }

    /// Stores a value under the key, or removes it.
    public func set(
        _ key: String, _ value: (any Sendable)?, file: StaticString = #fileID, line: UInt = #line
    ) {
        values[key] = value
        ThreadContext.runtime.with {
            $0.record(.dictionarySet, 0, text: "\(key) = \(shown(key))", at: SourceSite(file, line))
        }
    }

    private func shown(_ key: String) -> String { values[key].map { "\($0)" } ?? "nothing" }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let dictionarySet = Remark(
        "dictionary.set", "set {object} {value}", value: .text,
        says: "It set this key in its thread dictionary")
    fileprivate static let dictionaryGet = Remark(
        "dictionary.get", "get {value}", value: .text,
        says: "It read this key")
}
