/// An entry of a symbol table (`Elf64_Sym`).
struct ElfSymbol {
    /// What the symbol names (`STT_…`).
    enum Kind: UInt64 {
        case object = 1
        case function = 2
        case file = 4
        case threadLocal = 6
    }

    /// The offset of its name in the string table.
    let name: Int
    /// Nil: the symbol names something else.
    let kind: Kind?
    /// Whether the file itself defines the symbol. If not, the linker finds it in another file.
    let isDefined: Bool
    let start: UInt64
    let size: UInt64

    /// Nil: the table is at its end.
    init?(_ reader: inout ByteReader) {
        guard let name = reader.offset(4), let info = reader.integer(1), reader.skip(1),
            let section = reader.integer(2), let start = reader.integer(8), let size = reader.integer(8)
        else { return nil }
        self.name = name
        kind = Kind(rawValue: info & 15)
        isDefined = section != 0
        self.start = start
        self.size = size
    }

    var end: UInt64 { start.saturatingAdd(size) }
}
