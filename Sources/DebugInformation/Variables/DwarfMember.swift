/// A member or a base class of a structure. Bit-fields that follow each other count as one member, because an access
/// touches all that share its bytes.
struct DwarfMember {
    /// The member's entry, or the entries of all its bit-fields.
    fileprivate(set) var fields: [DwarfEntry]
    /// Whether it consists of bit-fields.
    fileprivate let isOfBits: Bool
    /// The offset of the entry of its type. Nil: it is not known, or the member consists of bit-fields.
    let type: Int?
    /// Its offset in the structure, in bytes.
    fileprivate(set) var start: UInt64
    /// Its size in bytes. Nil: it is not known.
    fileprivate(set) var size: UInt64?

    /// Its name. Nil: users of the structure see the member's parts as parts of the structure, as for a base class or
    /// an anonymous union.
    var name: String? {
        if isOfBits { return fields.map { $0.name ?? "" }.joined(separator: "/") }
        guard fields[0].tag == .member, let name = fields[0].name, !name.isEmpty else { return nil }
        return Self.elements.contains(name) ? nil : name
    }

    /// The member that contains the elements of a `std::array`, in libstdc++ and libc++.
    private static let elements: Set<String> = ["_M_elems", "__elems_"]

    /// Whether the member contains the byte. Nil: it begins at or before the byte, but its size is not known.
    fileprivate func contains(_ offset: UInt64) -> Bool? {
        guard start <= offset else { return false }
        return size.map { offset - start < $0 }
    }
}

extension DwarfTypes {
    /// The first member of the type or its base classes that contains the byte. Of the members of a union, one in which
    /// the byte begins a part is preferred. If no member certainly contains the byte, one of unknown size may be
    /// returned. Nil: there is none.
    mutating func member(of type: DwarfEntry, at offset: UInt64, _ work: inout Work) -> DwarfMember? {
        member(of: type, at: offset, 0, &work)
    }

    private mutating func member(
        of type: DwarfEntry, at offset: UInt64, _ depth: Int, _ work: inout Work
    ) -> DwarfMember? {
        var fallback: DwarfMember?
        for member in members(of: type, &work) {
            guard let hasByte = member.contains(offset) else {
                fallback = member
                continue
            }
            if !hasByte { continue }
            if type.tag == .unionType, leavesRest(member, offset, &work) {
                fallback = fallback ?? member
                continue
            }
            if depth >= Limits.typeDepth || member.name != nil { return member }
            guard let inner = structure(member.type, &work) else { return member }
            // A base class without members has one byte, which belongs to other members.
            guard var found = self.member(of: inner, at: offset - member.start, depth + 1, &work) else { continue }
            found.start += member.start
            return found
        }
        return fallback
    }

    /// Whether, in this member of a union, the byte is not the first of the smallest part that contains it. Then
    /// another member may fit better. Also false if too many unions are nested.
    private mutating func leavesRest(_ member: DwarfMember, _ offset: UInt64, _ work: inout Work) -> Bool {
        guard unions < Limits.unionDepth else { return false }
        unions += 1
        defer { unions -= 1 }
        return part(at: offset - member.start, of: member.type, &work).rest != 0
    }

    /// The members and base classes of the type, in their order.
    mutating func members(of type: DwarfEntry, _ work: inout Work) -> [DwarfMember] {
        var members: [DwarfMember] = []
        // The bit-fields directly before the entry.
        var bits: DwarfMember?
        for entry in tree.children(of: type.place, [.member, .inheritance], &work) {
            if let field = bytes(ofBits: entry, &work) {
                add(entry, field, to: &bits)
                continue
            }
            if let last = bits { members.append(last) }
            bits = nil
            guard let start = start(of: entry) else { continue }
            let size = size(of: entry.type, &work)
            members.append(
                DwarfMember(fields: [entry], isOfBits: false, type: entry.type, start: start, size: size))
        }
        if let last = bits { members.append(last) }
        return members
    }

    /// Adds a bit-field to the member of those that come directly before it.
    private func add(_ entry: DwarfEntry, _ field: Range<UInt64>, to bits: inout DwarfMember?) {
        var made = bits ?? DwarfMember(fields: [], isOfBits: true, type: nil, start: field.lowerBound, size: nil)
        if made.fields.count < Limits.bitFields { made.fields.append(entry) }
        made.size = max(field.upperBound, made.start) - made.start
        bits = made
    }

    /// The bytes that contain a bit-field. Nil: the member is not a bit-field, or its place is not known.
    private mutating func bytes(ofBits entry: DwarfEntry, _ work: inout Work) -> Range<UInt64>? {
        guard let count = entry[.bitSize]?.number else { return nil }
        // The offset is counted in bits. Older compilers give only the place of the bit-field's storage.
        if let first = entry[.dataBitOffset]?.number {
            let (last, isTooFar) = first.addingReportingOverflow(max(1, count) - 1)
            return isTooFar ? nil : first / 8..<last / 8 + 1
        }
        guard let start = start(of: entry), let size = size(of: entry.type, &work) else { return nil }
        let (end, isTooFar) = start.addingReportingOverflow(size)
        return isTooFar ? nil : start..<end
    }

    /// The offset of a member, which is left out for members of a union. Nil: it is a static member, or its offset
    /// depends on the object, as that of a virtual base class.
    private func start(of member: DwarfEntry) -> UInt64? {
        guard let place = member[.dataMemberLocation] else { return member[.declaration] == nil ? 0 : nil }
        guard var expression = place.expression else { return place.number }
        return expression.memberOffset()
    }
}
