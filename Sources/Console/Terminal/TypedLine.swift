import Glibc

/// A line that the user types at a prompt.
package enum TypedLine {
    /// The maximum length of a line, in bytes. The rest of a longer one is dropped.
    private static let longest = 4096

    /// The next line of standard input. It is read byte by byte, so that what follows is left for other programs. Nil:
    /// there is none.
    package static func read() -> String? {
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            if bytes.count < longest { bytes.append(byte) }
        }
    }
}
