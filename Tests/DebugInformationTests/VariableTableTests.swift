import Testing

@testable import DebugInformation

/// What compilers write of variables, made by hand.
@Suite struct VariableTableTests {
    /// A function from 16 to 32, whose addresses are relative to the end of its frame, and types: 1 is the unit, 2 the function, 3 a variable,
    /// 4 a structure, 5 a member, 6 a number of four bytes, 7 an array, 8 its bounds, 9 a pointer.
    private static let shapes: [UInt8] =
        [1, 0x11, 1, 0, 0]
        + [2, 0x2E, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x0B, 0x40, 0x18, 0, 0]
        + [3, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0]
        + [4, 0x13, 1, 0x0B, 0x0B, 0, 0]
        + [5, 0x0D, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0B, 0, 0]
        + [6, 0x24, 0, 0x0B, 0x0B, 0, 0]
        + [7, 0x01, 1, 0x49, 0x13, 0, 0]
        + [8, 0x21, 0, 0x37, 0x0B, 0, 0]
        + [9, 0x0F, 0, 0x49, 0x13, 0, 0]
        + [0]

    /// `struct { int a; int b[2]; } s[3]`, 40 bytes before the end of the frame.
    private static let info: [UInt8] = {
        let number: UInt8 = 13
        var entries: [UInt8] = [1, 6, 4]
        let array = UInt8(12 + entries.count)
        entries += [7, number, 0, 0, 0, 8, 2, 0]
        let structure = UInt8(12 + entries.count)
        entries += [4, 12, 5, 0x61, 0, number, 0, 0, 0, 0, 5, 0x62, 0, array, 0, 0, 0, 4, 0]
        let all = UInt8(12 + entries.count)
        entries += [7, structure, 0, 0, 0, 8, 3, 0]
        entries += [2, 0x66, 0, 16, 0, 0, 0, 0, 0, 0, 0, 16, 1, 0x9C]
        entries += [3, 0x73, 0, all, 0, 0, 0, 2, 0x91, 0x58, 0, 0]
        return [UInt8(entries.count + 8), 0, 0, 0, 5, 0, 1, 8, 0, 0, 0, 0] + entries
    }()

    private func tables(_ info: [UInt8], _ shapes: [UInt8] = shapes, _ rest: [UInt8] = []) -> (
        FunctionTable, VariableTable
    ) {
        let sections = DwarfSections { name in
            name == ".debug_info" ? info : name == ".debug_abbrev" ? shapes : rest
        }
        let functions = FunctionTable(sections)
        return (functions, VariableTable(functions.tree))
    }

    private func frame(_ code: UInt64) -> DwarfFrame {
        DwarfFrame(code: code, stack: 900, base: 0, end: 1000, word: { _ in 0 })
    }

    @Test(arguments: [
        (960, "[0].a", 0), (966, "[0].b[0]", 2), (972, "[1].a", 0), (983, "[1].b[1]", 3), (995, "[2].b[1]", 3),
    ])
    func `a byte of a local variable is a part of it`(address: UInt64, path: String, rest: UInt64) throws {
        var (functions, variables) = tables(Self.info)
        // The function is where the linker has put it: the unit says nothing of its own code.
        let entry = try #require(Self.info.lastIndex(of: 0x66)) - 1
        _ = functions.frames(at: 20)
        let found = variables.local(at: address, in: frame(20), of: entry)
        #expect(found?.name == "s" && found?.start == 960)
        #expect(found?.part == DwarfTypes.Part(path: path, rest: rest), "\(String(describing: found))")
    }

    /// `struct { int a; int b[2]; } *p` in the register `rbx`, which is 3, in place of `s`.
    private static let infoOfPointer: [UInt8] = {
        // The structure is from 23 to 42 in the other information, and what comes before it is needed, too.
        let (structure, pointer): (UInt8, UInt8) = (23, 42)
        var entries = Array(info[12..<Int(pointer)])
        entries += [9, structure, 0, 0, 0]
        entries += [2, 0x66, 0, 16, 0, 0, 0, 0, 0, 0, 0, 16, 1, 0x9C]
        entries += [3, 0x70, 0, pointer, 0, 0, 0, 1, 0x53, 0, 0]
        return [UInt8(entries.count + 8)] + info[1..<12] + entries
    }()

