import Glibc

/// The global variables of a file, by address.
struct GlobalVariables: Sendable {
    private let tree: DwarfTree
    private let decoder: DwarfDecoder
    /// The entry of the variable that begins at each address that was asked for. Nil: none is known.
    private var known: [UInt64: DwarfEntry?] = [:]
    /// The variables of each unit that was read, by the addresses at which they begin.
    private var ofUnits: [Int: [UInt64: DwarfEntry]] = [:]

    /// The thread-local variables of all units, by their places. Nil: they were not read yet.
    private var threadLocals: [UInt64: DwarfEntry]?
    /// The variables of each unit that are pointers or contain some.
    var withPointers: [Int: [Variable]] = [:]

    /// A variable, where it is known to begin, and the entry of its type.
    struct Variable: Sendable {
        let name: String
        let start: UInt64
        let type: Int?
    }

    init(_ tree: DwarfTree) {
        self.tree = tree
        decoder = DwarfDecoder(tree.sections)
    }

    /// The variable that begins at the address. Nil: it is not known.
    mutating func variable(at address: UInt64, _ work: inout Work) -> DwarfEntry? {
        if let known = known[address] { return known }
        let found = find(address, &work)
        known[address] = .some(found)
        return found
    }

    /// Searches the units whose entries or address table contain the eight bytes of the address. Others need not be
    /// read.
    private mutating func find(_ address: UInt64, _ work: inout Work) -> DwarfEntry? {
        for place in Self.places(of: address, in: tree.sections.info) {
            if let found = tree.unit(at: place).flatMap({ find(address, inUnit: $0, &work) }) { return found }
        }
        for place in Self.places(of: address, in: tree.sections.addresses) {
            if let unit = unit(withTableBefore: place), let found = find(address, inUnit: unit, &work) { return found }
        }
        return nil
    }

    /// The unit whose address table is the last one that begins at or before the place.
    private func unit(withTableBefore place: Int) -> Int? {
        let units = tree.units.indices.filter {
            tree.units[$0].context.version == 5 && tree.units[$0].context.addresses <= place
        }
        return units.max { tree.units[$0].context.addresses < tree.units[$1].context.addresses }
    }

    private mutating func find(_ address: UInt64, inUnit number: Int, _ work: inout Work) -> DwarfEntry? {
        if let known = ofUnits[number] { return known[address] }
        let unit = tree.units[number]
        var found: [UInt64: DwarfEntry] = [:]
        tree.visit(unit.entries, [.variable], &work) { entry, _ in
            if let start = entry[.location]?.expression.flatMap({ decoder.address($0, unit.context) }) {
                found[start] = found[start] ?? entry
            }
            return found.count < Limits.globals
        }
        ofUnits[number] = found
        return found[address]
    }

    /// The thread-local variable at the place: see `ByteReader.threadLocalPlace()`.
    mutating func threadLocal(at place: UInt64, _ work: inout Work) -> DwarfEntry? {
        if let threadLocals { return threadLocals[place] }
        var found: [UInt64: DwarfEntry] = [:]
        for unit in tree.units where found.count < Limits.globals {
            tree.visit(unit.entries, [.variable], &work) { entry, _ in
                if var expression = entry[.location]?.expression, let place = expression.threadLocalPlace() {
                    found[place] = found[place] ?? entry
                }
                return found.count < Limits.globals
            }
        }
        threadLocals = found
        return found[place]
    }

    /// The variables of a unit, and those of other units that it declares.
    ///
    /// - Parameter start: where a variable of another unit begins, by its name.
    mutating func variables(ofUnit number: Int, _ work: inout Work, _ start: (String) -> UInt64?) -> [Variable] {
        let unit = tree.units[number]
        var found: [Variable] = []
        tree.visit(unit.entries, [.variable], &work) { entry, work in
            let own = entry[.location]?.expression.flatMap { decoder.address($0, unit.context) }
            let isDeclared = own == nil && entry[.declaration] != nil
            guard own != nil || isDeclared, let name = tree.first(of: entry, &work, { $0.name }) else { return true }
            guard let place = own ?? start(name) else { return true }
            found.append(Variable(name: name, start: place, type: tree.first(of: entry, &work) { $0.type }))
            return found.count < Limits.globals
        }
        return found
    }

    /// The places in the section where the eight bytes of the address are. `memchr` looks for the largest of its three
    /// low bytes, which is likely to be the rarest: small bytes are frequent in tables of addresses.
    private static func places(of address: UInt64, in bytes: [UInt8]) -> [Int] {
        let low = (0..<3).map { UInt8(truncatingIfNeeded: address >> (8 * UInt64($0))) }
        guard let (index, byte) = low.enumerated().max(by: { $0.element < $1.element }) else { return [] }
        return bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return [] }
            var found: [Int] = []
            var start = index
            while found.count < Limits.places, start < all.count,
                let next = memchr(base + start, Int32(byte), all.count - start)
            {
                let place = UnsafeRawPointer(next) - base - index
                start = place + index + 1
                guard place + 8 <= all.count else { break }
                if all.loadUnaligned(fromByteOffset: place, as: UInt64.self) == address { found.append(place) }
            }
            return found
        }
    }
}
