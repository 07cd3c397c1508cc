/// Reads numbers and texts of DWARF, one after the other. Nothing beyond the end is read.
struct DwarfReader {
    private let bytes: [UInt8]
    private var end: Int
    var place = 0

    /// - Parameter end: where the reading ends, if that is before the end of the bytes.
    init(_ bytes: [UInt8], at place: Int = 0, until end: Int = .max) {
        self.bytes = bytes
        self.place = place
        self.end = min(end, bytes.count)
    }

    var rest: Int { max(0, end - place) }

    mutating func integer(_ size: Int) -> UInt64? {
        guard size >= 0, size <= 8, place >= 0, rest >= size else { return nil }
        var value: UInt64 = 0
        for i in 0..<size { value |= UInt64(bytes[place + i]) << (8 * UInt64(i)) }
        place += size
        return value
    }

    /// A number with seven bits in each byte.
    mutating func unsigned() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = integer(1), shift < 64 {
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    mutating func signed() -> Int? {
        var value = 0
        var shift = 0
        while let byte = integer(1), shift < 64 {
            value |= Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 { return byte & 0x40 != 0 && shift < 64 ? value | (-1 << shift) : value }
        }
        return nil
    }

    mutating func string() -> String? {
        guard place >= 0, place < bytes.count, let end = bytes[place...].prefix(1 << 16).firstIndex(of: 0) else {
            return nil
        }
        defer { place = end + 1 }
        return String(decoding: bytes[place..<end], as: UTF8.self)
    }

    /// The next bytes, to be read on their own.
    mutating func block(_ count: Int) -> DwarfReader? {
        guard count >= 0, place >= 0, count <= rest else { return nil }
        var block = self
        block.end = place + count
        place += count
        return block
    }

    /// A file or folder of a unit.
    struct Entry {
        var path = ""
        var folder: UInt64 = 0
    }

    /// The entries of a table of files or folders (version 5), which says itself what an entry consists of.
    mutating func entries(_ is64: Bool, _ strings: [UInt8], _ lineStrings: [UInt8]) -> [Entry]? {
        guard let formatCount = integer(1) else { return nil }
        var formats: [(content: UInt64, form: UInt64)] = []
        for _ in 0..<formatCount {
            guard let content = unsigned(), let form = unsigned() else { return nil }
            formats.append((content, form))
        }
        guard let count = unsigned(), count <= UInt64(rest) else { return nil }
        var entries: [Entry] = []
        for _ in 0..<count {
            var entry = Entry()
            for (content, form) in formats {
                switch form {
                case 0x08:
                    guard let text = string() else { return nil }
                    if content == 1 { entry.path = text }
                case 0x0E, 0x1F:
                    guard let offset = integer(is64 ? 8 : 4), let offset = Int(exactly: offset) else { return nil }
                    var reader = DwarfReader(form == 0x0E ? strings : lineStrings, at: offset)
                    if content == 1 { entry.path = reader.string() ?? "?" }
                case 0x0B, 0x05, 0x06, 0x07:
                    guard let value = integer([0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8][form]!) else { return nil }
                    if content == 2 { entry.folder = value }
                case 0x0F:
                    guard let value = unsigned() else { return nil }
                    if content == 2 { entry.folder = value }
                case 0x1E:
                    guard rest >= 16 else { return nil }
                    place += 16
                case 0x09:
                    guard let length = unsigned(), length <= UInt64(rest) else { return nil }
                    place += Int(length)
                default: return nil
                }
            }
            entries.append(entry)
        }
        return entries
    }
}
