import Glibc
import Testing

@testable import DebugInformation

/// Files in which a few bytes stand for endless work: what would take too long counts as what cannot be read.
@Suite(.serialized) struct HostileFileTests {
    /// A unit with abbreviations: 1 is the unit, 2 a function, 3 a variable, 4 a structure, 5 a member, 6 a function with ranges.
    private static let shapes: [UInt8] =
        [1, 0x11, 1, 0, 0]
        + [2, 0x2E, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x0B, 0x40, 0x18, 0, 0]
        + [3, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0]
        + [4, 0x13, 1, 0x0B, 0x0B, 0, 0]
        + [5, 0x0D, 0, 0x49, 0x13, 0x38, 0x0B, 0, 0]
        + [6, 0x2E, 0, 0x55, 0x17, 0, 0]
        + [0]

    private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    private static func unit(_ entries: [UInt8], abbreviations: Int = 0) -> [UInt8] {
        number(entries.count + 8) + [5, 0, 1, 8] + number(abbreviations) + entries
    }

    private static func sections(_ contents: [String: [UInt8]]) -> DwarfSections {
        DwarfSections { contents[$0] ?? (($0 == ".debug_abbrev") ? shapes : []) }
    }

    @Test func `a structure that has itself as members in all ways is given up`() {
        var entries: [UInt8] = [1]
        let structure = UInt8(12 + entries.count)
        entries += [4, 60] + [[UInt8]](repeating: [5, structure, 0, 0, 0, 1], count: 4).joined() + [0]
        let function = 12 + entries.count
        entries += [2, 0x66, 0, 16, 0, 0, 0, 0, 0, 0, 0, 16, 1, 0x9C]
        entries += [3, 0x73, 0, structure, 0, 0, 0, 2, 0x91, 0x40, 0, 0]
        let tree = FunctionTable(Self.sections([".debug_info": Self.unit(entries)])).tree
        var variables = VariableTable(tree)
        ProcessorTime.isBounded {
            let found = variables.local(
                at: 936 + 20, in: DwarfFrame(code: 20, stack: 0, base: 0, end: 1000, word: { _ in 0 }), of: function)
            #expect(found?.name == "s")
        }
    }

    @Test func `symbols whose names are nearly all others are not read`() {
        let names = [0] + [UInt8](repeating: 0x61, count: 1 << 22) + [0]
        let rest = [4, 0, 1, 0] + [UInt8](repeating: 0, count: 16)
        let symbols = [UInt8](repeating: 0, count: 24) + (1...4000).flatMap { Self.number($0) + rest }
        ProcessorTime.isBounded {
            #expect(SymbolTable.sources(symbols: symbols, names: names).isEmpty)
            #expect(SymbolTable.interface(symbols: symbols, names: names, relocations: []) == nil)
        }
        // Those of a proper table are.
        #expect(SymbolTable.sources(symbols: Array(symbols.prefix(48)), names: [0, 0x61, 0]).map(\.name) == ["a"])
    }

    @Test func `tables of abbreviations that have bytes in common are read once`() {
        // Without an end, so each reaches as far as all.
        let table = Array([[UInt8]](repeating: [1, 0x11, 0, 0, 0], count: 50_000).joined())
        let info = (0..<4000).flatMap { Self.unit([1, 0], abbreviations: 5 * $0) }
        ProcessorTime.isBounded {
            let tree = DwarfTree(Self.sections([".debug_info": info, ".debug_abbrev": table]))
            var work = Work()
            #expect(tree.units.count == 4000)
            #expect(tree.entry(at: tree.units[0].entries, &work)?.tag == .compileUnit)
            #expect(tree.entry(at: tree.units[1].entries, &work) == nil)
        }
    }

    @Test func `an abbreviation with more attributes than any has is not read`() {
        func found(_ count: Int) -> Int? {
            let flags = [[UInt8]](repeating: [0x3C, 0x19], count: count).joined()
            let shapes: [UInt8] = [1, 0x11, 1, 0, 0, 2, 0x2E, 0, 0x11, 0x01, 0x12, 0x0B] + flags + [0, 0, 0]
            let unit = Self.unit([1, 2, 16, 0, 0, 0, 0, 0, 0, 0, 16, 0])
            let tree = DwarfTree(Self.sections([".debug_info": unit, ".debug_abbrev": shapes]))
            var work = Work()
            return tree.entry(at: 13, &work)?.values.count
        }
        #expect(found(100) == 102)
        #expect(found(Limits.attributes) == nil)
    }

    @Test func `functions that all have the same long list of ranges are read as far as there is work`() {
        let list = [[UInt8]](repeating: [4, 1, 2], count: 8000).joined() + [0]
        let info = Self.unit([1] + [[UInt8]](repeating: [6, 0, 0, 0, 0], count: 20_000).joined() + [0])
        ProcessorTime.isBounded {
            let tree = DwarfTree(Self.sections([".debug_info": info, ".debug_rnglists": Array(list)]))
            var (work, count) = (Work(), 0)
            tree.visit(12, [.subprogram], &work) { entry, work in
                count += tree.ranges(of: entry, &work).count
                return true
            }
            #expect((1...Limits.work).contains(count))
        }
    }

    @Test func `files that all have the same long path are named as far as there is room`() {
        let text = [UInt8](repeating: 0x61, count: 60_000) + [0]
        let files = [[UInt8]](repeating: [0, 0, 0, 0], count: 50_000).joined()
        let tables: [UInt8] = [0, 0] + [1, 1, 0x1F] + [0xD0, 0x86, 0x03] + files
        let header: [UInt8] = [1, 1, 1, 0xFB, 14, 1] + tables
        let body = [5, 0, 8, 0] + Self.number(header.count) + header
        ProcessorTime.isBounded {
            let lines = Self.number(body.count) + body
            let table = LineTable(lines: lines, Self.sections([".debug_line_str": text]), from: nil)
            #expect(table.place(1) == nil)
        }
    }

    @Test func `a table of files that repeats its columns is not read`() {
        let columns = [[UInt8]](repeating: [2, 0x19], count: 200).joined()
        let header: [UInt8] = [1, 1, 1, 0xFB, 14, 1, 0, 0] + [200] + columns + [1]
        let body = [5, 0, 8, 0] + Self.number(header.count) + header
        let table = LineTable(lines: Self.number(body.count) + body, Self.sections([:]), from: nil)
        #expect(table.file(0, ofUnit: 0) == nil)
    }
}

/// The time that the processor has spent on this thread, which does not depend on what else the machine does.
enum ProcessorTime {
    /// In seconds: far more than the reading of any file of the tests takes, and far less than what never ends.
    static let most = 20.0

    static func isBounded(sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void) {
        let start = now
        body()
        let spent = now - start
        #expect(spent < most, "\(spent) s", sourceLocation: sourceLocation)
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
