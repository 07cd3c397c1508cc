import Trace

/// A value for each thread, or each object. Those that nobody has asked about yet have the initial one.
///
/// An array, because detectors look things up at every event, where hashing would take most of their time.
struct Table<Key: Numbered, Value> {
    private var values: [Value] = []
    private let initial: Value

    init(_ initial: Value) { self.initial = initial }

    subscript(_ key: Key) -> Value {
        @inline(__always) get {
            let index = key.number
            return index < values.count ? values[index] : initial
        }
        @inline(__always) _modify {
            let index = key.number
            if index >= values.count { grow(to: index + 1) }
            yield &values[index]
        }
    }

    @inline(never) private mutating func grow(to count: Int) {
        values.append(contentsOf: repeatElement(initial, count: count - values.count))
    }

    /// Every one up to the last that was written to, in order.
    var all: some Sequence<(key: Key, value: Value)> {
        values.enumerated().lazy.map { (Key($0.offset), $0.element) }
    }
}

typealias PerThread<Value> = Table<ThreadID, Value>
typealias PerObject<Value> = Table<ObjectID, Value>
