import Trace

/// A value for each thread, or each object. Those that nobody has asked about yet have the initial one.
///
/// An array, because detectors look things up at every event, where hashing would take most of their time.
struct Table<Key: Numbered, Value> {
    private var values: [Value] = []
    /// Of numbers that are out of all proportion: a trace that somebody wrote may have any.
    private var outsiders: [Int: Value] = [:]
    private let initial: Value

    init(_ initial: Value) { self.initial = initial }

    subscript(_ key: Key) -> Value {
        @inline(__always) get {
            let index = key.number
            return index < values.count ? values[index] : outsider(index)
        }
        @inline(__always) _modify {
            let index = key.number
            if index >= values.count { grow(for: index) }
            if index < values.count {
                yield &values[index]
            } else {
                let initial = initial
                yield &outsiders[index, default: initial]
            }
        }
    }

    /// Every one up to the last that was written to, in order.
    var all: [(key: Key, value: Value)] {
        let others = outsiders.sorted { $0.key < $1.key }
        return values.enumerated().map { (Key($0.offset), $0.element) } + others.map { (Key($0.key), $0.value) }
    }

    @inline(never) private func outsider(_ index: Int) -> Value {
        outsiders.isEmpty ? initial : outsiders[index] ?? initial
    }

    @inline(never) private mutating func grow(for index: Int) {
        if index > UInt16.max { return }
        values.append(contentsOf: repeatElement(initial, count: index + 1 - values.count))
    }
}

typealias PerThread<Value> = Table<ThreadID, Value>
typealias PerObject<Value> = Table<ObjectID, Value>
