/// A debugging information entry (DIE) of `.debug_info`, which describes a function, a variable or a type.
struct DwarfEntry: Sendable {
    /// Its offset in `.debug_info`.
    let place: Int
    /// The number of entries that enclose it, counted from the one with which the reading began.
    let depth: Int
    /// Nil: a tag that is not used here.
    let tag: DwarfTag?
    let values: [(attribute: DwarfAttribute, value: DwarfValue)]

    subscript(attribute: DwarfAttribute) -> DwarfValue? { values.first { $0.attribute == attribute }?.value }

    var name: String? { self[.name]?.name }
    /// The offset of the entry of its type.
    var type: Int? { self[.type]?.entry }
    var isInlined: Bool { tag == .inlinedSubroutine }

    /// The offset of the entry that describes the same thing further (`DW_AT_abstract_origin`, `DW_AT_specification`).
    var origin: Int? { (self[.abstractOrigin] ?? self[.specification])?.entry }

    func isOne(of tags: [DwarfTag]) -> Bool { tag.map { tags.contains($0) } ?? false }
}

/// An abbreviation: the tag of the entries that refer to it, and the forms of their attributes.
struct DwarfAbbreviation: Sendable {
    struct Attribute: Sendable {
        /// Nil: an attribute that is not used here.
        let name: DwarfAttribute?
        /// Nil: the form is not known.
        let form: DwarfForm?
        /// The value itself, if the form is `DW_FORM_implicit_const`. Otherwise 0.
        let constant: Int
    }

    /// Nil: a tag that is not used here.
    let tag: DwarfTag?
    let hasChildren: Bool
    fileprivate(set) var attributes: [Attribute] = []

    func isOne(of tags: [DwarfTag]) -> Bool { tag.map { tags.contains($0) } ?? false }
}

extension ByteReader {
    /// The abbreviations of a table by their codes, up to the end of the table or the first one that cannot be read.
    mutating func abbreviations() -> [UInt64: DwarfAbbreviation] {
        var found: [UInt64: DwarfAbbreviation] = [:]
        while let code = unsigned(), code != 0, let tag = unsigned(), let children = integer(1) {
            var made = DwarfAbbreviation(tag: DwarfTag(rawValue: tag), hasChildren: children != 0)
            while true {
                guard let name = unsigned(), let number = unsigned() else { return found }
                let form = DwarfForm(rawValue: number)
                guard let constant = form == .implicitConst ? signed() : 0 else { return found }
                // Two zeros end the attributes.
                if name == 0 && number == 0 { break }
                if made.attributes.count == Limits.attributes { return found }
                made.attributes.append(.init(name: DwarfAttribute(rawValue: name), form: form, constant: constant))
            }
            found[code] = made
        }
        return found
    }
}
