import Testing

@testable import DebugInformation

/// Tables of functions that say nothing true.
@Suite struct FunctionTableTests {
    @Test func `no table of functions makes the reader look elsewhere`() {
        var state: UInt64 = 3
        func random(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 40)
            }
        }
        // A unit whose one kind of entry is a function, with attributes and forms that are damaged.
        for length in 0..<400 {
            let rest = random(length)
            let size = UInt32(rest.count + 8)
            let sizes = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
            let info = sizes + [5, 0, 1, 8, 0, 0, 0, 0] + rest.map { $0 & 3 }
            let forms = random(24).flatMap { [0x11 &+ $0 & 1, $0 & 0x2F] }
            let shapes: [UInt8] = [1, 0x11, 1] + forms + [0, 0, 2, 0x2E, 1] + forms.reversed() + [0, 0, 0]
            let bytes = random(64)
            let sections = DwarfSections { name in
                switch name {
                case ".debug_info": info
                case ".debug_abbrev": shapes
                default: bytes
                }
            }
            var table = FunctionTable(sections)
            _ = table.frames(at: 0x1000)
        }
    }
}
