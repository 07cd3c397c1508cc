import Arguments
import Glibc
import Trace

/// A file that somebody names as a saved trace: JSON Lines, or the recording of a run that was killed.
struct TraceFile {
    /// Larger ones are refused rather than read into memory.
    static let greatestSize = 1 << 31

    private let path: String

    init(_ path: String) { self.path = path }

    func read() throws(Complaint) -> TraceDocument {
        let bytes = try content()
        if bytes.isEmpty { throw Complaint("\(path.printable) is empty: no trace") }
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
            throw Complaint("\(path.printable) is no trace that can be read: \(error.description)")
        }
    }

    private func content() throws(Complaint) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Complaint("\(path.printable) is \(status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "no file")")
        }
        guard status.st_size <= Self.greatestSize else {
            throw Complaint("\(path.printable) is too large to be a trace")
        }
        let size = Int(status.st_size)
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let read = Glibc.read(descriptor, buffer.baseAddress! + count, size - count)
                if read < 0 && errno == EINTR { continue }
                if read < 0 { failure = errno }
                if read <= 0 { break }
                count += read
            }
        }
        if failure != 0 { throw failed(failure) }
        return bytes
    }

    private func failed(_ failure: Int32) -> Complaint {
        Complaint("cannot read \(path.printable): \(String(cString: strerror(failure)))")
    }
}
