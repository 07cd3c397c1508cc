import DebugInformation
import Execution
import Glibc
import Trace

/// The symbols and the debug information of one file, by address in memory.
final class FileSymbols: Sendable {
    private struct Content: Sendable {
        let table: SymbolTable
        let lines: LineTable
        var functions: FunctionTable
        var variables: VariableTable
        /// Readable names that were asked for, by the linker's names.
        var readable: [String: String] = [:]

        init(_ path: String) {
            let file = ElfFile(path)
            func section(_ name: String) -> [UInt8] { file?.section(name) ?? [] }
            table = SymbolTable(symbols: section(".symtab"), names: section(".strtab"))
            let sections = DwarfSections(section)
            lines = LineTable(lines: section(".debug_line"), sections, from: Self.folder)
            functions = FunctionTable(sections)
            variables = VariableTable(functions.tree)
        }

        /// The working directory, from which users name files.
        private static var folder: String? {
            guard let path = getcwd(nil, 0) else { return nil }
            defer { free(path) }
            return String(cString: path)
        }

        mutating func readable(_ symbol: String) -> String {
            if let known = readable[symbol] { return known }
            let made = CxxName(symbol)?.text ?? symbol
            readable[symbol] = made
            return made
        }
    }

    private let file: ProgramFile
    private let content = Guarded<Content?>(nil)

    init(_ file: ProgramFile) { self.file = file }

    /// Reads the file now, for processes that are forked later.
    func prepare() { read { _ in } }

    private func read<Result>(_ body: (inout Content) -> Result) -> Result {
        content.withLock { content in
            if content == nil { content = Content(file.path) }
            return body(&content!)
        }
    }

    /// The address in the file of what is at this address in memory. Meaningless if that is not of this file.
    private func fileAddress(_ address: UInt64) -> UInt64 { address &- file.loadOffset }

    /// The source line of the code at the address. Nil: it is not the file's code, or has no line.
    func place(_ address: UInt64) -> ProgramSymbols.Place? {
        read { content in
            content.lines.place(fileAddress(address)).map { ProgramSymbols.Place(file: $0.file, line: $0.line) }
        }
    }

    /// The function at the address, and the functions inlined there: see `ProgramSymbols.calls`.
    ///
    /// - Parameter isLeftOut: whether calls in this source file are left out.
    /// - Returns: nil if the code is not the file's, or has no lines.
    func calls(at address: UInt64, without isLeftOut: (String) -> Bool) -> [TraceDocument.Site.Call]? {
        read { content in
            let code = fileAddress(address)
            guard var (source, line) = content.lines.place(code) else { return nil }
            let (frames, unit) = content.functions.frames(at: code)
            let outermost = content.table.symbol(at: code, isFunction: true)?.name
            var calls: [TraceDocument.Site.Call] = []
            // Only a call that is shown gets a readable name, because demangling takes time.
            func add(_ name: String?) {
                if isLeftOut(source) { return }
                calls.append(.init(function: name.map { content.readable($0) } ?? "?", file: source, line: line))
            }
            // The frames are the innermost first. Each but the last is an inlined function, called at `frame.line`.
            for (index, frame) in frames.enumerated() {
                add((index == frames.count - 1 ? outermost : nil) ?? frame.name)
                source = unit.flatMap { content.lines.file(frame.file, ofUnit: $0) } ?? source
                line = frame.line
            }
            if frames.isEmpty { add(outermost) }
            return calls
        }
    }

    /// The readable name of the function that contains the address.
    func function(at address: UInt64) -> String? {
        read { content in
            (content.table.symbol(at: fileAddress(address), isFunction: true)?.name).map { content.readable($0) }
        }
    }

    /// Whether a function begins at the address.
    func isStart(ofFunction address: UInt64) -> Bool {
        let code = fileAddress(address)
        return read { $0.table.symbol(at: code, isFunction: true)?.start == code }
    }

    /// The linker's name of the variable that contains the address. It also finds variables that the source does not
    /// name, such as virtual tables and guards of static locals.
    func variableSymbol(at address: UInt64) -> String? { variable(at: address)?.name }

    /// The linker's name of the variable that contains the address, and the variable's address.
    func variable(at address: UInt64) -> (name: String, start: UInt64)? {
        read { content in
            content.table.symbol(at: fileAddress(address), isFunction: false).map {
                ($0.name, $0.start &+ file.loadOffset)
            }
        }
    }

    /// The global variable that contains the address.
    func global(at address: UInt64) -> ProgramVariable? {
        read { content in
            let byte = fileAddress(address)
            guard let symbol = content.table.symbol(at: byte, isFunction: false) else { return nil }
            let distance = byte &- symbol.start
            let found = content.variables.global(at: symbol.start, distance)
            // The linker's name of a C++ variable says which class or function it belongs to. That of a C variable may
            // have a suffix, so the source's name is better.
            let isOfCxx = symbol.name.hasPrefix("_Z")
            return ProgramVariable(
                name: isOfCxx ? content.readable(symbol.name) : found?.name ?? symbol.name,
                start: symbol.start &+ file.loadOffset, part: found?.part ?? DwarfTypes.Part(rest: distance))
        }
    }

    /// The local variable that contains the address, among those of the frame's functions.
    ///
    /// - Parameter frame: a call in progress. Its `code` is an address in the file.
    func local(at address: UInt64, in frame: DwarfFrame) -> ProgramVariable? {
        read { content in
            guard let function = content.functions.entry(at: frame.code),
                let found = content.variables.local(at: address, in: frame, of: function), let name = found.name
            else { return nil }
            let owner = content.functions.name(found.function).map { content.readable($0) }
            return ProgramVariable(
                name: name, start: found.start, part: found.part, function: owner, isReference: found.isReference)
        }
    }

    /// The difference between an address in memory and the same address in the file.
    var loadOffset: UInt64 { file.loadOffset }
}
