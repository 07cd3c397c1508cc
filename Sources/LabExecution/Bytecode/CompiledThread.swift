/// A thread that a run can start.
struct CompiledThread {
    var name: String
    /// Its number in its array.
    var index: Int
    /// Its body's number in `Bytecode.bodies`.
    var body: Int
    var line: Int
    /// The number of its seat, an object that holds the thread once it has been started. 0: it exists from the start.
    var seat: UInt32 = 0
}
