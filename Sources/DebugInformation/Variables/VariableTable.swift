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

    private let tree: DwarfTree
    private let lists: DwarfLists
    private var types: DwarfTypes
    private var globals: GlobalVariables
    /// By place in the code.
    private var scopes: [UInt64: Scope] = [:]

    package init(_ tree: DwarfTree) {
        self.tree = tree
        lists = DwarfLists(tree.sections)
        types = DwarfTypes(tree)
        globals = GlobalVariables(tree)
    }

    /// Of the variable that begins at the address, the part at this distance. Nil: it is not known.
    package mutating func global(at address: UInt64, _ distance: UInt64) -> Found? {
        var work = Work()
        guard let entry = globals.variable(at: address, &work) else { return nil }
        work = Work(Limits.typeWork)
        let type = tree.first(of: entry, &work) { $0.type }
        let name = tree.first(of: entry, &work) { $0.name }
        return Found(name: name, part: types.part(at: distance, of: type, &work))
    }

    // MARK: - Locals

    /// The variable in the frame that has the byte at the address. Nil: none is known.
    ///
    /// - Parameter function: the entry of the one that the frame is of.
    package mutating func local(at address: UInt64, in frame: DwarfFrame, of function: Int) -> Found? {
        var work = Work()
        let places = places(in: frame, of: function, &work)
        work = Work(Limits.typeWork)
        let best = covering(address, places, &work).max { $0.rank < $1.rank }
        let targets = best == nil ? places.compactMap { referred($0, frame, &work) } : []
        let found = best ?? covering(address, targets, &work).first
        return found.map { place in
            Found(
                name: place.variable.name, part: types.part(at: address - place.start, of: place.type, &work),
                start: place.start, function: place.variable.function, isReference: best == nil)
        }
    }

    /// Where a variable is in a frame.
    private struct Place {
        let variable: Scope.Variable
        let type: Int?
        let start: UInt64
        /// Of two that have the same byte, the one with the larger rank is meant.
        let rank: Int
    }

    private mutating func places(in frame: DwarfFrame, of function: Int, _ work: inout Work) -> [Place] {
        guard let number = tree.unit(at: function) else { return [] }
        let unit = tree.units[number]
        let scope = scopes[frame.code] ?? Scope(tree, at: frame.code, of: function, &work)
        scopes[frame.code] = scope
        let start = scope.frameBase.map { lists.locations($0, unit, &work) }?.first { $0.covers(frame.code) }
        let base = start.flatMap { frame.start($0.expression) }
        var found: [Place] = []
        for variable in scope.variables {
            for location in lists.locations(variable.location, unit, &work) {
                guard let start = frame.address(location.expression, from: base) else { continue }
                // Where it was in other code, it may be still.
                let rank = variable.depth + (location.covers(frame.code) ? 1 << 32 : 0)
                found.append(Place(variable: variable, type: variable.type, start: start, rank: rank))
            }
        }
        return found
    }

    private mutating func covering(_ address: UInt64, _ places: [Place], _ work: inout Work) -> [Place] {
        var found: [Place] = []
        for place in places where place.start <= address {
            if let size = types.size(of: place.type, &work), address - place.start < size { found.append(place) }
        }
        return found
    }

    /// What a reference refers to. Nil: the place is of another variable.
    private func referred(_ place: Place, _ frame: DwarfFrame, _ work: inout Work) -> Place? {
        guard let type = types.referred(place.type, &work), let target = frame.pointer(at: place.start) else {
            return nil
        }
        return Place(variable: place.variable, type: type, start: target, rank: place.rank)
    }
}
