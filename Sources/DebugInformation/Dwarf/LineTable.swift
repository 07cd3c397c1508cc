import Glibc

/// Where the code at each address comes from: the table of lines that a compiler writes for debuggers (DWARF, versions 4 and 5).
///
/// The table may be damaged: what cannot be read ends the reading, and what was read before counts.
package struct LineTable: Sendable {
    private struct Row {
        let address: UInt64
        /// An index of `files`. -1: nothing comes from here on.
        let file: Int32
        let line: Int32
    }

    private var rows: [Row] = []
    private var files: [String] = []
    /// By the place of a unit's table: its files, as indices of `files`.
    private var filesOfUnits: [Int: [Int32]] = [:]

    /// More rows than this are not kept.
    private static let mostRows = 1 << 22

    package init(lines: [UInt8], strings: [UInt8], lineStrings: [UInt8]) {
        var reader = DwarfReader(lines)
        while reader.place < lines.count, rows.count < Self.mostRows {
            guard readUnit(&reader, strings, lineStrings) else { break }
        }
        // Rows of code that the linker dropped begin at 0. Of those of one address the last one counts, but not one that ends what comes before.
        let order = rows.indices.filter { rows[$0].address != 0 }.sorted {
            (rows[$0].address, rows[$0].file < 0 ? -1 : $0) < (rows[$1].address, rows[$1].file < 0 ? -1 : $1)
        }
        rows = order.map { rows[$0] }
    }

    package func place(_ address: UInt64) -> (file: String, line: Int)? {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].address <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, rows[low - 1].file >= 0, rows[low - 1].line > 0 else { return nil }
        return (files[Int(rows[low - 1].file)], Int(rows[low - 1].line))
    }

    /// - Parameters:
    ///   - number: as the unit has it.
    ///   - unit: the place of its table.
    package func file(_ number: Int, ofUnit unit: Int) -> String? {
        guard let numbers = filesOfUnits[unit], numbers.indices.contains(number) else { return nil }
        return files[Int(numbers[number])]
    }

    // MARK: - Reading

    /// The header of a unit, as far as the program of its lines needs it.
    private struct Header {
        var minimumLength: UInt64 = 1
        var lineBase = 0
        var lineRange = 1
        var opcodeBase = 1
        var lengths: [Int] = []
        /// Indices of `files`.
        var files: [Int32] = []
        var version = 0
    }

    private mutating func readUnit(_ reader: inout DwarfReader, _ strings: [UInt8], _ lineStrings: [UInt8]) -> Bool {
        let start = reader.place
        guard let first = reader.integer(4) else { return false }
        let is64 = first == 0xFFFF_FFFF
        guard let length = is64 ? reader.integer(8) : first, length <= UInt64(reader.rest) else { return false }
        let end = reader.place + Int(length)
        defer { reader.place = end }
        guard let header = readHeader(&reader, is64, strings, lineStrings) else { return true }
        filesOfUnits[start] = header.files
        run(&reader, until: end, header)
        return true
    }

    private mutating func readHeader(
        _ reader: inout DwarfReader, _ is64: Bool, _ strings: [UInt8], _ lineStrings: [UInt8]
    ) -> Header? {
        var header = Header()
        guard let version = reader.integer(2), (2...5).contains(version) else { return nil }
        header.version = Int(version)
        if version == 5 { reader.place += 2 }
        guard let length = reader.integer(is64 ? 8 : 4), length <= UInt64(reader.rest) else { return nil }
        let program = reader.place + Int(length)
        guard let minimum = reader.integer(1) else { return nil }
        header.minimumLength = minimum
        if version >= 4 { reader.place += 1 }
        reader.place += 1
        guard let base = reader.integer(1), let range = reader.integer(1), range > 0, let opcodes = reader.integer(1),
            opcodes > 0
        else { return nil }
        header.lineBase = Int(Int8(truncatingIfNeeded: base))
        header.lineRange = Int(range)
        header.opcodeBase = Int(opcodes)
        for _ in 1..<max(1, opcodes) {
            guard let count = reader.integer(1) else { return nil }
            header.lengths.append(Int(count))
        }
        let isRead =
            version == 5
            ? readTables(&reader, is64, strings, lineStrings, &header) : readOldTables(&reader, &header)
        guard isRead else { return nil }
        reader.place = program
        return header
    }

    /// Where users name files from.
    private let present: String? = {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path) + "/"
    }()

    private mutating func add(_ name: String, in folder: String) -> Int32 {
        let path = name.hasPrefix("/") || folder.isEmpty || folder == "." ? name : "\(folder)/\(name)"
        if let present, path.hasPrefix(present) {
            files.append(String(path.dropFirst(present.count)))
        } else {
            files.append(path)
        }
        return Int32(files.count - 1)
    }

    private mutating func readOldTables(_ reader: inout DwarfReader, _ header: inout Header) -> Bool {
        var folders = [""]
        while true {
            guard let folder = reader.string() else { return false }
            if folder.isEmpty { break }
            folders.append(folder)
        }
        // File numbers begin with 1.
        header.files = [add("?", in: "")]
        while true {
            guard let name = reader.string() else { return false }
            if name.isEmpty { return true }
            guard let folder = reader.unsigned(), reader.unsigned() != nil, reader.unsigned() != nil else {
                return false
            }
            header.files.append(add(name, in: folder < folders.count ? folders[Int(folder)] : ""))
        }
    }

    private mutating func readTables(
        _ reader: inout DwarfReader, _ is64: Bool, _ strings: [UInt8], _ lineStrings: [UInt8], _ header: inout Header
    ) -> Bool {
        guard let folders = reader.entries(is64, strings, lineStrings),
            let names = reader.entries(is64, strings, lineStrings)
        else { return false }
        // Folder 0 is the one in which the compiler was started.
        let first = folders.first?.path ?? ""
        for entry in names {
            let folder =
                Int(exactly: entry.folder).flatMap { folders.indices.contains($0) ? folders[$0].path : nil } ?? first
            let isWhole = folder.hasPrefix("/") || first.isEmpty
            header.files.append(add(entry.path, in: isWhole ? folder : "\(first)/\(folder)"))
        }
        return true
    }

    /// Runs the program of a unit, which makes its rows.
    private mutating func run(_ reader: inout DwarfReader, until end: Int, _ header: Header) {
        var address: UInt64 = 0
        var file = 1
        var line = 1
        func row(_ isEnd: Bool = false) -> Row {
            let index = header.files.indices.contains(file) && !isEnd ? header.files[file] : -1
            return Row(address: address, file: index, line: Int32(truncatingIfNeeded: line))
        }
        while reader.place < end, rows.count < Self.mostRows, let opcode = reader.integer(1).map({ Int($0) }) {
            if opcode >= header.opcodeBase {
                let adjusted = opcode - header.opcodeBase
                address &+= UInt64(adjusted / header.lineRange) &* header.minimumLength
                line = line &+ header.lineBase &+ adjusted % header.lineRange
                rows.append(row())
                continue
            }
            switch opcode {
            case 0:
                guard let size = reader.unsigned(), size > 0, size <= UInt64(reader.rest) else { return }
                let next = reader.place + Int(size)
                switch reader.integer(1) {
                case 1:
                    rows.append(row(true))
                    (address, file, line) = (0, 1, 1)
                case 2: address = reader.integer(min(8, Int(size) - 1)) ?? 0
                default: break
                }
                reader.place = next
            case 1: rows.append(row())
            case 2: address &+= (reader.unsigned() ?? 0) &* header.minimumLength
            case 3: line = line &+ (reader.signed() ?? 0)
            case 4: file = Int(truncatingIfNeeded: reader.unsigned() ?? 0)
            case 8: address &+= UInt64((255 - header.opcodeBase) / header.lineRange) &* header.minimumLength
            case 9: address &+= reader.integer(2) ?? 0
            default:
                let count = header.lengths.indices.contains(opcode - 1) ? header.lengths[opcode - 1] : 0
                for _ in 0..<count { _ = reader.unsigned() }
            }
        }
    }
}
