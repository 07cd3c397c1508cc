import CBench
import Execution
import Primitives
import Trace

/// A native run around a measurement, recorded as any run.
enum MeasuredRun {
    static func of(_ body: () throws -> UInt64) throws -> UInt64 {
        let runtime = NativeRuntime(recorder: Recorder(memory: try RecordingMemory(.anonymous)))
        var time: UInt64 = 0
        runtime.run { time = try body() }
        precondition(time > 0, "the run ended before its measurement did")
        return time
    }
}

/// The time that the body takes, in nanoseconds.
func nanoseconds(_ body: () throws -> Void) rethrows -> UInt64 {
    let begin = cbench_now()
    try body()
    return cbench_now() - begin
}
