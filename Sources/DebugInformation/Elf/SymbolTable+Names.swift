extension SymbolTable {
    /// The names of the source files that the program was made of, and whether each was compiled with what tells of accesses: then it has a
    /// constructor for that.
    package static func sources(symbols: [UInt8], names: [UInt8]) -> [(name: String, tells: Bool)] {
        var found: [(name: String, tells: Bool)] = []
        forEach(symbols, names) { text, start in
            if symbols[start + 4] & 15 == 4 {
                found.append((text, false))
            } else if text == "tsan.module_ctor" || text.hasPrefix("_sub_I_00099_"), let last = found.indices.last {
                found[last].tells = true
            }
        }
        return found
    }

    private static func forEach(_ symbols: [UInt8], _ names: [UInt8], _ body: (String, Int) -> Void) {
        for start in stride(from: 24, through: symbols.count - 24, by: 24) {
            let name = (0..<4).reduce(0) { $0 | Int(symbols[start + $1]) << (8 * $1) }
            guard name > 0, name < names.count, let end = names[name...].firstIndex(of: 0) else { continue }
            body(String(decoding: names[name..<end], as: UTF8.self), start)
        }
    }

    /// The names that other files of the program find in this one; and those that it does not define, with the variables of libraries that it
    /// has copies of.
    package static func interface(
        symbols: [UInt8], names: [UInt8], relocations: [UInt8]
    ) -> (defined: Set<String>, used: Set<String>) {
        let copies = copied(relocations)
        var (defined, used): (Set<String>, Set<String>) = ([], [])
        forEach(symbols, names) { text, start in
            let isDefined = (symbols[start + 6] != 0 || symbols[start + 7] != 0) && !copies.contains(start / 24)
            if isDefined { defined.insert(text) } else { used.insert(text) }
        }
        return (defined, used)
    }

    /// The numbers of the symbols that the linker copies from a library into the program: `R_X86_64_COPY`, `R_AARCH64_COPY`.
    private static func copied(_ relocations: [UInt8]) -> Set<Int> {
        var found: Set<Int> = []
        var reader = DwarfReader(relocations)
        while reader.integer(8) != nil, let type = reader.integer(4), let symbol = reader.integer(4),
            reader.integer(8) != nil
        {
            if type == 5 || type == 1024 { found.insert(Int(symbol)) }
        }
        return found
    }
}
