/// Reads numbers and texts of ELF and DWARF, one after the other. Numbers are little-endian.
///
/// This is where damaged files are noticed: what is outside of the bytes, a number that needs more than 64 bits, and a
/// text longer than `Limits.textBytes` are all read as nil.
struct ByteReader: Sendable {
    private let bytes: [UInt8]
    private let end: Int
    /// The index of the next byte. Never beyond the end.
    private(set) var place: Int

    /// - Parameters:
    ///   - place: where the reading begins. If it is outside of the bytes, nothing can be read.
    ///   - end: where the reading ends, if that is before the end of the bytes.
    init(_ bytes: [UInt8], at place: Int = 0, until end: Int = .max) {
        self.bytes = bytes
        self.end = max(0, min(end, bytes.count))
        self.place = place >= 0 && place < self.end ? place : self.end
    }

    /// Begins at a row of a table. The table begins at `base`, and its rows have this size.
    init(_ bytes: [UInt8], row: UInt64, size: Int, from base: Int) {
        let (distance, isTooFar) = row.multipliedReportingOverflow(by: UInt64(size))
        let place = isTooFar ? nil : Int(exactly: distance)?.adding(base)
        self.init(bytes, at: place ?? .max)
    }

    /// The number of bytes that are left.
    var rest: Int { end - place }

    /// An unsigned number of a fixed size.
    ///
    /// - Parameter size: its size in bytes, up to eight.
    mutating func integer(_ size: Int) -> UInt64? {
        guard size >= 0, size <= 8, rest >= size else { return nil }
        var value: UInt64 = 0
        for i in 0..<size { value |= UInt64(bytes[place + i]) << (8 * UInt64(i)) }
        place += size
        return value
    }

    /// An unsigned LEB128 number: seven bits in each byte.
    mutating func unsigned() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64, let byte = integer(1) {
            let bits = byte & 0x7F
            if shift == 63 && bits > 1 { return nil }
            value |= bits << shift
            shift += 7
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// A signed LEB128 number.
    mutating func signed() -> Int? {
        var value = 0
        var shift = 0
        while shift < 64, let byte = integer(1) {
            let bits = Int(byte & 0x7F)
            if shift == 63 && bits != 0 && bits != 0x7F { return nil }
            value |= bits << shift
            shift += 7
            if byte & 0x80 == 0 { return byte & 0x40 != 0 && shift < 64 ? value | (-1 << shift) : value }
        }
        return nil
    }

    /// A number of this size that fits into an `Int`: an offset in a file, or a length.
    mutating func offset(_ size: Int) -> Int? { integer(size).flatMap { Int(exactly: $0) } }

    /// A text that ends with a zero byte.
    mutating func text() -> String? {
        let start = place
        guard skipText() else { return nil }
        return String(decoding: bytes[start..<place - 1], as: UTF8.self)
    }

    /// The next text, cut off after `most` bytes. It stays the next thing to read. Nil: the text has no end.
    func beginningOfText(_ most: Int) -> String? {
        let beginning = bytes[place..<end].prefix(most)
        let zero = beginning.firstIndex(of: 0)
        if zero == nil && beginning.count < most { return nil }
        return String(decoding: beginning[..<(zero ?? beginning.endIndex)], as: UTF8.self)
    }

    /// Skips the next text with its zero byte. Returns false if the text has no end, or is too long.
    mutating func skipText() -> Bool {
        guard let zero = bytes[place..<end].prefix(Limits.textBytes).firstIndex(of: 0) else { return false }
        place = zero + 1
        return true
    }

    /// Skips this number of bytes. Returns false if fewer are left.
    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= rest else { return false }
        place += count
        return true
    }

    /// A reader of the next bytes only, which this one skips. Nil: fewer bytes are left, or `count` is nil because it
    /// could not be read.
    mutating func block(_ count: Int?) -> ByteReader? {
        guard let count, count >= 0, count <= rest else { return nil }
        let block = ByteReader(bytes, at: place, until: place + count)
        place += count
        return block
    }
}

extension Int {
    /// The sum. Nil: it is too large.
    func adding(_ other: Int) -> Int? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }

    /// The sum, or the greatest or least number if it is outside of the range.
    func saturatingAdd(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? other < 0 ? .min : .max : sum
    }
}

extension UInt64 {
    /// The sum, or the greatest number. Linkers give code that they have dropped addresses at the end of memory, so a
    /// length may lead beyond it.
    func saturatingAdd(_ length: UInt64) -> UInt64 {
        let (sum, isTooLarge) = addingReportingOverflow(length)
        return isTooLarge ? .max : sum
    }

    /// The product, or the greatest number.
    func saturatingMultiply(_ factor: UInt64) -> UInt64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        return isTooLarge ? .max : product
    }

    /// The address at this distance. Nil: it would be outside of memory.
    func adding(_ distance: Int) -> UInt64? {
        let (sum, isOutside) =
            distance < 0
            ? subtractingReportingOverflow(UInt64(distance.magnitude)) : addingReportingOverflow(UInt64(distance))
        return isOutside ? nil : sum
    }
}
