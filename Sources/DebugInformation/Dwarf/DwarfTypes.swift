/// Which part of a variable a byte of it is, as the source says it: `[2].balance` of an array of accounts.
package struct DwarfTypes: Sendable {
    package struct Part: Equatable {
        package var path = ""
        /// How far the byte is from the part's first one.
        package var rest: UInt64
        /// Whether the part is an object of a library, whose own parts have names that its users do not know.
        package var isOpaque = false

        package init(path: String = "", rest: UInt64) {
            self.path = path
            self.rest = rest
        }
    }

    private struct Member {
        /// Nil: what is in it belongs to the whole.
        let name: String?
        let type: Int?
        let start: UInt64
        /// Nil: it is not known.
        let size: UInt64?
    }

    private let tree: DwarfTree
    /// By the place of a type; nil: it is not known.
    private var sizes: [Int: UInt64?] = [:]

    /// A type that is further inside others is not looked at.
    private static let depth = 32
    private static let longest = 120
    /// Of unions inside others, more than this are not tried.
    private static let mostUnions = 3
    private var unions = 0

    init(_ tree: DwarfTree) { self.tree = tree }

    // MARK: - Sizes

    /// In bytes. Nil: it is not known, as of a type that another unit defines.
    mutating func size(of type: Int?) -> UInt64? { size(of: type, 0) }

    private mutating func size(of type: Int?, _ depth: Int) -> UInt64? {
        guard let type, depth < Self.depth else { return nil }
        if let known = sizes[type] { return known }
        let made = tree.entry(at: type).flatMap { madeSize(of: $0, depth) }
        sizes[type] = .some(made)
        return made
    }

    private mutating func madeSize(of entry: DwarfEntry, _ depth: Int) -> UInt64? {
        if let size = entry[.size] { return size.number }
        if entry.tag == DwarfTag.pointer || DwarfTag.references.contains(entry.tag) { return 8 }
        guard let size = size(of: entry.type, depth + 1) else { return nil }
        if DwarfTag.same.contains(entry.tag) { return size }
        guard entry.tag == DwarfTag.array else { return nil }
        return counts(of: entry).reduce(size) { size, count in
            guard let size, let count else { return nil }
            let (product, isTooLarge) = size.multipliedReportingOverflow(by: count)
            return isTooLarge ? nil : product
        }
    }

    /// The numbers of an array's elements, by dimension. Nil: it is not known.
    private func counts(of array: DwarfEntry) -> [UInt64?] {
        tree.children(of: array.place, [DwarfTag.bounds]).prefix(8).map { bounds in
            // An array without elements ends before its first one.
            let count = bounds[.count]?.number ?? bounds[.upperBound]?.number.map { $0 &+ 1 }
            return count == 0 ? nil : count
        }
    }

    // MARK: - Parts

    mutating func part(at offset: UInt64, of type: Int?) -> Part {
        var part = Part(rest: offset)
        var next = type
        for _ in 0..<Self.depth where part.path.utf8.count < Self.longest {
            guard let entry = next.flatMap({ tree.entry(at: $0) }) else { break }
            switch entry.tag {
            case _ where DwarfTag.same.contains(entry.tag): next = entry.type
            case DwarfTag.array:
                guard addIndexes(entry, to: &part) else { return part }
                next = entry.type
            case _ where DwarfTag.structures.contains(entry.tag):
                guard let member = member(of: entry, at: part.rest, 0) else { return part }
                if let name = member.name {
                    part.isOpaque = isHidden(name, in: entry)
                    if part.isOpaque { return part }
                    part.path += ".\(shown(name, in: entry))"
                }
                part.rest -= member.start
                next = member.type
            default: return part
            }
        }
        return part
    }

    private mutating func addIndexes(_ array: DwarfEntry, to part: inout Part) -> Bool {
        guard let size = size(of: array.type), size > 0 else { return false }
        let counts = counts(of: array)
        var number = part.rest / size
        var indexes: [UInt64] = []
        for count in counts.dropFirst().reversed() {
            guard let count, count > 0 else { return false }
            indexes.append(number % count)
            number /= count
        }
        if let first = counts.first, let first, number >= first { return false }
        indexes.append(number)
        part.path += indexes.reversed().map { "[\($0)]" }.joined()
        part.rest %= size
        return true
    }

    /// The first member that has the byte: of the type, or of what it is derived from. Nil: there is none.
    private mutating func member(of type: DwarfEntry, at offset: UInt64, _ depth: Int) -> Member? {
        var unsized: Member?
        for member in members(of: type) where member.start <= offset {
            guard let size = member.size else {
                unsized = member
                continue
            }
            if offset - member.start >= size { continue }
            if type.tag == DwarfTag.union, leavesRest(member, offset) {
                unsized = unsized ?? member
                continue
            }
            if member.name != nil || depth >= Self.depth { return member }
            guard let inner = structure(member.type) else { return member }
            // A base without members has a byte that belongs to others.
            guard let found = self.member(of: inner, at: offset - member.start, depth + 1) else { continue }
            return Member(name: found.name, type: found.type, start: member.start &+ found.start, size: found.size)
        }
        return unsized
    }

    /// Bit-fields that follow each other are one member, because an access is of all that share its bytes.
    private mutating func members(of type: DwarfEntry) -> [Member] {
        var members: [Member] = []
        var bits: Member?
        for entry in tree.children(of: type.place, [DwarfTag.member, DwarfTag.base]) {
            guard let field = bytes(ofBits: entry) else {
                if let last = bits { members.append(last) }
                bits = nil
                if let member = member(entry) { members.append(member) }
                continue
            }
            let (first, name) = (bits?.start ?? field.lowerBound, entry.name ?? "")
            bits = Member(
                name: bits?.name.map { "\($0)/\(name)" } ?? name, type: nil, start: first,
                size: max(field.upperBound, first) - first)
        }
        if let last = bits { members.append(last) }
        return members
    }

    /// The bytes that a bit-field is in. Nil: it is another member.
    private mutating func bytes(ofBits entry: DwarfEntry) -> Range<UInt64>? {
        guard let count = entry[.bitSize]?.number else { return nil }
        if let first = entry[.bitPlace]?.number {
            let end = first &+ max(1, count) &- 1
            return end < first ? nil : first / 8..<end / 8 + 1
        }
        guard let start = start(of: entry), let size = size(of: entry.type) else { return nil }
        let (end, isTooFar) = start.addingReportingOverflow(size)
        return isTooFar ? nil : start..<end
    }

    /// Whether the byte is inside the smallest part that it belongs to: then another member of the union may fit better.
    private mutating func leavesRest(_ member: Member, _ offset: UInt64) -> Bool {
        guard unions < Self.mostUnions else { return false }
        unions += 1
        defer { unions -= 1 }
        return part(at: offset - member.start, of: member.type).rest != 0
    }

    private mutating func member(_ entry: DwarfEntry) -> Member? {
        let name = entry.name.flatMap { Self.elements.contains($0) || $0.isEmpty ? nil : $0 }
        guard let start = start(of: entry) else { return nil }
        return Member(
            name: entry.tag == DwarfTag.base ? nil : name, type: entry.type, start: start, size: size(of: entry.type))
    }

    /// Nil: it is not in the object, or where it is depends on the object.
    private func start(of member: DwarfEntry) -> UInt64? {
        guard let place = member[.memberPlace] else { return member[.declaration] == nil ? 0 : nil }
        guard var expression = place.expression else { return place.number }
        // Of old versions: what is added.
        guard expression.integer(1) == 0x23, let start = expression.unsigned(), expression.rest == 0 else { return nil }
        return start
    }

    private func structure(_ type: Int?) -> DwarfEntry? {
        bare(type).flatMap { DwarfTag.structures.contains($0.tag) ? $0 : nil }
    }

    /// What a reference refers to. Nil: it is another type.
    func referred(_ type: Int?) -> Int? { bare(type).flatMap { DwarfTag.references.contains($0.tag) ? $0.type : nil } }

    /// The type without names of its own and words before it.
    private func bare(_ type: Int?) -> DwarfEntry? {
        var next = type
        for _ in 0..<Self.depth {
            guard let entry = next.flatMap({ tree.entry(at: $0) }) else { return nil }
            if !DwarfTag.same.contains(entry.tag) { return entry }
            next = entry.type
        }
        return nil
    }

    // MARK: - Names

    /// What `std::array` has its elements in.
    private static let elements: Set<String> = ["_M_elems", "__elems_"]
    private static let adaptors = ["queue<", "stack<", "priority_queue<"]

    /// Whether the member is one that users of its type do not know: its name is reserved for libraries and compilers.
    private func isHidden(_ name: String, in type: DwarfEntry) -> Bool {
        if Self.isClosure(type) { return false }
        let (first, second) = (name.first, name.dropFirst().first)
        if first == "_" && (second == "_" || second?.isUppercase ?? false || name.hasPrefix("_vptr")) { return true }
        return name == "c" && Self.adaptors.contains { type.name?.hasPrefix($0) ?? false }
    }

    private func shown(_ name: String, in type: DwarfEntry) -> String {
        String(Self.isClosure(type) && name.hasPrefix("__") ? name.dropFirst(2) : name[...])
    }

    /// A lambda's, as gcc has it, whose members have the names of variables, and two underscores.
    private static func isClosure(_ type: DwarfEntry) -> Bool { type.name?.hasPrefix("<lambda") ?? false }
}
