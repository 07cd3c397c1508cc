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

        /// The line that the function has reached whose code is at the address, not that of one that is inlined there.
        mutating func line(at code: UInt64) -> Int? {
            let frames = functions.frames(at: code).frames
            return frames.count > 1 ? frames[frames.count - 2].line : lines.place(code)?.line
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
        calls(at: address, without: isLeftOut) { _, _ in false }.map { $0.map(\.call) }
    }

    /// Those calls, and for each of them whether its function is one that allocates memory for others.
    func callsAndAllocators(
        at address: UInt64, without isLeftOut: (String) -> Bool
    ) -> [(call: TraceDocument.Site.Call, isAllocator: Bool)]? {
        calls(at: address, without: isLeftOut) { content, frame in
            content.functions.returnsMemory(frame.entry) || frame.name.map(Self.isNameOfAllocator) ?? false
        }
    }

    /// Whether a function has one of the names by which programs and libraries call their own `malloc`.
    private static func isNameOfAllocator(_ name: String) -> Bool {
        // `operator new` and `operator new[]`, as linkers call them.
        if name.hasPrefix("_Znw") || name.hasPrefix("_Zna") { return true }
        if name.hasPrefix("_Z") { return false }
        return name.lowercased().contains("alloc") || name.hasSuffix("strdup") || name.hasSuffix("strndup")
    }

    private func calls(
        at address: UInt64, without isLeftOut: (String) -> Bool,
        _ isAllocator: (inout Content, FunctionTable.Frame) -> Bool
    ) -> [(call: TraceDocument.Site.Call, isAllocator: Bool)]? {
        read { content in
            let code = fileAddress(address)
            guard var (source, line) = content.lines.place(code) else { return nil }
            let (frames, unit) = content.functions.frames(at: code)
            let outermost = content.table.symbol(at: code, isFunction: true)?.name
            var calls: [(call: TraceDocument.Site.Call, isAllocator: Bool)] = []
            // Only a call that is shown gets a readable name, because demangling takes time.
            func add(_ name: String?, _ frame: FunctionTable.Frame?) {
                if isLeftOut(source) { return }
                calls.append(
                    (
                        call: .init(function: name.map { content.readable($0) } ?? "?", file: source, line: line),
                        isAllocator: frame.map { isAllocator(&content, $0) } ?? false
                    ))
            }
            // The frames are the innermost first. Each but the last is an inlined function, called at `frame.line`.
            for (index, frame) in frames.enumerated() {
                add((index == frames.count - 1 ? outermost : nil) ?? frame.name, frame)
                source = unit.flatMap { content.lines.file(frame.file, ofUnit: $0) } ?? source
                line = frame.line
            }
            if frames.isEmpty { add(outermost, nil) }
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

    /// The thread-local variable that contains the address.
    ///
    /// - Parameter pointer: the thread pointer of the variable's thread.
    func threadLocal(at address: UInt64, _ pointer: UInt64) -> ProgramVariable? {
        guard let beginning = file.threadLocals, address >= pointer &- beginning else { return nil }
        let place = address - (pointer &- beginning)
        return read { content in
            guard let symbol = content.table.threadLocal(at: place) else { return nil }
            let distance = place - symbol.start
            let found = content.variables.threadLocal(at: symbol.start, distance)
            let isOfCxx = symbol.name.hasPrefix("_Z")
            return ProgramVariable(
                name: isOfCxx ? content.readable(symbol.name) : found?.name ?? symbol.name, start: address - distance,
                part: found?.part ?? DwarfTypes.Part(rest: distance))
        }
    }

    // MARK: - Expressions

    /// The expressions that lead to memory in a frame, and then those of the global variables of its source file.
    /// Empty: the code is not the file's.
    ///
    /// - Parameters:
    ///   - frame: a call in progress. Its `code` is an address in the file.
    ///   - word: reads eight bytes of the program's memory.
    ///   - isReadable: whether eight bytes at an address can be read, unless they are in a variable of the file.
    func expressions(
        in frame: DwarfFrame, word: (UInt64) -> UInt64, isReadable: (UInt64) -> Bool
    ) -> [Expressions] {
        read { content in
            guard let function = content.functions.entry(at: frame.code) else { return [] }
            let table = content.table
            func variable(_ address: UInt64) -> UInt64? {
                table.symbol(at: fileAddress(address), isFunction: false)?.start
            }
            func value(_ address: UInt64) -> UInt64? {
                guard address <= .max - 8 else { return nil }
                let own = variable(address)
                let isOwn = own != nil && own == variable(address + 7)
                return isOwn || isReadable(address) ? word(address) : nil
            }
            return [
                content.variables.expressions(in: frame, of: function, line: content.line(at: frame.code), value),
                content.variables.globalExpressions(
                    of: function, offset: file.loadOffset, start: { table.start(ofVariable: $0) }, value),
            ]
        }
    }

    /// How an expression that `expressions` has found designates a byte of a block. Nil: it does not lead there.
    func designation(of address: UInt64, in block: Range<UInt64>, by expression: Expression) -> Designation? {
        block.contains(expression.value)
            ? read { $0.variables.designation(of: address, in: block, by: expression) } : nil
    }

    /// Whether the code at the address is that of a function in the file.
    func hasFunction(at address: UInt64) -> Bool {
        read { $0.functions.entry(at: fileAddress(address)) != nil }
    }

    /// The difference between an address in memory and the same address in the file.
    var loadOffset: UInt64 { file.loadOffset }
}
