import Glibc
import Supervision
import Text

/// `threadlab check` of a file, in a process of its own, while the editor is answered.
struct BackgroundCheck {
    let uri: String
    private let program: StartedProgram
    private var bytes: [UInt8] = []

    private static let longest = 1 << 20

    /// - Parameter time: the limit, in nanoseconds.
    /// - Returns: nil, if no process can be started.
    init?(of path: String, _ uri: String, time: UInt64) {
        // The file may run a program by now, though the text in the editor does not.
        let mark = ProgramGate.Client.editor.mark.map { [$0] } ?? []
        let words = ["/proc/self/exe"] + mark + ["check", "--format", "json", "--time", "\(time)ns", "--", path]
        guard let program = try? StartedProgram(words, in: "/", keepsErrors: false) else { return nil }
        self.uri = uri
        self.program = program
    }

    /// What it prints can be read from this descriptor.
    var output: Int32 { program.output }

    /// Reads what has arrived. Call it only if something can be read.
    ///
    /// - Returns: all that it has printed, if that was the end. Nil: there will be more.
    mutating func receive() -> [UInt8]? {
        guard program.receive(into: &bytes, upTo: Self.longest) else { return nil }
        _ = program.wait()
        return bytes
    }

    /// Ends it.
    func cancel() {
        program.signal(SIGTERM)
        _ = program.wait()
    }
}
