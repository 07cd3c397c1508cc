extension DwarfTypes {
    /// A pointer inside of an object.
    struct InnerPointer: Sendable {
        /// What the source writes after the object's name: `.head`, `.rows[2]`. Empty: the object is a smart pointer or
        /// a container itself, as its users see it.
        let path: String
        /// Its offset in the object, in bytes.
        let offset: UInt64
        /// The offset of the entry of the type to which it points. Nil: `void`.
        let target: Int?
        /// Whether it points to the elements of a container, which the source writes as those of an array.
        let isOfElements: Bool
    }

    /// The pointers inside of an object of this type, as far as its users know them, in the order of the members. Of the
    /// insides of the C++ library, they know what a smart pointer points to, and the elements of vectors and strings.
    mutating func pointers(inside type: Int?, _ work: inout Work) -> [InnerPointer] {
        guard let type else { return [] }
        if let known = pointers[type] { return known }
        var found: [InnerPointer] = []
        add(type, Place(), to: &found, &work)
        pointers[type] = found
        return found
    }

    /// Where a part of the object is.
    private struct Place {
        var path = ""
        var offset: UInt64 = 0
        var depth = 0
        /// Whether it is inside of an object of a library.
        var isHidden = false
        /// The name of the last member. Empty: there is none, or it has no name.
        var member = ""
    }

    /// The members of classes of libstdc++ that are pointers as their users see them: of `std::unique_ptr`; of
    /// `std::shared_ptr`; of `std::atomic` and `std::string`; of `std::vector`.
    private static let visible: Set<String> = ["_M_head_impl", "_M_ptr", "_M_p", elements]
    private static let elements = "_M_start"

    private mutating func add(_ type: Int?, _ place: Place, to found: inout [InnerPointer], _ work: inout Work) {
        guard place.depth < Limits.innerDepth, found.count < Limits.innerPointers, let entry = bare(type, &work) else {
            return
        }
        if entry.tag == .pointerType {
            if place.isHidden && !Self.visible.contains(place.member) { return }
            found.append(
                InnerPointer(
                    path: place.path, offset: place.offset, target: entry.type,
                    isOfElements: place.isHidden && place.member == Self.elements))
        } else if entry.tag == .arrayType {
            addElements(of: entry, place, to: &found, &work)
        } else if entry.isOne(of: DwarfTag.structures) {
            for member in members(of: entry, &work) where found.count < Limits.innerPointers {
                guard let type = member.type else { continue }
                var inner = place
                inner.offset = place.offset.saturatingAdd(member.start)
                inner.depth += 1
                if let name = member.name {
                    inner.member = name
                    inner.isHidden = place.isHidden || Self.isHidden(name, in: entry)
                    if !inner.isHidden { inner.path += ".\(Self.shown(name, in: entry))" }
                }
                add(type, inner, to: &found, &work)
            }
        }
    }

    /// Adds the pointers in the first elements of an array with one dimension.
    private mutating func addElements(
        of array: DwarfEntry, _ place: Place, to found: inout [InnerPointer], _ work: inout Work
    ) {
        let counts = counts(of: array, &work)
        guard !place.isHidden, counts.count == 1, let count = counts[0], let size = size(of: array.type, &work) else {
            return
        }
        for number in 0..<min(count, Limits.innerElements) where found.count < Limits.innerPointers {
            var inner = place
            inner.path += "[\(number)]"
            inner.offset = place.offset.saturatingAdd(number.saturatingMultiply(size))
            inner.depth += 1
            let before = found.count
            add(array.type, inner, to: &found, &work)
            // Without a pointer in the first element, the others have none.
            if found.count == before { return }
        }
    }
}
