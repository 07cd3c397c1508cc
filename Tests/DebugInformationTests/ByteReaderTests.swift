import Testing

@testable import DebugInformation

/// Numbers and texts as files have them: each that can be read, and none that cannot.
@Suite struct ByteReaderTests {
    @Test(
        arguments: [
            ([0x02], 2), ([0x7F], 127), ([0x80, 0x01], 128), ([0xE5, 0x8E, 0x26], 624_485), ([0x80, 0x80, 0x00], 0),
            ([UInt8](repeating: 0xFF, count: 9) + [0x01], .max), ([UInt8](repeating: 0xFF, count: 9) + [0x03], nil),
            ([0x80], nil), ([], nil), ([UInt8](repeating: 0x80, count: 10) + [0x00], nil),
        ] as [([UInt8], UInt64?)])
    func `a number with seven bits in each byte has up to 64 bits`(bytes: [UInt8], number: UInt64?) {
        var reader = ByteReader(bytes)
        #expect(reader.unsigned() == number)
    }

    @Test(
        arguments: [
            ([0x02], 2), ([0x7E], -2), ([0xFF, 0x00], 127), ([0x81, 0x7F], -127), ([0x80, 0x01], 128),
            ([0x80, 0x7F], -128), ([UInt8](repeating: 0x80, count: 9) + [0x7F], .min),
            ([UInt8](repeating: 0xFF, count: 9) + [0x00], .max), ([UInt8](repeating: 0x80, count: 9) + [0x01], nil),
            ([0xFF], nil), ([], nil),
        ] as [([UInt8], Int?)])
    func `one with a sign has up to 64 bits, too`(bytes: [UInt8], number: Int?) {
        var reader = ByteReader(bytes)
        #expect(reader.signed() == number)
    }

    @Test func `nothing beyond the end is read, wherever the reading begins`() {
        for place in [-1, 4, 5, .min, .max] {
            var reader = ByteReader([1, 2, 3, 4], at: place)
            #expect(reader.rest == 0)
            let (number, text) = (reader.integer(1), reader.text())
            #expect(number == nil && text == nil)
            #expect(!reader.skipText() && !reader.skip(1))
        }
        var reader = ByteReader([1, 2, 3, 4], until: 2)
        let (four, two) = (reader.integer(4), reader.integer(2))
        #expect(four == nil && two == 0x0201)
        #expect(!reader.skip(.max) && !reader.skip(-1))
        let blocks = (reader.block(.max), reader.block(-1), reader.block(nil))
        #expect(blocks.0 == nil && blocks.1 == nil && blocks.2 == nil)
    }

    @Test func `a row that is too far away is not there`() {
        let bytes = [UInt8](0..<16)
        for (row, base) in [(UInt64.max, 8), (1 << 60, 8), (1, .max), (0, -1), (2, 0)] {
            var reader = ByteReader(bytes, row: row, size: 8, from: base)
            let number = reader.integer(8)
            #expect(number == nil, "\(row), \(base)")
        }
        var reader = ByteReader(bytes, row: 1, size: 4, from: 8)
        #expect(reader.integer(1) == 12)
    }

    @Test func `a text ends with a zero, and of a long one the beginning can be read`() {
        let long = [UInt8](repeating: 0x61, count: Limits.textBytes)
        var reader = ByteReader(long + [0])
        #expect(reader.beginningOfText(4) == "aaaa")
        let text = reader.text()
        #expect(text == nil)
        var shorter = ByteReader(long.dropLast() + [0, 0x62, 0])
        let texts = (shorter.text()?.utf8.count, shorter.beginningOfText(4), shorter.text(), shorter.text())
        #expect(texts.0 == Limits.textBytes - 1 && texts.1 == "b" && texts.2 == "b" && texts.3 == nil)
        #expect(ByteReader([0x61]).beginningOfText(4) == nil)
    }

    @Test func `sums and products beyond the ends of numbers are the ends, or none`() {
        #expect(UInt64.max.saturatingAdd(1) == .max && UInt64(3).saturatingAdd(4) == 7)
        #expect((UInt64(1) << 63).saturatingMultiply(2) == .max && UInt64(3).saturatingMultiply(4) == 12)
        #expect(Int.max.saturatingAdd(1) == .max && Int.min.saturatingAdd(-1) == .min && 3.saturatingAdd(-4) == -1)
        #expect(Int.max.adding(1) == nil && 3.adding(-4) == -1)
        #expect(UInt64(3).adding(-4) == nil && UInt64.max.adding(1) == nil && UInt64(3).adding(.min) == nil)
        #expect(UInt64(3).adding(-3) == 0 && (UInt64(1) << 63).adding(.min) == 0)
    }
}
