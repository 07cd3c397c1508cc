import Glibc

/// What a run says where the process that watches it reads.
enum StandardErrorLine {
    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension String {
    /// A path's last part.
    var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
