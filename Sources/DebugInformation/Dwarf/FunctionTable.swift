/// The functions that the code at an address is of, also those that the compiler has put in the place of their calls.
///
/// The table may be damaged: what cannot be read ends the reading, and what was read before counts.
package struct FunctionTable: Sendable {
    /// A function, and the place in it where the address, or the function before it, is.
    package struct Frame: Equatable {
        /// As linkers know it, or as the source has it. Nil: it is not known.
        package let name: String?
        /// Where the compiler has put it in place of a call: the number of the file, and the line, in its caller.
        package let file: Int
        package let line: Int
    }

    private struct Function: Sendable {
        let ranges: [Range<UInt64>]
        let depth: Int
        /// The entry that names it.
        let entry: Int
        let isInlined: Bool
        let file: Int
        let line: Int
    }

    private struct Content: Sendable {
        var functions: [Function] = []
        var names: [Int: Name] = [:]
    }

    private struct Name: Sendable {
        var own: String?
        /// The entry that says more.
        var origin: Int?
    }

    package let tree: DwarfTree
    private var contents: [Int: Content] = [:]

    package init(_ sections: DwarfSections) { tree = DwarfTree(sections) }

    /// The functions, the innermost first, and the place of the table of lines that their numbers of files belong to.
    /// Empty: none is known.
    package mutating func frames(at address: UInt64) -> (frames: [Frame], lines: Int?) {
        let (found, unit) = functions(at: address)
        guard let unit else { return ([], nil) }
        var frames: [Frame] = []
        for function in found {
            frames.append(Frame(name: name(function.entry), file: function.file, line: function.line))
        }
        return (frames, tree.units[unit].lines)
    }

    /// The entry of the function that the code at the address was compiled for, with all that was put into it.
    package mutating func entry(at address: UInt64) -> Int? {
        functions(at: address).functions.first { !$0.isInlined }?.entry
    }

    private mutating func functions(at address: UInt64) -> (functions: [Function], unit: Int?) {
        for number in tree.units.indices where tree.code[number].contains(where: { $0.contains(address) }) {
            let found = content(number).functions.filter { $0.ranges.contains { $0.contains(address) } }
            if !found.isEmpty { return (found.sorted { $0.depth > $1.depth }, number) }
        }
        return ([], nil)
    }

    // MARK: - Names

    /// - Parameter entry: of a function.
    package mutating func name(_ entry: Int) -> String? {
        var place = entry
        for _ in 0..<8 {
            guard let number = tree.unit(at: place), let name = content(number).names[place] else { return nil }
            if let own = name.own { return own }
            guard let origin = name.origin else { return nil }
            place = origin
        }
        return nil
    }

    // MARK: - Reading

    private mutating func content(_ number: Int) -> Content {
        if let known = contents[number] { return known }
        let made = read(tree.units[number])
        contents[number] = made
        return made
    }

    private mutating func read(_ unit: DwarfUnit) -> Content {
        var content = Content()
        tree.visit(unit.entries, [DwarfTag.function, DwarfTag.inlined]) { entry in
            add(entry, to: &content)
            return true
        }
        return content
    }

    private func add(_ entry: DwarfEntry, to content: inout Content) {
        let linked = entry[.linkageName] ?? entry[.oldLinkageName]
        var own = linked?.text ?? (entry.origin == nil ? entry.name : nil)
        // Of gcc, which gives those of lambdas no other name.
        if own == "operator()" { own = "lambda" }
        content.names[entry.place] = Name(own: own, origin: entry.origin)
        let code = tree.ranges(of: entry)
        if code.isEmpty { return }
        func number(_ attribute: DwarfAttribute) -> Int {
            entry.isInlined ? entry[attribute]?.number.flatMap { Int(exactly: $0) } ?? 0 : 0
        }
        content.functions.append(
            Function(
                ranges: code, depth: entry.depth, entry: entry.place, isInlined: entry.isInlined,
                file: number(.callFile), line: number(.callLine)))
    }
}
