import Text
import Trace

/// A file named as a saved trace: JSON Lines, or the recording of a run that was killed.
struct TraceFile {
    /// Larger files are rejected rather than read into memory.
    static let greatestSize = 1 << 31

    private let path: String

    init(_ path: String) { self.path = path }

    func read() throws(Complaint) -> TraceDocument {
        let bytes = try InputFile(path).content(upTo: Self.greatestSize, "a trace")
        if bytes.isEmpty { throw Complaint("\(path.printable) is empty, not a trace") }
        if bytes.first != UInt8(ascii: "{") { return try recording() }
        do throws(TraceFormatError) {
            return try TraceReader.read(bytes)
        } catch {
            throw Complaint("\(path.printable): \("\(error)".printable)")
        }
    }

    private func recording() throws(Complaint) -> TraceDocument {
        do throws(RecordingError) {
            let reader = try RecordingReader(file: path)
            var trace = TraceDocument(header: TraceHeader(scenario: "unknown", runtime: .native))
            reader.drain(into: &trace, final: true)
            if let run = reader.run { trace.header = run }
            return trace
        } catch {
            throw Complaint("\(path.printable) is not a readable trace: \(error.description)")
        }
    }
}
