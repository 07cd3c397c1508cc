/// The functions and variables of an ELF file.
package struct SymbolTable: Sendable {
    private struct Symbol {
        let start: UInt64
        let end: UInt64
        /// The offset of its name in the string table.
        let name: UInt32
    }

    private let names: [UInt8]
    /// Sorted by their starts, like the variables.
    private var functions: [Symbol] = []
    private var variables: [Symbol] = []
    /// By their distances from the beginning of the file's thread-local variables.
    private var threadLocals: [Symbol] = []

    package init(symbols: [UInt8], names: [UInt8]) {
        self.names = names
        var reader = ByteReader(symbols)
        while let symbol = ElfSymbol(&reader) {
            guard symbol.isDefined, symbol.size > 0 else { continue }
            let kept = Symbol(start: symbol.start, end: symbol.end, name: UInt32(symbol.name))
            switch symbol.kind {
            case .object: variables.append(kept)
            case .function: functions.append(kept)
            case .threadLocal: threadLocals.append(kept)
            case .file, nil: break
            }
        }
        functions.sort { $0.start < $1.start }
        variables.sort { $0.start < $1.start }
        threadLocals.sort { $0.start < $1.start }
    }

    /// The function or the variable that contains the address.
    package func symbol(at address: UInt64, isFunction: Bool) -> (name: String, start: UInt64)? {
        symbol(at: address, in: isFunction ? functions : variables)
    }

    /// The thread-local variable that contains the byte at this distance from the beginning of all such variables.
    package func threadLocal(at distance: UInt64) -> (name: String, start: UInt64)? {
        symbol(at: distance, in: threadLocals)
    }

    /// Where the variable with this name begins. Nil: the file has none, or more than one.
    package func start(ofVariable name: String) -> UInt64? {
        let wanted = Array(name.utf8) + [0]
        let found = variables.filter { names[min(Int($0.name), names.count)...].starts(with: wanted) }
        return found.count == 1 ? found[0].start : nil
    }

    private func symbol(at address: UInt64, in list: [Symbol]) -> (name: String, start: UInt64)? {
        let number = list.countOfPrefix { $0.start <= address }
        guard number > 0, address < list[number - 1].end else { return nil }
        var reader = ByteReader(names, at: Int(list[number - 1].name))
        // The name of a variable that was copied from a library ends with its version, as in `stdout@GLIBC_2.2.5`.
        return reader.text().map { (String($0.prefix { $0 != "@" }), list[number - 1].start) }
    }
}
