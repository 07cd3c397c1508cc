import Execution
import Trace

/// A native run around a measurement.
enum NativeRun {
    /// Runs with every event recorded, like each run of threadlab.
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