    @Test(
        arguments: [
            (0, 12, "p->a", nil), (4, 12, "p->b[0]", nil), (16, 36, "p[1].b[0]", nil), (12, 12, nil, nil),
        ] as [(UInt64, UInt64, String?, UInt64?)])
    func `a byte of a block is what a pointer in a register leads to`(
        distance: UInt64, size: UInt64, text: String?, element: UInt64?
    ) throws {
        var (_, variables) = tables(Self.infoOfPointer)
        let entry = try #require(Self.infoOfPointer.lastIndex(of: 0x66)) - 1
        let frame = DwarfFrame(code: 20, stack: 900, base: 0, end: 1000, kept: [3: 5000]) { _ in 0 }
        let found = variables.expressions(in: frame, of: entry, line: nil) { _ in nil }
        #expect(found.variables.map(\.text) == ["p"] && found.members.isEmpty)
        let expression = try #require(found.variables.first)
        #expect(expression.value == 5000)
        let designation = variables.designation(of: 5000 + distance, in: 5000..<5000 + size, by: expression)
        #expect(designation?.text == text && designation?.element == element)
        // A pointer to the third of three things: the first of which could be the block's beginning.
        let inside = variables.designation(of: 5000, in: 4976..<5012, by: expression)
        #expect(inside?.text == "p->a" && inside?.element == 2)
    }

    @Test func `what is beside a variable is not a part of it`() throws {
        var (_, variables) = tables(Self.info)
        let entry = try #require(Self.info.lastIndex(of: 0x66)) - 1
        for address: UInt64 in [959, 996] {
            let found = variables.local(at: address, in: frame(20), of: entry)
            #expect(found == nil)
        }
    }

    @Test func `no damage makes the reader look elsewhere`() throws {
        var state: UInt64 = 5
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let entry = try #require(Self.info.lastIndex(of: 0x66)) - 1
        let rest = (0..<256).map { _ in UInt8(random(256)) }
        for _ in 0..<3000 {
            var (info, shapes) = (Self.info, Self.shapes)
            for _ in 0...random(6) { info[12 + random(info.count - 12)] = UInt8(random(4) == 0 ? 255 : random(256)) }
            for _ in 0..<random(3) { shapes[random(shapes.count)] = UInt8(random(64)) }
            var (functions, variables) = tables(info, shapes, rest)
            _ = functions.entry(at: 20)
            for address: UInt64 in [0, 960, 980, .max] {
                _ = variables.local(at: address, in: frame(20), of: entry)
                _ = variables.global(at: address, 4)
            }
        }
    }

    @Test func `no extreme number in any place makes the reader look elsewhere`() throws {
        let entry = try #require(Self.info.lastIndex(of: 0x66)) - 1
        func look(_ info: [UInt8], _ shapes: [UInt8]) {
            var (functions, variables) = tables(info, shapes, [UInt8](repeating: 0xFF, count: 64))
            _ = functions.frames(at: 20)
            _ = functions.entry(at: .max)
            for address: UInt64 in [0, 960, 980, .max] {
                _ = variables.local(at: address, in: frame(20), of: entry)
                _ = variables.global(at: address, .max)
            }
        }
        for bytes in ExtremeBytes.all {
            for place in Self.info.indices { look(ExtremeBytes.changed(Self.info, at: place, bytes), Self.shapes) }
            for place in Self.shapes.indices { look(Self.info, ExtremeBytes.changed(Self.shapes, at: place, bytes)) }
        }
    }

    @Test func `types that contain themselves end`() throws {
        // The element of the array of all is that array.
        var info = Self.info
        let all = try #require(info.lastIndex(of: 0x66)) - 1 - 8
        info[all + 1] = UInt8(all)
        var (_, variables) = tables(info)
        let found = variables.local(at: 970, in: frame(20), of: all + 8)
        // Its size is not known, so neither is what it covers.
        #expect(found == nil)
    }
}
