/// The variables in scope at an address in the code: those of a function, and of the functions inlined into it there.
struct Scope: Sendable {
    struct Variable: Sendable {
        let name: String
        /// The offset of the entry of its type.
        let type: Int?
        /// The value of its attribute `DW_AT_location`.
        let location: DwarfValue
        /// The depth of its entry in the function. It is larger in inner blocks and in inlined functions.
        let depth: Int
        /// The offset of the entry of the variable's function.
        let function: Int
        /// The line of its declaration. 0: it is not known, or the variable is a parameter, which has a value from the
        /// beginning.
        let line: Int
    }

    private(set) var variables: [Variable] = []
    /// The function's frame base, to which the addresses of its variables are relative.
    private(set) var frameBase: DwarfValue?

    private static let kinds: [DwarfTag] = [
        .variable, .formalParameter, .lexicalBlock, .inlinedSubroutine, .subprogram,
    ]

    /// - Parameters:
    ///   - code: the address in the code.
    ///   - function: the offset of the entry of the function that contains it.
    init(_ tree: DwarfTree, at code: UInt64, of function: Int, _ work: inout Work) {
        // The functions that enclose the present entry: the function itself, and those inlined into it.
        var functions: [(place: Int, depth: Int)] = [(function, 0)]
        // The depth of an entry whose contents are skipped.
        var leftOut = Int.max
        tree.visit(function, Self.kinds, &work) { entry, work in
            if entry.place == function {
                frameBase = entry[.frameBase]
                return true
            }
            if entry.depth > leftOut { return true }
            leftOut = .max
            while functions.count > 1, functions[functions.count - 1].depth >= entry.depth { functions.removeLast() }
            if entry.tag == .variable || entry.tag == .formalParameter {
                add(entry, functions[functions.count - 1].place, tree, &work)
            } else if entry.tag == .subprogram || !tree.ranges(of: entry, &work).contains(where: { $0.contains(code) })
            {
                // A function that is declared inside this one has its own frame, and other blocks are not in scope.
                leftOut = entry.depth
            } else if entry.isInlined {
                functions.append((entry.place, entry.depth))
            }
            return variables.count < Limits.variables
        }
    }

    /// The parameter by which gcc gives a lambda's function what the lambda has captured.
    static let captures = "__closure"

    /// Adds a variable, unless its place or name is not known, or the name shows that the compiler has made it.
    private mutating func add(_ entry: DwarfEntry, _ function: Int, _ tree: DwarfTree, _ work: inout Work) {
        guard let location = entry[.location], let name = tree.first(of: entry, &work, { $0.name }),
            !name.hasPrefix("__") || name == Self.captures
        else { return }
        let type = tree.first(of: entry, &work) { $0.type }
        let line = entry.tag == .variable ? tree.first(of: entry, &work) { $0[.declLine]?.number } : nil
        variables.append(
            Variable(
                name: name, type: type, location: location, depth: entry.depth, function: function,
                line: line.flatMap { Int(exactly: $0) } ?? 0))
    }
}
