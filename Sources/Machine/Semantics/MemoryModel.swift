/// Which writes a read may see. The raw value is the word of `--model` and of saved traces.
package enum MemoryModel: String, CaseIterable, Sendable, BitwiseCopyable {
    /// Sequential consistency: a read sees the newest write in a total order of all steps.
    case sc
    /// Total store order, as on x86: a thread's stores wait in a buffer that only the thread itself reads.
    case tso
    /// Repaired C++11 (Lahav et al., PLDI 2017), with the release sequences of C++20.
    case rc11
}
