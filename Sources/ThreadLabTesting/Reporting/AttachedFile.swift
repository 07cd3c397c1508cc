import Reports
import Trace

/// A trace in a form that people or programs read, to be kept with the result of a test.
struct AttachedFile {
    let name: String
    let bytes: [UInt8]

    /// The trace as text, as `threadlab trace` reads it, and as a page for a browser.
    static func all(_ trace: TraceDocument, _ options: ReportOptions) -> [AttachedFile] {
        [
            AttachedFile("trace.txt") { ReportFormat.lanes.write(trace, options, to: &$0) },
            AttachedFile("trace.jsonl") { ReportFormat.json.write(trace, options, to: &$0) },
            AttachedFile("trace.html") { PageReport(trace, files: [], options).write(to: &$0) },
        ]
    }

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    private init(_ name: String, _ write: (inout ByteSink) -> Void) {
        self.name = name
        var sink = ByteSink()
        write(&sink)
        bytes = sink.bytes
    }
}
