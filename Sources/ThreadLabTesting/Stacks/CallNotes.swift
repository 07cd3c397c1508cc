import Execution
import Supervision
import Trace

/// Notes about calls that are taken while a program runs, in memory that survives the program's process: the calls that
/// reached operations, the calls that made objects, and what is needed to name addresses.
///
/// The memory is a growing list of words. A note is a word with its kind in the upper half and the number of words of
/// its content in the lower half, a word for its subject, and its content. The program may have overwritten anything
/// before it crashed, so a reader does not trust lengths that leave the list.
struct CallNotes {
    enum Kind: UInt64 {
        /// The calls that reached an operation. The subject is the word of the operation's place, and the content is
        /// addresses.
        case stack = 1
        /// The calls that made an object. The subject is the object's number, and the content is addresses.
        case creation
        /// What a reader needs to name an address. The subject is the address, and the content is bytes.
        case address
    }

    private let memory: SharedMemory
    private let words: UnsafeMutableBufferPointer<UInt64>

    /// The number of words: 16 MB. When they are used up, further calls are not noted.
    private static let capacity = 1 << 21
    /// The first word is the number of words in use.
    private static let start = 1
    /// The number of words of a note before its content.
    private static let headerSize = 2

    init() throws(SupervisionFailed) {
        memory = try SharedMemory(size: Self.capacity * 8, for: "the calls of a run")
        words = memory.bytes.bindMemory(to: UInt64.self)
        words[0] = UInt64(Self.start)
    }

    private var end: Int { Int(clamping: words[0]) }

    // MARK: - Writing

    /// Adds a note.
    ///
    /// - Returns: its number, which is the index of its first word. Nil: the memory is full.
    func add(_ kind: Kind, _ subject: UInt64, _ content: [UInt64]) -> Int? {
        let place = end
        let contentStart = place + Self.headerSize
        guard contentStart + content.count <= words.count else { return nil }
        words[place] = kind.rawValue << 32 | UInt64(content.count)
        words[place + 1] = subject
        for (index, word) in content.enumerated() { words[contentStart + index] = word }
        words[0] = UInt64(contentStart + content.count)
        return place
    }

    /// Adds a note whose content is bytes.
    ///
    /// - Parameter bytes: must not end with zeros, because the padding is zeros.
    func add(_ kind: Kind, _ subject: UInt64, bytes: [UInt8]) {
        let content = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<min(start + 8, bytes.count)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        _ = add(kind, subject, content)
    }

    // MARK: - Reading

    struct Note {
        let number: Int
        let kind: Kind
        let subject: UInt64
        let content: [UInt64]

        /// The content as bytes, without trailing zeros.
        var bytes: [UInt8] {
            let all = content.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
            return Array(all[..<(all.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)])
        }
    }

    /// The note with this number. Nil: there is none, or its length is not credible.
    func note(_ number: Int) -> Note? {
        guard number >= Self.start, number + Self.headerSize <= min(end, words.count),
            let kind = Kind(rawValue: words[number] >> 32)
        else { return nil }
        let contentStart = number + Self.headerSize
        let count = Int(words[number] & 0xFFFF_FFFF)
        guard contentStart + count <= min(end, words.count) else { return nil }
        return Note(
            number: number, kind: kind, subject: words[number + 1],
            content: Array(words[contentStart..<contentStart + count]))
    }

    /// All notes in order, up to the first that is not credible.
    var notes: [Note] {
        var notes: [Note] = []
        var next = Self.start
        while let note = note(next) {
            notes.append(note)
            next += Self.headerSize + note.content.count
        }
        return notes
    }
}
