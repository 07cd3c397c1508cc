/// What `.debug_info` says of one thing: a function, a variable, a type.
struct DwarfEntry: Sendable {
    let place: Int
    /// In how many others it is, from where the reading began.
    let depth: Int
    /// Nil: one that is not read.
    let tag: DwarfTag?
    let values: [(attribute: DwarfAttribute, value: DwarfValue)]

    subscript(attribute: DwarfAttribute) -> DwarfValue? { values.first { $0.attribute == attribute }?.value }

    var name: String? { self[.name]?.name }
    var type: Int? { self[.type]?.entry }
    var isInlined: Bool { tag == .inlinedSubroutine }

    /// The entry that says more of the same thing.
    var origin: Int? { (self[.abstractOrigin] ?? self[.specification])?.entry }

    func isOne(of tags: [DwarfTag]) -> Bool { tag.map { tags.contains($0) } ?? false }
}

/// The shape of entries: what they are of, and in which forms they say what.
struct DwarfAbbreviation: Sendable {
    struct Attribute: Sendable {
        /// Nil: one that is not read.
        let name: DwarfAttribute?
        /// Nil: it is not known.
        let form: DwarfForm?
        /// The value, in the form that has it here.
        let constant: Int
    }

    /// Nil: one that is not read.
    let tag: DwarfTag?
    let hasChildren: Bool
    fileprivate(set) var attributes: [Attribute] = []

    func isOne(of tags: [DwarfTag]) -> Bool { tag.map { tags.contains($0) } ?? false }
}

extension ByteReader {
    /// By number, up to the end of the table or what cannot be read.
    mutating func abbreviations() -> [UInt64: DwarfAbbreviation] {
        var found: [UInt64: DwarfAbbreviation] = [:]
        while let code = unsigned(), code != 0, let tag = unsigned(), let children = integer(1) {
            var made = DwarfAbbreviation(tag: DwarfTag(rawValue: tag), hasChildren: children != 0)
            while true {
                guard let name = unsigned(), let number = unsigned() else { return found }
                let form = DwarfForm(rawValue: number)
                guard let constant = form == .implicitConst ? signed() : 0 else { return found }
                if name == 0 && number == 0 { break }
                if made.attributes.count == Limits.attributes { return found }
                made.attributes.append(.init(name: DwarfAttribute(rawValue: name), form: form, constant: constant))
            }
            found[code] = made
        }
        return found
    }
}
