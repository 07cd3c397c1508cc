import Trace

/// A value for each thread. Threads that nobody has asked about yet have the initial one.
struct PerThread<Value> {
    private var values: [Value] = []
    private let initial: Value

    init(_ initial: Value) { self.initial = initial }

    subscript(_ thread: ThreadID) -> Value {
        get {
            let index = Int(thread.index)
            return index < values.count ? values[index] : initial
        }
        _modify {
            let index = Int(thread.index)
            while values.count <= index { values.append(initial) }
            yield &values[index]
        }
    }

    /// Every thread up to the last one that was written to, in order.
    var all: some Sequence<(thread: ThreadID, value: Value)> {
        values.enumerated().lazy.map { (ThreadID($0.offset), $0.element) }
    }
}
