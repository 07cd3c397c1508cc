import Execution
import Trace

/// A separate dictionary for every thread (guide: Configuring Thread-Local Storage). Built on a thread slot; no other
/// thread can reach it, so it needs no lock.
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
