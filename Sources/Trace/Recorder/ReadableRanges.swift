/// The parts of this process's memory that hold its program and libraries: where the compiler's constants are. An
/// address from a recording is followed only if it is in one of them.
struct ReadableRanges {
    private let ranges: [Range<UInt>]

    /// The present ranges.
    init() {
        var ranges: [Range<UInt>] = []
        let text = SystemText.read("/proc/self/maps", limit: 1 << 20)
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            // 55d0c8a00000-55d0c8a21000 r--p 00000000 fd:01 1234   /path
            let fields = line.split(separator: UInt8(ascii: " "))
            // Writable ones too: the gold linker puts constants there. Not shared ones (`s`): other processes may
            // truncate them.
            guard fields.count >= 6, fields[1].first == UInt8(ascii: "r"), fields[1].last == UInt8(ascii: "p"),
                fields[5].first == UInt8(ascii: "/")
            else { continue }
            let bounds = fields[0].split(separator: UInt8(ascii: "-"))
            guard bounds.count == 2, let low = UInt(Substring(bounds[0]), radix: 16),
                let high = UInt(Substring(bounds[1]), radix: 16), low < high
            else { continue }
            ranges.append(low..<high)
        }
        self.ranges = ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The C string at an address, if there is one that looks like a file's name.
    func fileName(at address: UInt) -> String? {
        guard let range = ranges.first(where: { $0.contains(address) }) else { return nil }
        let limit = min(range.upperBound - address, 1024)
        let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: Int(limit))
        guard let end = bytes.firstIndex(of: 0), end > 0 else { return nil }
        let name = bytes[..<end]
        guard !name.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return String(validating: name, as: UTF8.self)
    }
}
