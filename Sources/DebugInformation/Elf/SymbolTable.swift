/// The functions and variables of a file in the format ELF.
package struct SymbolTable: Sendable {
    private struct Symbol {
        let start: UInt64
        let end: UInt64
        let name: UInt32
    }

    private let names: [UInt8]
    private var functions: [Symbol] = []
    private var variables: [Symbol] = []

    package init(symbols: [UInt8], names: [UInt8]) {
        self.names = names
        var reader = DwarfReader(symbols)
        while let name = reader.integer(4), let info = reader.integer(1), reader.integer(1) != nil,
            let section = reader.integer(2), let value = reader.integer(8), let size = reader.integer(8)
        {
            guard section != 0, size > 0 else { continue }
            let (end, isTooFar) = value.addingReportingOverflow(size)
            let symbol = Symbol(start: value, end: isTooFar ? .max : end, name: UInt32(name))
            switch info & 15 {
            case 1: variables.append(symbol)
            case 2: functions.append(symbol)
            default: break
            }
        }
        functions.sort { $0.start < $1.start }
        variables.sort { $0.start < $1.start }
    }

    package func symbol(at address: UInt64, isFunction: Bool) -> (name: String, start: UInt64)? {
        let list = isFunction ? functions : variables
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].start <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, address < list[low - 1].end else { return nil }
        var reader = DwarfReader(names, at: Int(list[low - 1].name))
        // A variable that was copied from a library keeps its version.
        return reader.string().map { (String($0.prefix { $0 != "@" }), list[low - 1].start) }
    }
}
