import Glibc

/// Reads the kernel's small text files.
package enum SystemText {
    /// The beginning of the file, at most `limit` bytes; empty if it cannot be read.
    package static func read(_ path: String, limit: Int) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(unsafeUninitializedCapacity: limit) { buffer in
            var count = 0
            while count < limit {
                let n = Glibc.read(descriptor, buffer.baseAddress! + count, limit - count)
                if n < 0 && errno == EINTR { continue }
                guard n > 0 else { break }
                count += n
            }
            return count
        }
    }
}
