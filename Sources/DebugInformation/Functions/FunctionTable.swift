/// The functions that contain the code at an address, including inlined ones.
///
/// The debug information may be damaged. What cannot be read ends the reading, and what was read before counts.
package struct FunctionTable: Sendable {
    /// A function that contains an address and, if it was inlined, the call that it replaces.
    package struct Frame: Equatable {
        /// The linker's name, or else the source's. Nil: it is not known.
        package let name: String?
        /// The number of the file of the inlined call, in the unit's line table. 0 also if the number is not known, or
        /// the function is not inlined.
        package let file: Int
        /// The line of the inlined call. 0: it is not known, or the function is not inlined.
        package let line: Int
        /// The offset of the function's entry.
        package let entry: Int
    }

    private struct Function: Sendable {
        let ranges: [Range<UInt64>]
        /// The depth of its entry. A function that is inlined into another one is deeper, because its entry is inside
        /// the other's.
        let depth: Int
        /// The offset of its entry.
        let entry: Int
        let isInlined: Bool
        let file: Int
        let line: Int
    }

    package let tree: DwarfTree
    /// The functions of each unit that has been read, by its number.
    private var functions: [Int: [Function]] = [:]

    package init(_ sections: DwarfSections) { tree = DwarfTree(sections) }

    /// The functions at the address, the innermost first, and the offset in `.debug_line` of the table to which their
    /// file numbers belong. Empty: no function is known there.
    package mutating func frames(at address: UInt64) -> (frames: [Frame], lines: Int?) {
        let (found, unit) = functions(at: address)
        guard let unit else { return ([], nil) }
        let frames = found.prefix(Limits.frames).map {
            Frame(name: name($0.entry), file: $0.file, line: $0.line, entry: $0.entry)
        }
        return (frames, tree.units[unit].lines)
    }

    /// The offset of the entry of the function that contains the address. Functions that were inlined into it do not
    /// count.
    package mutating func entry(at address: UInt64) -> Int? {
        functions(at: address).functions.first { !$0.isInlined }?.entry
    }

    private mutating func functions(at address: UInt64) -> (functions: [Function], unit: Int?) {
        var work = Work()
        for number in tree.units.indices where tree.code[number].contains(where: { $0.contains(address) }) {
            let found = functions(ofUnit: number, &work).filter { $0.ranges.contains { $0.contains(address) } }
            if !found.isEmpty { return (found.sorted { $0.depth > $1.depth }, number) }
        }
        return ([], nil)
    }

    // MARK: - Names

    /// The name of a function: see `Frame.name`.
    ///
    /// - Parameter entry: the offset of the function's entry.
    package func name(_ entry: Int) -> String? {
        var work = Work()
        guard let entry = tree.entry(at: entry, &work) else { return nil }
        return tree.first(of: entry, &work) { Self.ownName($0) }
    }

    /// The name in this entry. Nil: it has none, or its origin (`DwarfEntry.origin`) may have a better one.
    private static func ownName(_ entry: DwarfEntry) -> String? {
        let linked = entry[.linkageName] ?? entry[.mipsLinkageName]
        guard let name = linked?.text ?? (entry.origin == nil ? entry.name : nil) else { return nil }
        // This is the only name that gcc gives the function of a lambda.
        return name == "operator()" ? "lambda" : name
    }

    // MARK: - Reading

    private mutating func functions(ofUnit number: Int, _ work: inout Work) -> [Function] {
        if let known = functions[number] { return known }
        var made: [Function] = []
        var rangesLeft = Limits.allRanges
        tree.visit(tree.units[number].entries, [.subprogram, .inlinedSubroutine], &work) { entry, work in
            let code = tree.ranges(of: entry, &work)
            rangesLeft -= code.count
            if !code.isEmpty { made.append(Self.function(entry, code)) }
            return rangesLeft > 0
        }
        functions[number] = made
        return made
    }

    private static func function(_ entry: DwarfEntry, _ code: [Range<UInt64>]) -> Function {
        func number(_ attribute: DwarfAttribute) -> Int {
            entry.isInlined ? entry[attribute]?.number.flatMap { Int(exactly: $0) } ?? 0 : 0
        }
        return Function(
            ranges: code, depth: entry.depth, entry: entry.place, isInlined: entry.isInlined,
            file: number(.callFile), line: number(.callLine))
    }
}
