import Glibc

/// The variables of a file's code: those of functions in frames of the stack, and global ones.
///
/// The table may be damaged: what cannot be read is nothing, and what was read before counts.
package struct VariableTable: Sendable {
    /// A variable that has the byte that was asked for.
    package struct Found {
        package let name: String?
        package let part: DwarfTypes.Part
        /// Of a local one: its address, and the entry of its function.
        package var start: UInt64 = 0
        package var function = 0
        /// Whether it is a reference, to what has no name itself.
        package var isReference = false
    }

    private struct Variable: Sendable {
        let name: String
        let type: Int?
        let location: DwarfValue
        /// The larger, the further inside the function.
        let depth: Int
        let function: Int
    }

    private struct Local: Sendable {
        var variables: [Variable] = []
        /// The value of the attribute `frame_base` of the function.
        var start: DwarfValue?
        let unit: DwarfUnit
    }

    private let tree: DwarfTree
    private let locations: DwarfLocations
    private var types: DwarfTypes
    /// By place in the code.
    private var locals: [UInt64: Local] = [:]
    /// By address; nil: nothing is known.
    private var globals: [UInt64: DwarfEntry?] = [:]
    /// By number of a unit, the variables that begin at an address.
    private var unitGlobals: [Int: [UInt64: DwarfEntry]] = [:]

    /// More variables of a function, and more places that look like a global variable, are not looked at.
    private static let mostVariables = 1 << 12
    private static let mostPlaces = 16
    private static let mostGlobals = 1 << 16

    package init(_ tree: DwarfTree) {
        self.tree = tree
        locations = DwarfLocations(tree.sections)
        types = DwarfTypes(tree)
    }

    // MARK: - Locals

    /// The variable in the frame that has the byte at the address. Nil: none is known.
    ///
    /// - Parameter function: the entry of the one that the frame is of.
    package mutating func local(at address: UInt64, in frame: DwarfFrame, of function: Int) -> Found? {
        let places = places(in: frame, of: function)
        let best = covering(address, places).max { $0.rank < $1.rank }
        let found = best ?? covering(address, places.compactMap { referred($0, frame) }).first
        return found.map { place in
            Found(
                name: place.variable.name, part: types.part(at: address - place.start, of: place.type),
                start: place.start, function: place.variable.function, isReference: best == nil)
        }
    }

    /// Where a variable is in a frame.
    private struct Place {
        let variable: Variable
        let type: Int?
        let start: UInt64
        /// Of two that have the same byte, the one with the larger rank is meant.
        let rank: Int
    }

    private mutating func places(in frame: DwarfFrame, of function: Int) -> [Place] {
        guard let local = local(frame.code, function) else { return [] }
        let unit = local.unit
        let start = local.start.map { locations.locations($0, unit) }?.first { $0.covers(frame.code) }
        let base = start.flatMap { frame.start($0.expression) }
        return local.variables.flatMap { variable in
            locations.locations(variable.location, unit).compactMap { location in
                guard let start = frame.address(location.expression, from: base) else { return nil }
                // Where it was in other code, it may be still.
                let rank = variable.depth + (location.covers(frame.code) ? 1 << 32 : 0)
                return Place(variable: variable, type: variable.type, start: start, rank: rank)
            }
        }
    }

    private mutating func covering(_ address: UInt64, _ places: [Place]) -> [Place] {
        var found: [Place] = []
        for place in places where place.start <= address {
            if let size = types.size(of: place.type), address - place.start < size { found.append(place) }
        }
        return found
    }

    /// What a reference refers to. Nil: the place is of another variable.
    private func referred(_ place: Place, _ frame: DwarfFrame) -> Place? {
        guard let type = types.referred(place.type), let target = frame.pointer(at: place.start) else { return nil }
        return Place(variable: place.variable, type: type, start: target, rank: place.rank)
    }

    /// Nil: no unit has the function.
    private mutating func local(_ code: UInt64, _ function: Int) -> Local? {
        if let known = locals[code] { return known }
        guard let unit = tree.unit(at: function) else { return nil }
        let made = readLocal(code, function, tree.units[unit])
        locals[code] = made
        return made
    }

    private static let kinds = [
        DwarfTag.variable, DwarfTag.parameter, DwarfTag.block, DwarfTag.inlined, DwarfTag.function,
    ]

    /// What is in scope at the code.
    private func readLocal(_ code: UInt64, _ function: Int, _ unit: DwarfUnit) -> Local {
        var local = Local(unit: unit)
        // Those that the reading is in, and how deep what is left out is.
        var functions: [(place: Int, depth: Int)] = [(function, 0)]
        var leftOut = Int.max
        tree.visit(function, Self.kinds) { entry in
            if entry.place == function {
                local.start = entry[.frameBase]
                return true
            }
            if entry.depth > leftOut { return true }
            leftOut = .max
            while functions.count > 1, functions[functions.count - 1].depth >= entry.depth { functions.removeLast() }
            switch entry.tag {
            case DwarfTag.variable, DwarfTag.parameter:
                add(entry, functions[functions.count - 1].place, to: &local)
            case DwarfTag.block, DwarfTag.inlined:
                if !tree.ranges(of: entry).contains(where: { $0.contains(code) }) {
                    leftOut = entry.depth
                } else if entry.isInlined {
                    functions.append((entry.place, entry.depth))
                }
            default: leftOut = entry.depth
            }
            return local.variables.count < Self.mostVariables
        }
        return local
    }

    private func add(_ entry: DwarfEntry, _ function: Int, to local: inout Local) {
        guard let location = entry[.location], let name = name(of: entry), !name.hasPrefix("__") else { return }
        local.variables.append(
            Variable(name: name, type: type(of: entry), location: location, depth: entry.depth, function: function))
    }

    private func name(of entry: DwarfEntry) -> String? { tree.first(of: entry) { $0.name } }
    private func type(of entry: DwarfEntry) -> Int? { tree.first(of: entry) { $0.type } }

    // MARK: - Globals

    /// Of the variable that begins at the address, the part at this distance. Nil: it is not known.
    package mutating func global(at address: UInt64, _ distance: UInt64) -> Found? {
        let found = globals[address] ?? find(address)
        globals[address] = .some(found)
        guard let entry = found else { return nil }
        return Found(name: name(of: entry), part: types.part(at: distance, of: type(of: entry)))
    }

    /// Only the units are read that have the address somewhere.
    private mutating func find(_ address: UInt64) -> DwarfEntry? {
        for place in places(of: address, in: tree.sections.info) {
            if let found = tree.unit(at: place).flatMap({ find(address, inUnit: $0) }) { return found }
        }
        for place in places(of: address, in: tree.sections.addresses) {
            let units = tree.units.indices.filter { tree.units[$0].version == 5 && tree.units[$0].addressBase <= place }
            guard let nearest = units.max(by: { tree.units[$0].addressBase < tree.units[$1].addressBase }) else {
                continue
            }
            if let found = find(address, inUnit: nearest) { return found }
        }
        return nil
    }

    private mutating func find(_ address: UInt64, inUnit number: Int) -> DwarfEntry? {
        if let known = unitGlobals[number] { return known[address] }
        let unit = tree.units[number]
        var found: [UInt64: DwarfEntry] = [:]
        tree.visit(unit.entries, [DwarfTag.variable]) { entry in
            if var expression = entry[.location]?.expression, let start = locations.address(&expression, unit) {
                found[start] = found[start] ?? entry
            }
            return found.count < Self.mostGlobals
        }
        unitGlobals[number] = found
        return found[address]
    }

    /// Found by one byte of the address: in tables of addresses large ones are rarer than small ones.
    private func places(of address: UInt64, in bytes: [UInt8]) -> [Int] {
        let low = (0..<3).map { UInt8(truncatingIfNeeded: address >> (8 * UInt64($0))) }
        let (key, byte) = low.enumerated().max { $0.element < $1.element }!
        return bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return [] }
            var found: [Int] = []
            var start = key
            while found.count < Self.mostPlaces, start < all.count,
                let next = memchr(base + start, Int32(byte), all.count - start)
            {
                let place = UnsafeRawPointer(next) - base - key
                start = place + key + 1
                guard place + 8 <= all.count else { break }
                if all.loadUnaligned(fromByteOffset: place, as: UInt64.self) == address { found.append(place) }
            }
            return found
        }
    }
}
