import CLab
import Execution
import Trace

/// What the program's file says of its addresses: functions, variables, files and lines.
///
/// The file is read when it is first asked: searches do not ask.
final class ProgramSymbols: Sendable {
    struct Place {
        let file: String
        let line: Int
    }

    private struct Content: Sendable {
        let table: SymbolTable
        let lines: LineTable
        var functions: FunctionTable
        /// By the linker's names.
        var readable: [String: String] = [:]

        mutating func readable(_ symbol: String) -> String {
            if let known = readable[symbol] { return known }
            let made = CxxName(symbol)?.text ?? symbol
            readable[symbol] = made
            return made
        }
    }

    private let content = Guarded<Content?>(nil)
    /// What is added to the file's addresses in memory.
    private let offset: UInt64

    init(offset: UInt64) { self.offset = offset }

    /// Reads the file now, for processes that are forked later.
    func prepare() { read { _ in } }

    private func read<Result>(_ body: (inout Content) -> Result) -> Result {
        content.withLock { content in
            if content == nil { content = Self.readFile() }
            return body(&content!)
        }
    }

    private static func readFile() -> Content {
        let file = ElfFile("/proc/self/exe")
        func section(_ name: String) -> [UInt8] { file?.section(name) ?? [] }
        return Content(
            table: SymbolTable(symbols: section(".symtab"), names: section(".strtab")),
            lines: LineTable(
                lines: section(".debug_line"), strings: section(".debug_str"), lineStrings: section(".debug_line_str")),
            functions: FunctionTable(DwarfSections(section)))
    }

    /// Where the code at the address comes from. Nil: the program was built without `-g`, or the code is not its own.
    func place(_ address: UInt64) -> Place? {
        read { content in content.lines.place(address &- offset).map { Place(file: $0.file, line: $0.line) } }
    }

    /// The calls in progress at the address, the innermost first: of the function that the code belongs to, and before it those that the
    /// compiler has put in the place of calls. Empty: the program was built without `-g`, or the code is not its own.
    ///
    /// - Parameter isOwn: whether those in headers of libraries are left out.
    func calls(at address: UInt64, isOwn: Bool) -> [TraceDocument.Site.Call] {
        read { content in
            let place = address &- offset
            guard var (file, line) = content.lines.place(place) else { return [] }
            let (frames, unit) = content.functions.frames(at: place)
            let outermost = content.table.symbol(at: place, isFunction: true)?.name
            var calls: [TraceDocument.Site.Call] = []
            // To make a name of C++ readable takes time.
            func add(_ name: String?) {
                if isOwn && Self.isOfLibrary(file) { return }
                calls.append(.init(function: name.map { content.readable($0) } ?? "?", file: file, line: line))
            }
            for (index, frame) in frames.enumerated() {
                add((index == frames.count - 1 ? outermost : nil) ?? frame.name)
                file = unit.flatMap { content.lines.file(frame.file, ofUnit: $0) } ?? file
                line = frame.line
            }
            if frames.isEmpty { add(outermost) }
            return calls
        }
    }

    /// Whether a file is a header of the compiler, the system or the C++ library.
    private static func isOfLibrary(_ file: String) -> Bool {
        folders.contains { file.hasPrefix($0) } || parts.contains { file.contains($0) }
    }

    private static let folders = ["/usr/include/", "/usr/local/include/", "/usr/lib/"]
    private static let parts = ["/include/c++/", "/lib/clang/", "/lib/gcc/"]

    /// The function that the code at the address belongs to.
    func function(at address: UInt64) -> String? {
        read { content in
            (content.table.symbol(at: address &- offset, isFunction: true)?.name).map { content.readable($0) }
        }
    }

    func isStart(ofFunction address: UInt64) -> Bool {
        read { $0.table.symbol(at: address &- offset, isFunction: true)?.start == address &- offset }
    }

    /// The linker's name of the table of virtual functions that an object begins with.
    func table(at address: UInt64) -> String? {
        read { $0.table.symbol(at: address &- offset, isFunction: false)?.name }
    }

    /// The global variable, of the program or one of its libraries, and what part of it, that the address belongs to: `queue`, `queue+16`.
    func variable(at address: UInt64) -> String? {
        read { content in
            guard
                let (name, start) = content.table.symbol(at: address &- offset, isFunction: false).map({
                    ($0.name, $0.start &+ offset)
                }) ?? Self.libraryVariable(at: address)
            else { return nil }
            let distance = address &- start
            return content.readable(name) + (distance == 0 ? "" : "+\(distance)")
        }
    }

    private static func libraryVariable(at address: UInt64) -> (name: String, start: UInt64)? {
        var start: UInt = 0
        guard let name = clab_variable_at(UInt(address), &start) else { return nil }
        return (String(cString: name), UInt64(start))
    }
}

/// The functions and variables of a file in the format ELF.
struct SymbolTable: Sendable {
    private struct Symbol {
        let start: UInt64
        let end: UInt64
        let name: UInt32
    }

    private let names: [UInt8]
    private var functions: [Symbol] = []
    private var variables: [Symbol] = []

    init(symbols: [UInt8], names: [UInt8]) {
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

    func symbol(at address: UInt64, isFunction: Bool) -> (name: String, start: UInt64)? {
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
