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

    @Test func `no extreme number in any place makes the reader look elsewhere`() throws {
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
}
