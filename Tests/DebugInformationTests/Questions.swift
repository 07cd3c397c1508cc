@testable import DebugInformation

/// Asks everything of a file, at these places.
struct Questions: Sendable {
    /// In functions, and in variables.
    private let code: [UInt64]
    private let data: [UInt64]

    /// Those of the file itself, and the ends of memory.
    init(about bytes: [UInt8]) {
        var (code, data): ([UInt64], [UInt64]) = ([0, 1, .max], [0, .max])
        let file = ElfFile(bytes)
        var reader = ByteReader(file?.section(".symtab") ?? [])
        while let symbol = ElfSymbol(&reader) {
            guard symbol.isDefined else { continue }
            if symbol.kind == .function { code += stride(from: symbol.start, to: symbol.end, by: 8) }
            if symbol.kind == .object { data += stride(from: symbol.start, to: symbol.end, by: 56) }
        }
        (self.code, self.data) = (code, data)
    }

    struct Answers: Equatable {
        var symbols: Set<String> = []
        var lines: Set<Int> = []
        var frames: Set<String> = []
        var locals: Set<String> = []
        var globals: Set<String> = []
        var expressions: Set<String> = []
    }

    func answers(of bytes: [UInt8]) -> Answers {
        var answers = Answers()
        guard let file = ElfFile(bytes) else { return answers }
        func section(_ name: String) -> [UInt8] { file.section(name) ?? [] }
        _ = file.needed
        _ = SymbolTable.sources(symbols: section(".symtab"), names: section(".strtab"))
        _ = SymbolTable.interface(
            symbols: section(".dynsym"), names: section(".dynstr"), relocations: section(".rela.dyn"))
        let symbols = SymbolTable(symbols: section(".symtab"), names: section(".strtab"))
        let sections = DwarfSections(section)
        let lines = LineTable(lines: section(".debug_line"), sections, from: "/tmp")
        var functions = FunctionTable(sections)
        var variables = VariableTable(functions.tree)
        for address in code {
            if let name = symbols.symbol(at: address, isFunction: true)?.name { answers.symbols.insert(name) }
            if let line = lines.place(address)?.line { answers.lines.insert(line) }
            let (frames, unit) = functions.frames(at: address)
            for frame in frames {
                answers.frames.insert(frame.name ?? "?")
                if let unit { _ = lines.file(frame.file, ofUnit: unit) }
            }
            guard let entry = functions.entry(at: address) else { continue }
            let frame = DwarfFrame(
                code: address, stack: 0x1000, base: 0x1100, end: 0x1200,
                kept: [3: 0x5000, 12: 0x6000, 13: .max, 14: 0, 15: 0x7000]
            ) { 0x1000 | $0 & 0xF8 }
            _ = functions.returnsMemory(entry)
            for found in [
                variables.expressions(in: frame, of: entry, line: nil) { 0x8000 | $0 & 0xF8 },
                variables.globalExpressions(
                    of: entry, offset: 16, start: { symbols.start(ofVariable: $0) }, { $0 & 8 == 0 ? nil : .max - 8 }),
            ] {
                for expression in found.variables + found.members {
                    for (distance, size) in [(0, 1), (4, 48), (40, 4096)] as [(UInt64, UInt64)] {
                        let start = min(expression.value, .max - size)
                        let designation = variables.designation(
                            of: start + distance, in: start..<start + size, by: expression)
                        if let text = designation?.text { answers.expressions.insert(text) }
                    }
                }
            }
            for place in [0, .max] + Array(stride(from: UInt64(0x1000), to: 0x1208, by: 24)) {
                guard let found = variables.local(at: place, in: frame, of: entry) else { continue }
                answers.locals.insert((found.name ?? "?") + found.part.path)
                _ = functions.name(found.function)
            }
        }
        for address in data {
            let start = symbols.symbol(at: address, isFunction: false)?.start ?? address
            for distance in [address &- start, .max] {
                guard let found = variables.global(at: start, distance) else { continue }
                answers.globals.insert((found.name ?? "?") + found.part.path)
            }
        }
        return answers
    }
}
