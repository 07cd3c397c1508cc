/// How the source designates a byte of a block of the heap by an expression: `q->head`.
package struct Designation {
    /// What the source writes, without `part.rest`.
    package let text: String
    package let part: DwarfTypes.Part
    /// The name of the type to which the expression points. Nil: it has none.
    package let type: String?
    /// The number of the element to which the expression points, if that is one of several in the block and not the
    /// first. The text does not say which it is.
    package let element: UInt64?
    /// The smaller, the more a reader learns of it.
    package let rank: Rank

    package enum Rank: Int, Comparable {
        /// A member of a structure.
        case member
        /// A number, or an element of an array.
        case value
        /// A member of an element, of which the text does not say which one it is.
        case memberOfAny
        /// Where a pointer has come to in an array.
        case cursor

        package static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }
}

extension VariableTable {
    /// How the source designates a byte of a block by an expression. Nil: the expression does not lead there.
    package mutating func designation(
        of address: UInt64, in block: Range<UInt64>, by expression: Expression
    ) -> Designation? {
        guard block.contains(expression.value), block.contains(address), address >= expression.value else { return nil }
        var work = Work(Limits.typeWork)
        guard let size = types.size(of: expression.target, &work), size > 0 else { return nil }
        let distance = address - expression.value
        let isStructure = types.structure(expression.target, &work) != nil
        let isFirst = expression.value == block.lowerBound
        let type = types.name(of: expression.target, &work)
        func part(_ offset: UInt64) -> DwarfTypes.Part { types.part(at: offset, of: expression.target, &work) }
        // Behind its end, a structure can have an array whose length it does not say.
        let isOpen = isStructure && !part(size).path.isEmpty
        let isOfSeveral =
            expression.form == .elements || !isOpen && isArray(block, from: expression.value, size, isStructure)
        let isIndexed = expression.form == .pointer || expression.form == .elements

        let isNamedByIndex = isFirst || distance >= size || expression.form == .elements || !isStructure
        if isIndexed && isOfSeveral && isNamedByIndex {
            let part = part(distance % size)
            return Designation(
                text: "\(expression.text)[\(distance / size)]\(part.path)", part: part, type: type, element: nil,
                rank: isFirst ? .value : .cursor)
        }
        let whole = part(distance)
        if distance >= size && !isOpen { return nil }
        // The library's own functions have objects whose members users do not know.
        if expression.form == .members && whole.path.isEmpty { return nil }
        let before = expression.value - block.lowerBound
        let isElement = isStructure && !isFirst && before % size == 0 && UInt64(block.count) % size == 0
        return Designation(
            text: expression.text(whole.path), part: whole, type: type, element: isElement ? before / size : nil,
            rank: !isIndexed || isStructure && !isElement
                ? .member : isStructure ? .memberOfAny : isFirst ? .value : .cursor)
    }

    /// Whether what follows in the block from the address on is as long as several things of this size. A structure can
    /// also be followed by other things.
    private func isArray(_ block: Range<UInt64>, from start: UInt64, _ size: UInt64, _ isStructure: Bool) -> Bool {
        let rest = block.upperBound - start
        return rest / size >= 2 && (!isStructure || rest % size == 0)
    }
}
