import Trace

/// A value for each thread or object, initially the same for all.
///
/// Based on an array, because detectors look values up at every event, and hashing would take most of their time.
struct Table<Key: Numbered, Value> {
    /// The values of keys with numbers below `limit`, by number, up to the greatest that was set. If a greater key was
    /// set, all `limit` values exist, and those of the greater keys follow in the order in which they were first set.
    private var values: [Value] = []
    /// The index in `values` of each key that was set and is not below `limit`. A hand-written trace may contain any
    /// number.
    private var outsiders: [Int: Int] = [:]
    private let initial: Value

    private static var limit: Int { 1 << 16 }

    init(_ initial: Value) { self.initial = initial }

    subscript(_ key: Key) -> Value {
        @inline(__always) get {
            let index = key.number
            return index < values.count && index < Self.limit ? values[index] : outsider(index)
        }
        @inline(__always) _modify {
            let index = key.number
            let place = index < values.count && index < Self.limit ? index : newPlace(index)
            yield &values[place]
        }
    }

    /// All values up to the greatest key below `limit` that was set, in order, and those of greater keys that were set.
    var all: [(key: Key, value: Value)] {
        let others = outsiders.sorted { $0.key < $1.key }.map { (Key($0.key), values[$0.value]) }
        return values.prefix(Self.limit).enumerated().map { (Key($0.offset), $0.element) } + others
    }

    @inline(never) private func outsider(_ index: Int) -> Value {
        outsiders.isEmpty ? initial : outsiders[index].map { values[$0] } ?? initial
    }

    @inline(never) private mutating func newPlace(_ index: Int) -> Int {
        if let known = outsiders[index] { return known }
        grow(to: min(index + 1, Self.limit))
        if index < Self.limit { return index }
        outsiders[index] = values.count
        values.append(initial)
        return values.count - 1
    }

    private mutating func grow(to count: Int) {
        let missing = count - values.count
        if missing > 0 { values.append(contentsOf: repeatElement(initial, count: missing)) }
    }
}

typealias PerThread<Value> = Table<ThreadID, Value>
typealias PerObject<Value> = Table<ObjectID, Value>
