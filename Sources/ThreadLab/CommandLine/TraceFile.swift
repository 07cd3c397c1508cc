import Text
import Trace

/// A file named as a saved trace: JSON Lines, or the recording of a run that was killed. `-` is standard input.
struct TraceFile {
    /// Larger files are rejected rather than read into memory.
    static let greatestSize = 1 << 31

    private let path: String

    private let beginning: [UInt8]

    /// - Parameter beginning: what has already been read of standard input.
    init(_ path: String, beginning: [UInt8] = []) {
        self.path = path
        self.beginning = beginning
    }

    func read() throws(Complaint) -> TraceDocument {
        let bytes = try InputFile(path, beginning: beginning).content(upTo: Self.greatestSize, "a trace")
        let isStandardInput = path == InputFile.standardInput
        let name = isStandardInput ? "standard input" : path.printable
        if bytes.isEmpty { throw Complaint("\(name) is empty, not a trace") }
        if bytes.first != UInt8(ascii: "{"), !isStandardInput { return try recording() }
        do throws(TraceFormatError) {
            return try TraceReader.read(bytes)
        } catch {
            throw Complaint("\(name): \("\(error)".printable)")
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
