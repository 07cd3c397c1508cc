/// A thread that a run can start.
struct CompiledThread {
    var name: String
    /// Its number in its array.
    var index: Int
    /// Its body's number in `Bytecode.bodies`.
    var body: Int
    var line: Int
}
