import Glibc
import Testing

@testable import DebugInformation

/// Files that may be damaged: what they say is read as far as it can be, and nothing beyond.
@Suite struct ElfFileTests {
    private static let content: [UInt8] = {
        guard let file = fopen("/bin/true", "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }()

    private func read(_ bytes: [UInt8]) throws -> ElfFile? {
        var template = Array("/tmp/threadlab-elf-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        defer { unlink(&template) }
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        return ElfFile(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    @Test func `a program's sections are found`() throws {
        let file = try #require(try read(Self.content))
        #expect(file.section(".dynsym")?.isEmpty == false)
        #expect(file.section(".none") == nil)
    }

    @Test(arguments: [0, 3, 63, 64, 65, 200, 4096]) func `a file that is cut off is read as far as it goes`(length: Int)
        throws
    {
        let file = try read(Array(Self.content.prefix(length)))
        #expect(file?.section(".dynsym") == nil)
    }

    @Test func `no damage makes the reader look elsewhere`() throws {
        var state: UInt64 = 1
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for _ in 0..<300 {
            var bytes = Self.content
            for _ in 0..<8 { bytes[random(64)] = UInt8(random(256)) }
            for _ in 0..<8 { bytes[bytes.count - 1 - random(2048)] = UInt8(random(256)) }
            if let file = try read(bytes) {
                _ = SymbolTable(symbols: file.section(".dynsym") ?? [], names: file.section(".dynstr") ?? [])
                    .symbol(at: 0x1000, isFunction: true)
            }
        }
    }

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

    @Test func `no extreme number in any place makes the reader look elsewhere`() throws {
        for bytes in ExtremeBytes.all {
            for place in Self.lines.indices {
                let lines = ExtremeBytes.changed(Self.lines, at: place, bytes)
                let table = LineTable(lines: lines, strings: lines, lineStrings: lines)
                for address: UInt64 in [0, 20, .max] { _ = table.place(address) }
                _ = table.file(.max, ofUnit: 0)
            }
        }
        // Of the first header all fields, and of the last one: those of sections are at the end.
        let places = Array(0..<64) + Array(Self.content.count - 128..<Self.content.count)
        for place in places {
            for bytes in ExtremeBytes.all where bytes.count > 2 {
                guard let file = try read(ExtremeBytes.changed(Self.content, at: place, bytes)) else { continue }
                _ = file.needed
                _ = SymbolTable(symbols: file.section(".dynsym") ?? [], names: file.section(".dynstr") ?? [])
                    .symbol(at: .max, isFunction: true)
            }
        }
    }

    @Test func `of the lines of one address the last one counts`() {
        let table = LineTable(lines: Self.lines, strings: [], lineStrings: [])
        let place = table.place(20)
        #expect(place?.file == "a" && place?.line == 2, "\(String(describing: place))")
        #expect(table.place(32) == nil)
    }

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
            let table = LineTable(lines: header + bytes, strings: bytes, lineStrings: bytes)
            _ = table.place(0x1000)
        }
    }
}
