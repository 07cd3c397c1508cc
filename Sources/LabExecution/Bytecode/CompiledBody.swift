/// The code of a kind of thread, or of a function.
struct CompiledBody {
    /// Its first instruction.
    var entry: Int
    var slots: Int
    /// The words that a thread needs to run it.
    var words = 0
    var parameters = 0
}
