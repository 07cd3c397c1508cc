import Glibc

/// A file in the format ELF, 64 bits, little endian: its sections.
///
/// It may be damaged: every offset in it is checked.
package struct ElfFile: Sendable {
    private let bytes: [UInt8]
    private var sections: [String: Range<Int>] = [:]

    /// A larger file is not read.
    private static let mostBytes = 1 << 30

    /// Nil: the file cannot be read, or is none.
    package init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= 64, status.st_size <= Self.mostBytes else {
            return nil
        }
        let size = Int(status.st_size)
        let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        bytes = Array(UnsafeRawBufferPointer(start: memory, count: size))
        munmap(memory, size)
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        readSections()
    }

    private mutating func readSections() {
        let headers = integer(at: 0x28, 8)
        let size = integer(at: 0x3A, 2)
        let count = integer(at: 0x3C, 2)
        guard let headers, let size, let count, let names = integer(at: 0x3E, 2), size >= 64 else { return }
        guard let text = header(headers, size, names)?.content else { return }
        for number in 0..<count {
            guard let (name, content) = header(headers, size, number), let name = string(at: text.lowerBound + name)
            else {
                continue
            }
            sections[name] = content
        }
    }

    private func header(_ start: Int, _ size: Int, _ number: Int) -> (name: Int, content: Range<Int>)? {
        let (place, isTooFar) = start.addingReportingOverflow(number * size)
        guard !isTooFar, let name = integer(at: place, 4), let type = integer(at: place + 4, 4),
            let offset = integer(at: place + 24, 8), let length = integer(at: place + 32, 8), type != 8
        else { return nil }
        let (end, isTooLong) = offset.addingReportingOverflow(length)
        guard !isTooLong, offset >= 0, length >= 0, end <= bytes.count else { return nil }
        return (name, offset..<end)
    }

    /// The content of a section. Nil: there is none of this name.
    package func section(_ name: String) -> [UInt8]? { sections[name].map { Array(bytes[$0]) } }

    /// The names of the libraries that it was linked with.
    package var needed: [String] {
        guard let entries = sections[".dynamic"], let names = sections[".dynstr"] else { return [] }
        return stride(from: entries.lowerBound, to: entries.upperBound, by: 16).compactMap { place in
            guard integer(at: place, 8) == 1, let name = integer(at: place + 8, 8), name < names.count else {
                return nil
            }
            return string(at: names.lowerBound + name)
        }
    }

    private func integer(at place: Int, _ size: Int) -> Int? {
        guard place >= 0, place <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for i in 0..<size { value |= UInt64(bytes[place + i]) << (8 * UInt64(i)) }
        return Int(exactly: value)
    }

    private func string(at place: Int) -> String? {
        guard place >= 0, place < bytes.count, let end = bytes[place...].prefix(4096).firstIndex(of: 0) else {
            return nil
        }
        return String(decoding: bytes[place..<end], as: UTF8.self)
    }
}
