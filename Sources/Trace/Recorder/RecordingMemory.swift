import Glibc
import Synchronization
import Text

/// What went wrong with a recording's memory or file.
package struct RecordingError: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// The write that the system refused. Nil: the error is another one.
    package let refusal: WriteRefused?

    init(_ description: String) {
        self.description = description
        refusal = nil
    }

    init(_ refusal: WriteRefused) {
        description = refusal.description
        self.refusal = refusal
    }
}

/// The region of memory that contains a recording. It is sparse: an untouched page costs nothing.
///
/// Only this type maps memory for recordings. All data in it is addressed by offset (`RecordingLayout`).
package final class RecordingMemory: @unchecked Sendable {
    package enum Kind: Equatable, Sendable {
        /// For a reader in the same process.
        case anonymous
        /// Shared with processes forked later: a parent can read what its child recorded, however the child ended.
        case shared
        /// A file at this path, replaced if it exists. It outlives every process.
        case file(String)
    }

    /// In bytes of address space. Only the part that a run uses takes up memory.
    package static let defaultSize = 256 << 20

    package let base: UnsafeMutableRawPointer
    package let size: Int
    /// The descriptor of the file. −1: the recording is not in a file.
    private let descriptor: Int32
    /// The path of the file. Nil: the recording is not in a file.
    private let path: String?

    /// - Parameter size: the size in bytes. Rounded up to whole chunks, and to the size of the fixed parts.
    package init(_ kind: Kind = .anonymous, size: Int = defaultSize) throws(RecordingError) {
        let size = RecordingLayout.roundedSize(size)
        var descriptor: Int32 = -1
        var flags = MAP_NORESERVE
        switch kind {
        case .anonymous: flags |= MAP_PRIVATE | MAP_ANONYMOUS
        case .shared: flags |= MAP_SHARED | MAP_ANONYMOUS
        case .file(let path):
            descriptor = try Self.create(path, size: size)
            flags |= MAP_SHARED
        }
        if case .file(let path) = kind { self.path = path } else { path = nil }
        // At any address; from offset 0 of the file, if there is one.
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, flags, descriptor, 0)
        guard let address, address != MAP_FAILED else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw RecordingError("no memory for the recording: \(reason)")
        }
        self.base = address
        self.size = size
        self.descriptor = descriptor
    }

    /// Memory filled by `RecordingFile`.
    init(base: UnsafeMutableRawPointer, size: Int) {
        self.base = base
        self.size = size
        descriptor = -1
        path = nil
    }

    deinit {
        munmap(base, size)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Creates the file. It is always a new one, because an existing one may belong to another run that still writes to
    /// it.
    private static func create(_ path: String, size: Int) throws(RecordingError) -> Int32 {
        unlink(path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw RecordingError(WriteRefused("write \(path.printable)", errno)) }
        var failure = ftruncate(descriptor, size) == 0 ? 0 : errno
        if failure == 0 { failure = posix_fallocate(descriptor, 0, RecordingLayout.names) }
        guard failure == 0 else {
            close(descriptor)
            unlink(path)
            throw RecordingError(WriteRefused("write \(path.printable)", failure))
        }
        return descriptor
    }

    /// Deletes the file, unless another run has replaced it.
    package func deleteFile() {
        guard let path else { return }
        var mine = stat()
        var present = stat()
        guard fstat(descriptor, &mine) == 0, lstat(path, &present) == 0 else { return }
        if mine.st_ino == present.st_ino && mine.st_dev == present.st_dev { unlink(path) }
    }

    /// Allocates disk space for this part of the file, since a write to mapped memory for which the disk has no room
    /// would be a fatal signal.
    ///
    /// Returns false if there is no room. The recording then contains the reason, so that missing events are not blamed
    /// on its capacity.
    func reserve(_ offset: Int, _ length: Int) -> Bool {
        guard descriptor >= 0 else { return true }
        var failure = posix_fallocate(descriptor, offset, length)
        while failure == EINTR { failure = posix_fallocate(descriptor, offset, length) }
        if failure != 0 { store(RecordingLayout.Header.diskFailure, UInt64(failure)) }
        return failure == 0
    }

    /// Why the disk has not taken all of a recording in a file. Nil: it has taken all.
    package var refusal: WriteRefused? {
        let number = Int32(truncatingIfNeeded: load(RecordingLayout.Header.diskFailure))
        guard let path, number != 0 else { return nil }
        return WriteRefused("write \(path.printable)", number)
    }

    /// Asks the kernel to supply the pages of this part now. A page fault for each would cost the writer ten times as
    /// much as the events on it. Kernels before Linux 5.14 refuse the request, which does no harm.
    func populate(_ offset: Int, _ length: Int) {
        // `MADV_POPULATE_WRITE`
        let populateForWriting: Int32 = 23
        _ = madvise(base + offset, length, populateForWriting)
    }

    /// The word at an offset, which must be within the region and a multiple of 8.
    @inline(__always) func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        assert(offset >= 0 && offset + 8 <= size && offset & 7 == 0)
        return (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    @inline(__always) func load(_ offset: Int) -> UInt64 { word(offset).pointee.load(ordering: .acquiring) }

    @inline(__always) func store(_ offset: Int, _ value: UInt64) {
        word(offset).pointee.store(value, ordering: .releasing)
    }

    /// Whether this range is within the region. For offsets that are read from the memory itself, which may have any
    /// value.
    func contains(_ offset: Int, _ length: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= size && length <= size - offset
    }
}

/// Reads a recording from a file into separate memory, so that a process that writes to or truncates the file at the
/// same time does no harm.
enum RecordingFile {
    /// A larger file is not a recording.
    private static let maximumSize = 1 << 40
    /// Arguments of `lseek` (`SEEK_DATA`, `SEEK_HOLE`), which the C library declares only for GNU programs.
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
        // Whole pages of 4096 bytes, at any address, and without a file (−1, offset 0).
        let rounded = (size + 4095) & ~4095
        let base = mmap(nil, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let base, base != MAP_FAILED else { throw RecordingError("too large") }
        copyData(descriptor, to: base, size: size)
        return RecordingMemory(base: base, size: rounded)
    }

    /// Copies the file's data without its holes, which make up most of a recording.
    private static func copyData(_ descriptor: Int32, to base: UnsafeMutableRawPointer, size: Int) {
        var offset = 0
        while offset < size {
            // On a file system without holes, everything is data.
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
