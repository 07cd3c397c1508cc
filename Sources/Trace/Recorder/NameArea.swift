import Synchronization
import Text

/// The part of a recording for names and other texts. It consists of records, each a header and a text, which are only
/// appended.
///
/// The first word of a record is its length and type. Another word marks its text as complete. A thread claims a record
/// by replacing the zero in its first word, so a process that dies at any point leaves no gap that hides later records.
struct NameArea {
    enum RecordType: UInt64 {
        case thread = 1
        case object, text
        /// What is run: the header line of a saved trace.
        case run
        case remark
        /// An object that is a part of another one, whose number is the record's value.
        case part
        /// What the pointers point to whose value is the record's.
        case target
    }

    /// The header's size in bytes. Its first word is the record's length, shifted by 8 bits, and its type in the lowest
    /// 8 bits.
    static let headerSize = 32
    /// The offsets of the other words of the header in a record.
    enum Field {
        /// The text's length plus one, which is written last.
        static let textLength = 8
        /// The number of the thread, object or remark.
        static let id = 16
        /// A value, such as the initial value of an object.
        static let value = 24
    }
    /// Records begin at multiples of this offset.
    static let alignment = 16
    /// The maximum length of a text, in bytes of UTF-8.
    static let longestText = 4096

    let memory: RecordingMemory

    /// Adds a record.
    ///
    /// - Returns: its offset, or 0 if there is no room.
    func add(_ type: RecordType, id: UInt32 = 0, value: Int = 0, _ text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            let length = Self.kept(bytes)
            let paddedLength = (length + Self.alignment - 1) / Self.alignment * Self.alignment
            guard let offset = claim(type, size: Self.headerSize + paddedLength) else { return 0 }
            memory.store(offset + Field.id, UInt64(id))
            memory.store(offset + Field.value, UInt64(bitPattern: Int64(value)))
            if let source = bytes.baseAddress {
                (memory.base + offset + Self.headerSize).copyMemory(from: source, byteCount: length)
            }
            memory.store(offset + Field.textLength, UInt64(length) + 1)
            return offset
        }
    }

    /// The length of the part of a text that is kept, in bytes. It ends between two characters.
    private static func kept(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard bytes.count > longestText else { return bytes.count }
        return bytes.startOfCharacter(at: longestText, in: 0..<bytes.count)
    }

    /// Reserves the next record, and returns its offset. Nil: there is no room.
    private func claim(_ type: RecordType, size: Int) -> Int? {
        let next = memory.word(RecordingLayout.Header.nextName)
        let end = memory.load(RecordingLayout.Header.namesEnd)
        while true {
            let offset = next.pointee.load(ordering: .acquiring)
            guard offset + UInt64(size) <= end, memory.reserve(Int(offset), size) else { return nil }
            let (claimed, found) = memory.word(Int(offset)).pointee.compareExchange(
                expected: 0, desired: UInt64(size) << 8 | type.rawValue, ordering: .acquiringAndReleasing)
            // A thread that finds the record claimed by another one advances `nextName` too, so that no thread waits.
            _ = next.pointee.compareExchange(
                expected: offset, desired: offset + (claimed ? UInt64(size) : found >> 8),
                ordering: .acquiringAndReleasing)
            if claimed { return Int(offset) }
        }
    }
}

/// Numbers the remarks of a recording, without locks. A hash table in the recording's header contains their hashes, and
/// a remark's number is its index there plus one. The table is in the recording because several processes may write to
/// it.
struct RemarkTable {
    let memory: RecordingMemory
    let names: NameArea

    /// The bit that is set in the entry of a remark whose words are in the recording. The hashes themselves are even.
    private static let written: UInt64 = 1

    /// The remark's number, from 1. When this returns, its words are in the recording, and so before any event that
    /// refers to them. 0: there is no room for them.
    func number(of remark: Remark) -> UInt8 {
        var place = Int(remark.key >> 32) % Remark.limit
        for _ in 0..<Remark.limit {
            let entry = memory.word(offset(ofEntry: place))
            var found = entry.pointee.load(ordering: .acquiring)
            if found == 0 {
                found =
                    entry.pointee.compareExchange(
                        expected: 0, desired: remark.key, ordering: .acquiringAndReleasing
                    ).original
                if found == 0 { found = remark.key }
            }
            if found & ~Self.written == remark.key {
                guard found & Self.written != 0 || write(remark, place + 1) else { return 0 }
                return UInt8(place + 1)
            }
            place = (place + 1) % Remark.limit
        }
        return 0
    }

    /// Writes the words. A thread that finds a number without words writes them too, instead of waiting for the thread
    /// that took the number, which may be dead.
    private func write(_ remark: Remark, _ number: Int) -> Bool {
        guard names.add(.remark, id: UInt32(number), remark.record) != 0 else { return false }
        memory.store(offset(ofEntry: number - 1), remark.key | Self.written)
        return true
    }

    private func offset(ofEntry place: Int) -> Int {
        RecordingLayout.Header.remarks + place * MemoryLayout<UInt64>.size
    }
}
