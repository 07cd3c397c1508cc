/// The header of one unit of `.debug_line`: what is needed to run the unit's line number program.
struct LineHeader {
    /// `minimum_instruction_length`: the unit of advances of the address.
    let minimumLength: UInt64
    /// The least advance of the line by a special opcode.
    let lineBase: Int
    /// The number of different advances of the line by special opcodes.
    let lineRange: Int
    /// The first special opcode.
    let opcodeBase: Int
    /// The number of operands of each standard opcode (`standard_opcode_lengths`), from opcode 1 on.
    private(set) var operandCounts: [Int] = []
    /// The files. Their indices are the numbers by which the line number program names them.
    private var files: [LineFile] = []

    /// A file or folder, and the number of the folder that it is in.
    private struct LineFile {
        var path = ""
        var folder: UInt64 = 0
    }

    private var folders: [LineFile] = []
    private let version: Int

    /// Nil: the header cannot be read.
    ///
    /// - Parameters:
    ///   - reader: the unit's bytes, from its version on. Afterwards it is at the first instruction of the line number
    ///     program.
    ///   - pathBytes: the number of bytes that all further paths may have together.
    init?(_ reader: inout ByteReader, is64: Bool, _ decoder: DwarfDecoder, _ pathBytes: inout Int) {
        guard let version = reader.offset(2), (2...5).contains(version) else { return nil }
        self.version = version
        // Skips the sizes of an address and of a segment selector.
        if version == 5 && !reader.skip(2) { return nil }
        guard var header = reader.block(reader.offset(is64 ? 8 : 4)), let minimum = header.integer(1),
            // Skips `maximum_operations_per_instruction` (from version 4 on) and `default_is_stmt`.
            header.skip(version >= 4 ? 2 : 1), let base = header.integer(1), let range = header.offset(1), range > 0,
            let opcodes = header.offset(1), opcodes > 0
        else { return nil }
        minimumLength = minimum
        lineBase = Int(Int8(truncatingIfNeeded: base))
        lineRange = range
        opcodeBase = opcodes
        for _ in 1..<opcodes {
            guard let count = header.offset(1) else { return nil }
            operandCounts.append(count)
        }
        // The header does not refer to `.debug_str_offsets` and `.debug_addr`: `.max` makes such a reference
        // unreadable.
        let context = DwarfContext(version: version, is64: is64, start: 0, strings: .max, addresses: .max)
        guard version == 5 ? readTables(&header, decoder, context, &pathBytes) : readOldTables(&header) else {
            return nil
        }
    }

    /// The paths of the files. They include the folders only as long as bytes for paths are left.
    func paths(_ pathBytes: inout Int) -> [String] {
        files.map { file in
            guard pathBytes > 0 else { return file.path }
            let path = path(of: file)
            pathBytes -= path.utf8.count
            return path
        }
    }

    private func path(of file: LineFile) -> String {
        // In version 5, folder 0 is the one in which the compiler was started.
        let start = version == 5 ? folders.first?.path ?? "" : ""
        let number = Int(exactly: file.folder).flatMap { folders.indices.contains($0) ? $0 : nil }
        let own = number.map { folders[$0].path } ?? start
        // Other folders may be relative to the start folder. Builds whose folders do not matter call it "."
        // (`-fdebug-prefix-map`).
        let folder = own.hasPrefix("/") || ["", "."].contains(start) ? own : own == "." ? start : "\(start)/\(own)"
        return file.path.hasPrefix("/") || folder.isEmpty || folder == "." ? file.path : "\(folder)/\(file.path)"
    }

    // MARK: - Tables of files

    /// Reads the tables of folders and files before version 5.
    private mutating func readOldTables(_ reader: inout ByteReader) -> Bool {
        folders = [LineFile()]
        while true {
            guard let folder = reader.text() else { return false }
            if folder.isEmpty { break }
            folders.append(LineFile(path: folder))
        }
        // File numbers begin with 1.
        files = [LineFile(path: "?")]
        while true {
            guard let name = reader.text() else { return false }
            if name.isEmpty { return true }
            // The number of the folder. The time and the size are skipped.
            guard let folder = reader.unsigned(), reader.unsigned() != nil, reader.unsigned() != nil else {
                return false
            }
            files.append(LineFile(path: name, folder: folder))
        }
    }

    /// Reads the tables of folders and files of version 5.
    private mutating func readTables(
        _ reader: inout ByteReader, _ decoder: DwarfDecoder, _ context: DwarfContext, _ pathBytes: inout Int
    ) -> Bool {
        guard let folders = Self.table(&reader, decoder, context, &pathBytes),
            let files = Self.table(&reader, decoder, context, &pathBytes)
        else { return false }
        self.folders = folders
        self.files = files
        return true
    }

    /// A table of files or folders of version 5, which begins with a description of its columns.
    private static func table(
        _ reader: inout ByteReader, _ decoder: DwarfDecoder, _ context: DwarfContext, _ pathBytes: inout Int
    ) -> [LineFile]? {
        guard let columnCount = reader.offset(1), columnCount <= Limits.lineColumns else { return nil }
        var columns: [(content: LineContent?, form: DwarfForm?)] = []
        for _ in 0..<columnCount {
            guard let content = reader.unsigned(), let form = reader.unsigned() else { return nil }
            columns.append((LineContent(rawValue: content), DwarfForm(rawValue: form)))
        }
        guard let count = reader.unsigned(), count <= UInt64(reader.rest) else { return nil }
        var rows: [LineFile] = []
        for _ in 0..<count {
            var row = LineFile()
            for column in columns {
                guard let value = decoder.value(column.form, &reader, context) else { return nil }
                switch column.content {
                case .path:
                    guard pathBytes > 0 else { return nil }
                    row.path = value.text ?? "?"
                    pathBytes -= row.path.utf8.count
                case .directoryIndex: row.folder = value.number ?? 0
                case .timestamp, .size, .md5, nil: break
                }
            }
            rows.append(row)
        }
        return rows
    }
}
