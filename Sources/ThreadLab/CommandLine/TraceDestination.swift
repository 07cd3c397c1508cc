import Trace

/// Where a trace is saved: known to be possible, as far as one can tell, before anything is run.
struct TraceDestination {
    let file: NewFile

    init(_ path: String) throws(Complaint) {
        file = try NewFile(at: path, for: "the trace", orElse: "'--format json' prints the same")
    }

    /// The run's recording while it goes on: what is left if threadlab itself is killed.
    var recordingPath: String { "\(file.path).recording" }

    func save(_ trace: TraceDocument) throws(Complaint) {
        try file.write { TraceWriter.write(trace, to: &$0) }
    }
}
