import Testing

@testable import DebugInformation

/// Values of entries in each form of the standard.
@Suite struct DwarfDecoderTests {
    private static let context = DwarfContext(version: 5, is64: false, start: 100, strings: 8, addresses: 8)
    private static let header = [UInt8](repeating: 0, count: 8)

    private static let decoder = DwarfDecoder(
        DwarfSections { name in
            switch name {
            case ".debug_str": Array("none\0text\0".utf8)
            case ".debug_line_str": Array("path\0".utf8)
            case ".debug_str_offsets": header + [5, 0, 0, 0]
            case ".debug_addr": header + [0x34, 0x12, 0, 0, 0, 0, 0, 0]
            default: []
            }
        })

    private static func words(_ value: DwarfValue?) -> String {
        switch value {
        case .number(let number): "\(number)"
        case .address(let address): "at \(address)"
        case .text: value?.text ?? "?"
        case .entry(let place): "entry \(place)"
        case .rangeIndex(let index): "ranges \(index)"
        case .locationIndex(let index): "locations \(index)"
        case .block(let bytes): "\(bytes.rest) bytes"
        case .other: "other"
        case nil: "nothing"
        }
    }

    private static let long = [UInt8](repeating: 0, count: 16)

    @Test(
        arguments: [
            (.addr, [1, 2, 0, 0, 0, 0, 0, 0], "at 513"), (.data1, [0xFF], "255"), (.flag, [1], "1"),
            (.data2, [1, 2], "513"), (.data4, [1, 2, 0, 0], "513"), (.data8, [1, 2, 0, 0, 0, 0, 0, 0], "513"),
            (.data16, long, "other"), (.sdata, [0x7E], "\(UInt64.max - 1)"), (.udata, [0x80, 1], "128"),
            (.implicitConst, [], "7"), (.flagPresent, [], "1"), (.secOffset, [1, 2, 0, 0], "513"),
            (.string, [0x61, 0], "a"), (.strp, [5, 0, 0, 0], "text"), (.lineStrp, [0, 0, 0, 0], "path"),
            (.strx, [0], "text"), (.strx1, [0], "text"), (.strx2, [0, 0], "text"), (.strx3, [0, 0, 0], "text"),
            (.strx4, [0, 0, 0, 0], "text"), (.strx, [1], "other"), (.strp, [99, 0, 0, 0], "?"),
            (.addrx, [0], "at 4660"), (.addrx1, [0], "at 4660"), (.addrx2, [0, 0], "at 4660"),
            (.addrx3, [0, 0, 0], "at 4660"), (.addrx4, [0, 0, 0, 0], "at 4660"), (.addrx, [1], "other"),
            (.ref1, [9], "entry 109"), (.ref2, [9, 0], "entry 109"), (.ref4, [9, 0, 0, 0], "entry 109"),
            (.ref8, [9, 0, 0, 0, 0, 0, 0, 0], "entry 109"), (.refUdata, [9], "entry 109"),
            (.ref8, [UInt8](repeating: 0xFF, count: 8), "other"), (.refAddr, [9, 0, 0, 0], "entry 9"),
            (.block1, [2, 0, 0], "2 bytes"), (.block2, [2, 0, 0, 0], "2 bytes"),
            (.block4, [2, 0, 0, 0, 0, 0], "2 bytes"),
            (.block, [2, 0, 0], "2 bytes"), (.exprloc, [0], "0 bytes"), (.loclistx, [3], "locations 3"),
            (.rnglistx, [3], "ranges 3"), (.refSig8, [0, 0, 0, 0, 0, 0, 0, 0], "other"),
            (.refSup8, [0, 0, 0, 0, 0, 0, 0, 0], "other"), (.refSup4, [0, 0, 0, 0], "other"),
            (.strpSup, [0, 0, 0, 0], "other"), (.gnuRefAlt, [0, 0, 0, 0], "other"),
            (.gnuStrpAlt, [0, 0, 0, 0], "other"),
            (.indirect, [0x0F, 9], "9"),
        ] as [(DwarfForm, [UInt8], String)])
    func `a form has its value in just its bytes`(form: DwarfForm, bytes: [UInt8], words: String) {
        var reader = ByteReader(bytes + [0xAA])
        let value = Self.decoder.value(form, constant: 7, &reader, Self.context)
        #expect(Self.words(value) == words)
        #expect(reader.rest == 1)
        guard !bytes.isEmpty else { return }
        var shorter = ByteReader(bytes.dropLast())
        let none = Self.decoder.value(form, constant: 7, &shorter, Self.context)
        #expect(Self.words(none) == "nothing")
    }

    @Test func `a form that names itself, or none, has no value`() {
        for bytes: [UInt8] in [[0x16, 0x16, 0x0B, 1], [0x7F, 1], [0]] {
            var reader = ByteReader(bytes)
            #expect(Self.words(Self.decoder.value(.indirect, &reader, Self.context)) == "nothing")
        }
        var reader = ByteReader([1])
        #expect(Self.words(Self.decoder.value(nil, &reader, Self.context)) == "nothing")
    }

    @Test(arguments: [(2, false, 8), (3, false, 4), (5, true, 8)])
    func `an offset is as long as the unit says`(version: Int, is64: Bool, size: Int) {
        let context = DwarfContext(version: version, is64: is64, start: 0, strings: 0, addresses: 0)
        var reader = ByteReader([9, 0, 0, 0, 0, 0, 0, 0])
        #expect(Self.words(Self.decoder.value(.refAddr, &reader, context)) == "entry 9")
        #expect(reader.place == size)
    }

    @Test(
        arguments: [
            (.ofRanges, [1, 0, 4, 1, 2, 0], [0x1235..<0x1236]),
            (.ofRanges, [5, 16, 0, 0, 0, 0, 0, 0, 0, 4, 1, 2, 0], [17..<18]),
            (.ofRanges, [2, 0, 0, 3, 0, 4, 0], [0x1234..<0x1238]),
            (
                .ofRanges, [6, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0, 0, 0, 0, 1],
                [1..<3, 8..<9]
            ),
            (.ofLocations, [1, 0, 4, 1, 2, 0, 5, 0, 0], [0x1235..<0x1236, 0..<UInt64.max]),
            (.ofLocations, [6, 16, 0, 0, 0, 0, 0, 0, 0, 4, 1, 2, 1, 0x91, 0], [17..<18]),
            (.ofLocations, [8, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 9], [8..<9]),
        ] as [(Kind, [UInt8], [Range<UInt64>])])
    func `a list of version 5 has its pieces of code`(kind: Kind, list: [UInt8], code: [Range<UInt64>]) throws {
        let sections = DwarfSections { name in
            name == ".debug_addr"
                ? Self.header + [0x34, 0x12, 0, 0, 0, 0, 0, 0] : name == ".debug_info" ? Self.unit : list
        }
        var reader = ByteReader(sections.info)
        let unit = try #require(DwarfUnit(&reader))
        let lists = DwarfLists(sections)
        var work = Work()
        let found =
            switch kind {
            case .ofRanges: lists.ranges(low: nil, high: nil, list: .number(0), unit, &work)
            case .ofLocations: lists.locations(.number(0), unit, &work).compactMap(\.code)
            }
        #expect(found == code)
    }

    enum Kind { case ofRanges, ofLocations }
    private static let unit: [UInt8] = [9, 0, 0, 0, 5, 0, 1, 8, 0, 0, 0, 0, 0]
}
