import Execution
import Trace

/// Runs a measurement on real threads in threadlab's runtime, without which its primitives do not work. The body
/// returns the time that it has measured.
enum NativeRun {
    /// Runs with every event recorded, as in each native run of threadlab.
    static func recorded(_ body: () throws -> UInt64) throws -> UInt64 { try run(NativeRuntime.Options(), body) }

    /// Runs without recording, for the cost of the primitives alone.
    static func unrecorded(_ body: () throws -> UInt64) throws -> UInt64 {
        var options = NativeRuntime.Options()
        options.isRecorded = false
        return try run(options, body)
    }

    private static func run(_ options: NativeRuntime.Options, _ body: () throws -> UInt64) throws -> UInt64 {
        let memory = try RecordingMemory(.anonymous)
        let runtime = NativeRuntime(recorder: Recorder(memory: memory), options: options)
        var time: UInt64 = 0
        runtime.run { time = try body() }
        precondition(time > 0, "the run ended before its body did")
        return time
    }
}
