import Supervision
import Text

/// A kind of file that one command of threadlab writes for another of the same version, such as the result of a part of
/// a check, for `check --merge`. Its content is a line of text with the kind and the version, a message as 64-bit
/// words, and a checksum, which finds damage but does not protect against forgery. Reading anything else throws a
/// complaint that says what is wrong.
package struct SealedFile {
    /// The beginning of the first line, before the version.
    let mark: String
    /// What the file is, with its article.
    let kind: String
    /// How the user gets such a file: `'check --result FILE' writes one`.
    let origin: String
    /// What the user can do about a file of another version, and about a damaged one.
    let otherwise: (version: String, damaged: String)

    package static let searchTask = SealedFile(
        mark: "threadlab task 3 ", kind: "a task of a search",
        origin: "'explore NAME --divide N --to DIR' writes some",
        otherwise: (version: "work on it with that version", damaged: "copy it again from the folder of the tasks"))
    package static let searchResult = SealedFile(
        mark: "threadlab search 3 ", kind: "a result of 'work'", origin: "'work TASK' writes one",
        otherwise: (version: "merge it with that version", damaged: "work on that task again"))
    package static let checkResult = SealedFile(
        mark: "threadlab result 1 ", kind: "a result of a check", origin: "'check --result FILE' writes one",
        otherwise: (version: "merge it with that version", damaged: "check that part again"))

    /// The maximum size of a file, in bytes.
    private static let greatestSize = 1 << 31
    /// The number of bytes of the checksum, at the end of the file.
    private static let checksumSize = 8
    /// The message about another version shows at most this number of its bytes.
    private static let longestVersion = 64

    private var head: [UInt8] { Array("\(mark)\(Session.version)\n".utf8) }

    /// Whether the content begins with `mark`, whichever version wrote it.
    package func marks(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark.utf8) }

    /// The bytes of a file that contains this message.
    package func content(_ message: some Message) -> [UInt8] {
        var words = WordWriter()
        words.add(message)
        let content = head + words.bytes
        return content + Self.checksum(content[...])
    }

    /// The content of a file that may be of one of several kinds.
    ///
    /// - Parameter kind: what the file should be, with its article, for the message about one that is too large.
    package static func bytes(of path: String, as kind: String) throws(Complaint) -> [UInt8] {
        try InputFile(path).content(upTo: greatestSize, kind)
    }

    package func read<Content: Message>(_ path: String) throws(Complaint) -> Content {
        try read(try Self.bytes(of: path, as: kind), of: path)
    }

    /// - Parameter path: the file that the bytes are from, for messages.
    package func read<Content: Message>(_ bytes: [UInt8], of path: String) throws(Complaint) -> Content {
        guard marks(bytes) else { throw Complaint("\(path.printable) is not \(kind): \(origin)") }
        guard bytes.starts(with: head) else {
            let rest = bytes.dropFirst(mark.utf8.count).prefix(Self.longestVersion).prefix { $0 != 0x0A }
            let version = String(decoding: rest, as: UTF8.self)
            throw Complaint(
                "\(path.printable) is of version \(version.printable) of threadlab, and this is \(Session.version): "
                    + otherwise.version)
        }
        do throws(DamagedMessage) {
            let size = Self.checksumSize
            guard bytes.count >= head.count + size, Array(bytes.suffix(size)) == Self.checksum(bytes.dropLast(size)),
                var reader = WordReader(bytes: bytes[head.count..<bytes.count - size])
            else { throw DamagedMessage() }
            let content: Content = try reader.message()
            try reader.finish()
            return content
        } catch {
            throw Complaint("\(path.printable) is damaged, or not complete: \(otherwise.damaged)")
        }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let hash = FNV1a.hash(bytes)
        return (0..<checksumSize).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
    }
}
