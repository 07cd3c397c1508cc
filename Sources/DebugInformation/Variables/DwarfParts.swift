extension DwarfTypes {
    /// The smallest part of a variable of this type that contains the byte, such as `[2].balance`.
    ///
    /// - Parameter offset: the distance of the byte from the beginning of the variable.
    mutating func part(at offset: UInt64, of type: Int?, _ work: inout Work) -> Part {
        var part = Part(rest: offset)
        var next = type
        for _ in 0..<Limits.typeDepth where part.path.utf8.count < Limits.partPath {
            guard let entry = next.flatMap({ tree.entry(at: $0, &work) }) else { break }
            if entry.isOne(of: DwarfTag.same) {
                next = entry.type
            } else if entry.tag == .arrayType {
                guard addIndexes(entry, to: &part, &work) else { return part }
                next = entry.type
            } else if entry.isOne(of: DwarfTag.structures) {
                guard let member = member(of: entry, at: part.rest, &work) else { return part }
                if let name = member.name {
                    part.isOpaque = Self.isHidden(name, in: entry)
                    if part.isOpaque {
                        let rest = part.rest
                        takePointer(at: rest - member.start, of: member.type, to: &part, &work)
                        return part
                    }
                    part.path += ".\(Self.shown(name, in: entry))"
                }
                part.rest -= member.start
                next = member.type
            } else {
                takePointer(at: part.rest, of: next, to: &part, &work)
                return part
            }
        }
        return part
    }

    /// Notes the type to which a pointer at the byte points, perhaps one inside of an object of a library, such as
    /// `std::atomic`.
    private mutating func takePointer(at offset: UInt64, of type: Int?, to part: inout Part, _ work: inout Work) {
        var (rest, next) = (offset, type)
        for _ in 0..<Limits.typeDepth {
            guard let entry = bare(next, &work) else { return }
            if entry.tag == .pointerType {
                part.isPointer = rest == 0
                if part.isPointer { part.pointee = name(of: entry.type, &work) }
                return
            }
            guard entry.isOne(of: DwarfTag.structures), let member = member(of: entry, at: rest, &work) else { return }
            rest -= member.start
            next = member.type
        }
    }

    /// Adds to the path the indexes of the array element that contains the byte, such as `[2][0]`. Returns false if the
    /// element is not known.
    private mutating func addIndexes(_ array: DwarfEntry, to part: inout Part, _ work: inout Work) -> Bool {
        guard let size = size(of: array.type, &work), size > 0 else { return false }
        let counts = counts(of: array, &work)
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

    // MARK: - Names

    /// Container adaptors of the C++ library.
    private static let adaptors = ["queue<", "stack<", "priority_queue<"]

    /// Whether users of the type do not know the member: its name is reserved for libraries and compilers, or it is the
    /// container inside an adaptor.
    static func isHidden(_ name: String, in type: DwarfEntry) -> Bool {
        if isClosure(type) { return false }
        let (first, second) = (name.first, name.dropFirst().first)
        if first == "_" && (second == "_" || second?.isUppercase ?? false || name.hasPrefix("_vptr")) { return true }
        return name == "c" && adaptors.contains { type.name?.hasPrefix($0) ?? false }
    }

    /// The name of a member as reports show it.
    static func shown(_ name: String, in type: DwarfEntry) -> String {
        String(isClosure(type) && name.hasPrefix("__") ? name.dropFirst(2) : name[...])
    }

    /// Whether gcc has made the type for a lambda. The name of each member is then that of a captured variable, after
    /// two underscores.
    static func isClosure(_ type: DwarfEntry) -> Bool { type.name?.hasPrefix("<lambda") ?? false }
}
