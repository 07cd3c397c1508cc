extension SymbolTable {
    /// The names of the source files from which the file was linked, and whether the code of each is instrumented. The
    /// compiler adds the constructor of ThreadSanitizer to code that it instruments. Source files of threadlab's
    /// runtime have a symbol of their own, and count as instrumented. Empty: the table cannot be read, or names no
    /// source file.
    package static func sources(symbols: [UInt8], names: [UInt8]) -> [(name: String, isInstrumented: Bool)] {
        var found: [(name: String, isInstrumented: Bool)] = []
        let isRead = forEach(symbols, names) { text, symbol, _ in
            // The symbols of a source file follow the one that names it. Clang calls the constructor
            // `tsan.module_ctor`; gcc gives it a name that begins with its priority, 99.
            if symbol.kind == .file {
                found.append((text, false))
            } else if text == "tsan.module_ctor" || text.hasPrefix("_sub_I_00099_") || text == "threadlab_own_source",
                let last = found.indices.last
            {
                found[last].isInstrumented = true
            }
        }
        return isRead ? found : []
    }

    /// The names that the file defines for other files, and those that it uses from other files. Library variables of
    /// which the file has copies count as used. Nil: the table cannot be read.
    package static func interface(
        symbols: [UInt8], names: [UInt8], relocations: [UInt8]
    ) -> (defined: Set<String>, used: Set<String>)? {
        let copies = copied(relocations)
        var (defined, used): (Set<String>, Set<String>) = ([], [])
        let isRead = forEach(symbols, names) { text, symbol, number in
            if symbol.isDefined && !copies.contains(number) { defined.insert(text) } else { used.insert(text) }
        }
        return isRead ? (defined, used) : nil
    }

    /// Calls `body` with the name of each symbol that has one, with the symbol, and with its number.
    ///
    /// - Returns: whether all names could be read. If not, the result is useless: a missing symbol could be one that
    ///   matters.
    private static func forEach(_ symbols: [UInt8], _ names: [UInt8], _ body: (String, ElfSymbol, Int) -> Void) -> Bool
    {
        var reader = ByteReader(symbols)
        var number = 0
        var left = Limits.symbolNameBytes
        while let symbol = ElfSymbol(&reader) {
            defer { number += 1 }
            // Offset 0 is the empty name.
            if symbol.name == 0 { continue }
            guard symbol.name < names.count, let end = names[symbol.name...].prefix(left).firstIndex(of: 0) else {
                return false
            }
            left -= end - symbol.name
            body(String(decoding: names[symbol.name..<end], as: UTF8.self), symbol, number)
        }
        return true
    }

    /// `R_X86_64_COPY` and `R_AARCH64_COPY`: the linker copies a variable from a library into the program.
    private static let copyTypes: Set<UInt64> = [5, 1024]

    /// The numbers of the symbols of variables that the linker has copied from libraries.
    private static func copied(_ relocations: [UInt8]) -> Set<Int> {
        var found: Set<Int> = []
        var reader = ByteReader(relocations)
        // `Elf64_Rela`: the offset, the type, the symbol, and the addend.
        while reader.skip(8), let type = reader.integer(4), let symbol = reader.offset(4), reader.skip(8) {
            if copyTypes.contains(type) { found.insert(symbol) }
        }
        return found
    }
}
