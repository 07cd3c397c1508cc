import Glibc

/// The sections of an ELF file, 64 bits, little endian.
///
/// The file may be damaged. A section that cannot be read counts as missing.
package struct ElfFile: Sendable {
    private let bytes: [UInt8]
    /// Where the content of each section is in the file, by name.
    private(set) var sections: [String: Range<Int>] = [:]

    /// Nil: the file cannot be read, or is not an ELF file of this kind.
    package init?(_ path: String) {
        guard let bytes = Self.content(path) else { return nil }
        self.init(bytes)
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Header.size, bytes.starts(with: Header.start) else { return nil }
        self.bytes = bytes
        readSections()
    }

    private static func content(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, (Header.size...Limits.fileBytes).contains(status.st_size) else {
            return nil
        }
        // A file that another process is writing may have become shorter.
        return [UInt8](unsafeUninitializedCapacity: status.st_size) { buffer, filled in
            while filled < buffer.count {
                let count = read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
                if count <= 0 { break }
                filled += count
            }
        }
    }

    // MARK: - Sections

    /// The header of a file (`Elf64_Ehdr`): the offsets of its fields.
    private enum Header {
        static let size = 64
        /// The beginning of `e_ident`: the magic number, 64 bits, little endian.
        static let start: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
        static let sectionHeaders = 0x28
        static let sectionHeaderSize = 0x3A
    }

    /// `SHT_NOBITS`: the section has no content in the file.
    private static let noBits: UInt64 = 8

    private struct SectionHeader {
        /// The size of `Elf64_Shdr`, in bytes.
        static let size = 64
        /// The offset of the section's name in the table of names.
        let name: Int
        let content: Range<Int>
    }

    private mutating func readSections() {
        var offset = ByteReader(bytes, at: Header.sectionHeaders)
        var sizes = ByteReader(bytes, at: Header.sectionHeaderSize)
        guard let start = offset.offset(8), let size = sizes.offset(2), let count = sizes.integer(2),
            let namesNumber = sizes.integer(2), size >= SectionHeader.size
        else { return }
        func header(_ number: UInt64) -> SectionHeader? {
            sectionHeader(ByteReader(bytes, row: number, size: size, from: start))
        }
        guard let names = header(namesNumber)?.content else { return }
        for number in 0..<count {
            guard let header = header(number), let name = text(header.name, in: names) else { continue }
            sections[name] = header.content
        }
    }

    /// `Elf64_Shdr`. Nil: it cannot be read, or its section has no content in the file.
    private func sectionHeader(_ reader: ByteReader) -> SectionHeader? {
        var reader = reader
        guard let name = reader.offset(4), let type = reader.integer(4), type != Self.noBits,
            // Skips the flags and the address in memory.
            reader.skip(16), let start = reader.offset(8), let length = reader.offset(8),
            let end = start.adding(length), end <= bytes.count
        else { return nil }
        return SectionHeader(name: name, content: start..<end)
    }

    /// The text at this offset in a table of names.
    private func text(_ offset: Int, in names: Range<Int>) -> String? {
        guard let place = names.lowerBound.adding(offset) else { return nil }
        var reader = ByteReader(bytes, at: place)
        return reader.text()
    }

    /// The content of a section. Nil: there is none of this name.
    package func section(_ name: String) -> [UInt8]? { sections[name].map { Array(bytes[$0]) } }

    /// The names of the libraries that the file was linked with.
    package var needed: [String] {
        guard let entries = sections[".dynamic"], let names = sections[".dynstr"] else { return [] }
        var reader = ByteReader(bytes, at: entries.lowerBound, until: entries.upperBound)
        var found: [String] = []
        // `Elf64_Dyn`: a tag and a value. For `neededTag`, the value is the offset of a library's name.
        while let tag = reader.integer(8), let value = reader.integer(8) {
            guard tag == Self.neededTag, let name = Int(exactly: value), name < names.count else { continue }
            if let text = text(name, in: names) { found.append(text) }
        }
        return found
    }

    /// `DT_NEEDED`
    private static let neededTag: UInt64 = 1
}
