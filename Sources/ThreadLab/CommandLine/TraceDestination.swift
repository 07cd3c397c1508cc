import Trace

/// Where a trace is saved. It is checked as far as possible before anything runs.
struct TraceDestination {
    let file: NewFile

    init(_ path: String) throws(Complaint) {
        file = try NewFile(at: path, for: "the trace", orElse: "'--format json' prints the same")
    }

    /// The recording of the run in progress, which remains if threadlab itself is killed.
    var recordingPath: String { "\(file.path).recording" }

    func save(_ trace: TraceDocument) throws(Complaint) {
        try file.write { TraceWriter.write(trace, to: &$0) }
    }
}
