import Glibc

/// Writes to standard error, which the process that supervises the run reads.
enum StandardErrorLine {
    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension String {
    /// The last component of a path.
    var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
