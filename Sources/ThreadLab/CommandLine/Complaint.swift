/// Why a command failed: one line for standard error, and the exit code.
struct Complaint: Error {
    let message: String
    let code: ExitCode

    init(_ message: String, _ code: ExitCode = .usage) {
        self.message = message
        self.code = code
    }
}
