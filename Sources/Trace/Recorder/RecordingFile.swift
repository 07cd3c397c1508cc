import Glibc

/// Reads a recording from a file into separate memory, so that a process that writes to the file or truncates it
/// meanwhile does no harm.
enum RecordingFile {
    /// A longer file is not a recording.
    private static let maximumSize = 1 << 40
    /// An argument of `lseek`, which the C library declares only for GNU programs.
    private static let seekData: Int32 = 3
    private static let seekHole: Int32 = 4

    static func load(_ path: String) throws(RecordingError) -> RecordingMemory {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RecordingError("\(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw RecordingError("it is not a regular file")
        }
        let size = Int(status.st_size)
        guard size >= RecordingLayout.chunks(size: 0), size <= maximumSize else {
            throw RecordingError("neither JSON Lines nor a recording")
        }
        let rounded = (size + 4095) & ~4095
        let base = mmap(nil, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let base, base != MAP_FAILED else { throw RecordingError("too large") }
        copyData(descriptor, to: base, size: size)
        return RecordingMemory(base: base, size: rounded)
    }

    /// Copies the file's data, and skips its holes, which make up most of a recording.
    private static func copyData(_ descriptor: Int32, to base: UnsafeMutableRawPointer, size: Int) {
        var offset = 0
        while offset < size {
            // A file system without holes reports everything as data.
            let data = lseek(descriptor, offset, seekData)
            if data < 0 && errno == ENXIO { return }
            var position = max(offset, data)
            let hole = lseek(descriptor, position, seekHole)
            let end = min(hole < 0 ? size : hole, size)
            while position < end {
                let n = pread(descriptor, base + position, end - position, position)
                if n < 0 && errno == EINTR { continue }
                guard n > 0 else { return }
                position += n
            }
            offset = max(end, offset + 1)
        }
    }
}
