import Console
import Glibc
import Supervision
import Text

/// `threadlab check` of a file in a separate process, while the server answers the editor.
struct BackgroundCheck {
    let uri: String
    private let program: StartedProgram
    private var bytes: [UInt8] = []

    /// The number of bytes of output that are read. The rest is dropped.
    private static let longest = 1 << 20

    /// - Parameter time: the limit, in nanoseconds.
    /// - Returns: nil if no process can be started.
    init?(of path: String, _ uri: String, time: UInt64) {
        // The file may have changed since the editor sent its text, and may now run a compiled program. This first word
        // says that the command line is an editor's, so that the check starts no such program.
        let client = ProgramGate.Client.editor.mark.map { [$0] } ?? []
        let words = ["/proc/self/exe"] + client + ["check", "--format", "json", "--time", "\(time)ns", "--", path]
        guard let program = try? StartedProgram(words, in: "/", keepsErrors: false) else { return nil }
        self.uri = uri
        self.program = program
    }

    /// The descriptor from which the check's output can be read.
    var output: Int32 { program.output }

    /// Reads the output that has arrived. Must be called only if something can be read.
    ///
    /// - Returns: the whole output, if the check has ended. Nil: there will be more.
    mutating func receive() -> [UInt8]? {
        guard program.receive(into: &bytes, upTo: Self.longest) else { return nil }
        _ = program.wait()
        return bytes
    }

    /// Ends the check.
    func cancel() {
        program.signal(SIGTERM)
        _ = program.wait()
    }
}
