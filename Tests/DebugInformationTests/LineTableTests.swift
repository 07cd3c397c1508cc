import Testing

@testable import DebugInformation

/// Tables of lines, made by hand.
@Suite struct LineTableTests {
    private static let lines: [UInt8] = {
        // Version 4: one folder of none, files a and b; then rows at 16: file 2, line 1; file 1, line 2; and the end at 32.
        let files: [UInt8] = [0, 0x61, 0, 0, 0, 0, 0x62, 0, 0, 0, 0, 0]
        let lengths: [UInt8] = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
        let rest: [UInt8] = [1, 1, 1, 0xFB, 14, 13] + lengths + files
        let start: [UInt8] = [0, 9, 2, 16, 0, 0, 0, 0, 0, 0, 0]
        let program: [UInt8] = start + [4, 2, 1, 4, 1, 3, 1, 1, 2, 16, 0, 1, 1]
        let body: [UInt8] = [4, 0, UInt8(rest.count), 0, 0, 0] + rest + program
        return [UInt8(body.count), 0, 0, 0] + body
    }()

    @Test func `of the lines of one address the last one counts`() {
        let table = LineTable(lines: Self.lines, DwarfSections { _ in [] }, from: nil)
        let place = table.place(20)
        #expect(place?.file == "a" && place?.line == 2, "\(String(describing: place))")
        #expect(table.place(32) == nil)
    }

    @Test func `no extreme number in any place makes the reader look elsewhere`() {
        for bytes in ExtremeBytes.all {
            for place in Self.lines.indices {
                let lines = ExtremeBytes.changed(Self.lines, at: place, bytes)
                let table = LineTable(lines: lines, DwarfSections { _ in lines }, from: nil)
                for address: UInt64 in [0, 20, .max] { _ = table.place(address) }
                _ = table.file(.max, ofUnit: 0)
            }
        }
    }

    @Test func `no table of lines makes the reader look elsewhere`() {
        var state: UInt64 = 2
        for length in 0..<400 {
            let bytes = (0..<length).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 40)
            }
            // A unit of version 5 or 4 that is as long as the rest.
            let size = UInt32(length + 2)
            let header = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + [length % 2 == 0 ? 5 : 4, 0]
            let table = LineTable(lines: header + bytes, DwarfSections { _ in bytes }, from: nil)
            _ = table.place(0x1000)
        }
    }
}
