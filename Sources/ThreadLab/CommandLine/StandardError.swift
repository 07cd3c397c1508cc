import Glibc

/// Complaints and warnings go here.
enum StandardError {
    static func write(_ text: String) {
        var text = text
        // If even standard error cannot be written to, there is nothing left to do.
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
