/// The source line of the code at each address, from the line tables that compilers write for debuggers (DWARF,
/// versions 2 to 5).
///
/// A table may be damaged. What cannot be read ends the reading, and what was read before counts.
package struct LineTable: Sendable {
    private struct Row {
        let address: UInt64
        /// An index of `files`. −1: the source of the code from here on is not known.
        let file: Int32
        let line: Int32
    }

    private var rows: [Row] = []
    private var files: [String] = []
    /// The files of each unit, as indices of `files`, by the offset of the unit's table in `.debug_line`.
    private var filesOfUnits: [Int: Range<Int32>] = [:]

    /// - Parameters:
    ///   - lines: the content of `.debug_line`.
    ///   - folder: the paths of files in this folder are relative to it.
    package init(lines: [UInt8], _ sections: DwarfSections, from folder: String?) {
        let prefix = folder.map { $0 + "/" }
        let decoder = DwarfDecoder(sections)
        var pathBytes = Limits.pathBytes
        var reader = ByteReader(lines)
        while reader.rest > 0, rows.count < Limits.lineRows {
            let start = reader.place
            guard let unit = reader.unit() else { break }
            var bytes = unit.bytes
            guard let header = LineHeader(&bytes, is64: unit.is64, decoder, &pathBytes) else { continue }
            let paths = header.paths(&pathBytes)
            let numbers = Int32(files.count)..<Int32(files.count + paths.count)
            for path in paths { files.append(Self.shortened(path, prefix)) }
            filesOfUnits[start] = numbers
            run(&bytes, header, numbers)
        }
        // Code that the linker dropped has the address 0. Of several rows for one address the last one counts,
        // unless it only ends the code before it.
        let order = rows.indices.filter { rows[$0].address != 0 }.sorted {
            (rows[$0].address, rows[$0].file < 0 ? -1 : $0) < (rows[$1].address, rows[$1].file < 0 ? -1 : $1)
        }
        rows = order.map { rows[$0] }
    }

    /// The path without the folder, if it is in it.
    private static func shortened(_ path: String, _ prefix: String?) -> String {
        guard let prefix, path.hasPrefix(prefix) else { return path }
        return String(path.dropFirst(prefix.count))
    }

    /// The source line of the code at the address. Nil: it is not known.
    package func place(_ address: UInt64) -> (file: String, line: Int)? {
        let number = rows.countOfPrefix { $0.address <= address }
        guard number > 0, rows[number - 1].file >= 0, rows[number - 1].line > 0 else { return nil }
        return (files[Int(rows[number - 1].file)], Int(rows[number - 1].line))
    }

    /// The path of a file.
    ///
    /// - Parameters:
    ///   - number: the file's number in the unit's table.
    ///   - unit: the offset of the unit's table in `.debug_line`.
    package func file(_ number: Int, ofUnit unit: Int) -> String? {
        guard let numbers = filesOfUnits[unit], (0..<numbers.count).contains(number) else { return nil }
        return files[Int(numbers.lowerBound) + number]
    }

    // MARK: - The line number program of a unit

    /// The registers of the line number program.
    private struct Registers {
        var address: UInt64 = 0
        var file: UInt64 = 1
        var line = 1
    }

    /// Runs the line number program of a unit, which makes the unit's rows.
    ///
    /// - Parameter numbers: the unit's files, as indices of `files`.
    private mutating func run(_ reader: inout ByteReader, _ header: LineHeader, _ numbers: Range<Int32>) {
        var now = Registers()
        while rows.count < Limits.lineRows, let opcode = reader.offset(1) {
            if opcode >= header.opcodeBase {
                // A special opcode encodes an advance of the address and one of the line.
                let adjusted = opcode - header.opcodeBase
                advance(&now, by: UInt64(adjusted / header.lineRange), header)
                now.line = now.line.saturatingAdd(header.lineBase + adjusted % header.lineRange)
                addRow(now, numbers)
                continue
            }
            switch LineOpcode(rawValue: opcode) {
            case .extended: guard runExtended(&reader, &now) else { return }
            case .copy: addRow(now, numbers)
            case .advancePc: advance(&now, by: reader.unsigned() ?? 0, header)
            case .advanceLine: now.line = now.line.saturatingAdd(reader.signed() ?? 0)
            case .setFile: now.file = reader.unsigned() ?? 0
            // Advances the address like the special opcode 255, without a row.
            case .constAddPc: advance(&now, by: UInt64((255 - header.opcodeBase) / header.lineRange), header)
            case .fixedAdvancePc: now.address = now.address.saturatingAdd(reader.integer(2) ?? 0)
            // Opcodes that change nothing that is kept here, and unknown ones: their operands are skipped.
            case .setColumn, .negateStmt, .setBasicBlock, .setPrologueEnd, .setEpilogueBegin, .setIsa, nil:
                let count = header.operandCounts.indices.contains(opcode - 1) ? header.operandCounts[opcode - 1] : 0
                for _ in 0..<count { _ = reader.unsigned() }
            }
        }
    }

    /// Advances the address by a number of instructions of the minimum length.
    private func advance(_ now: inout Registers, by instructions: UInt64, _ header: LineHeader) {
        now.address = now.address.saturatingAdd(instructions.saturatingMultiply(header.minimumLength))
    }

    /// Runs an instruction with an extended opcode. Returns false if it cannot be read.
    private mutating func runExtended(_ reader: inout ByteReader, _ now: inout Registers) -> Bool {
        guard let length = reader.unsigned().flatMap({ Int(exactly: $0) }), length > 0,
            var operation = reader.block(length), let opcode = operation.integer(1)
        else { return false }
        switch ExtendedLineOpcode(rawValue: opcode) {
        case .endSequence:
            rows.append(Row(address: now.address, file: -1, line: Int32(clamping: now.line)))
            now = Registers()
        case .setAddress: now.address = operation.integer(min(8, operation.rest)) ?? 0
        case .defineFile, .setDiscriminator, nil: break
        }
        return true
    }

    private mutating func addRow(_ now: Registers, _ numbers: Range<Int32>) {
        let index = now.file < UInt64(numbers.count) ? numbers.lowerBound + Int32(now.file) : -1
        rows.append(Row(address: now.address, file: index, line: Int32(clamping: now.line)))
    }
}
