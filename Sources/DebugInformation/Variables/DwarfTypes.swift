/// The sizes of types, and the parts of variables as the source writes them: `[2].balance` of an array of accounts.
package struct DwarfTypes: Sendable {
    /// The part of a variable that contains a byte.
    package struct Part: Equatable {
        /// What the source writes after the variable's name: `[2].balance`. Empty: the variable as a whole.
        package var path = ""
        /// The distance of the byte from the beginning of the part.
        package var rest: UInt64
        /// Whether the part is an object of a library, whose own parts have names that its users do not know.
        package var isOpaque = false
        /// Whether the byte is the first of a pointer.
        package var isPointer = false
        /// The name of the type to which that points. Nil: it has none.
        package var pointee: String?

        package init(path: String = "", rest: UInt64) {
            self.path = path
            self.rest = rest
        }
    }

    let tree: DwarfTree
    /// The sizes of types, by the offsets of their entries. Nil: the size is not known.
    private var sizes: [Int: UInt64?] = [:]
    /// The number of nested unions whose members are being tried.
    var unions = 0
    /// The pointers inside of objects of a type: see `pointers(inside:_:)`.
    var pointers: [Int: [InnerPointer]] = [:]

    init(_ tree: DwarfTree) { self.tree = tree }

    // MARK: - Sizes

    /// A type's size in bytes. Nil: it is not known, for example because another unit defines the type.
    mutating func size(of type: Int?, _ work: inout Work) -> UInt64? { size(of: type, 0, &work) }

    private mutating func size(of type: Int?, _ depth: Int, _ work: inout Work) -> UInt64? {
        guard let type, depth < Limits.typeDepth else { return nil }
        if let known = sizes[type] { return known }
        let made = tree.entry(at: type, &work).flatMap { madeSize(of: $0, depth, &work) }
        sizes[type] = .some(made)
        return made
    }

    private static let pointerSize: UInt64 = 8

    private mutating func madeSize(of entry: DwarfEntry, _ depth: Int, _ work: inout Work) -> UInt64? {
        if let size = entry[.byteSize] { return size.number }
        if entry.tag == .pointerType || entry.isOne(of: DwarfTag.references) { return Self.pointerSize }
        guard let size = size(of: entry.type, depth + 1, &work) else { return nil }
        if entry.isOne(of: DwarfTag.same) { return size }
        guard entry.tag == .arrayType else { return nil }
        return counts(of: entry, &work).reduce(size) { size, count in
            guard let size, let count else { return nil }
            let (product, isTooLarge) = size.multipliedReportingOverflow(by: count)
            return isTooLarge ? nil : product
        }
    }

    /// The number of an array's elements in each dimension. Nil: it is not known, or is 0, as at the end of a structure
    /// whose last array is as long as the allocated memory.
    func counts(of array: DwarfEntry, _ work: inout Work) -> [UInt64?] {
        tree.children(of: array.place, [.subrangeType], &work).prefix(Limits.dimensions).map { bounds in
            // The upper bound of an array without elements is −1, which is `.max` here.
            let count = bounds[.count]?.number ?? bounds[.upperBound]?.number.map { $0 == .max ? 0 : $0 + 1 }
            return count == 0 ? nil : count
        }
    }

    /// Whether the type is an array whose length is not in the file, because it depends on the running function.
    func isOfVariableLength(_ type: Int?, _ work: inout Work) -> Bool {
        guard let array = bare(type, &work), array.tag == .arrayType else { return false }
        return counts(of: array, &work).first == .some(nil)
    }

    // MARK: - Other types

    /// The type to which a pointer points (nil inside of the result: `void`). Nil: the type is no pointer.
    func pointee(_ type: Int?, _ work: inout Work) -> Int?? {
        bare(type, &work).flatMap { $0.tag == .pointerType ? .some($0.type) : nil }
    }

    /// The name of a type, without what the source says of its kind: `queue` for `const struct queue`. The name of a
    /// structure is preferred to its aliases. Nil: it has none.
    func name(of type: Int?, _ work: inout Work) -> String? {
        if let name = structure(type, &work)?.name { return name }
        var next = type
        for _ in 0..<Limits.typeDepth {
            guard let entry = next.flatMap({ tree.entry(at: $0, &work) }) else { return nil }
            if let name = entry.name { return name }
            guard entry.isOne(of: DwarfTag.same) else { return nil }
            next = entry.type
        }
        return nil
    }

    /// The class, structure or union behind the type's aliases and qualifiers. Nil: it is a type of another kind.
    func structure(_ type: Int?, _ work: inout Work) -> DwarfEntry? {
        bare(type, &work).flatMap { $0.isOne(of: DwarfTag.structures) ? $0 : nil }
    }

    /// The type to which a reference refers. Nil: the type is not a reference.
    func referred(_ type: Int?, _ work: inout Work) -> Int? {
        bare(type, &work).flatMap { $0.isOne(of: DwarfTag.references) ? $0.type : nil }
    }

    /// The type behind type aliases and qualifiers, such as `const`.
    func bare(_ type: Int?, _ work: inout Work) -> DwarfEntry? {
        var next = type
        for _ in 0..<Limits.typeDepth {
            guard let entry = next.flatMap({ tree.entry(at: $0, &work) }) else { return nil }
            if !entry.isOne(of: DwarfTag.same) { return entry }
            next = entry.type
        }
        return nil
    }
}
