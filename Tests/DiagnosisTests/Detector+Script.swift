import Diagnosis
import Support
import Trace

extension Detector {
    /// What it finds in a script's trace.
    ///
    /// - Parameters:
    ///   - step: the nanoseconds between two events, if it is native.
    func findings(
        in script: String, runtime: TraceHeader.Runtime = .native, step: UInt64 = 1_000
    ) -> [Finding] {
        var trace = Script(script, runtime: runtime).trace
        for index in trace.events.indices where runtime == .native { trace.events[index].time = UInt64(index) * step }
        var copy = self
        let run = copy.consume(all: trace.events)
        return copy.findings(in: Names(trace), run)
    }
}
