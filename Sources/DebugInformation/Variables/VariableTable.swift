/// Finds the variables of a file's code by address: those of functions in frames of the stack, and global ones.
///
/// The debug information may be damaged. What cannot be read counts as missing; what was read before it is used.
package struct VariableTable: Sendable {
    /// The variable that contains a byte.
    package struct Found {
        /// Its name in the source. Nil: it has none.
        package let name: String?
        package let part: DwarfTypes.Part
        /// The address of a local variable. 0: the variable is global.
        package var start: UInt64 = 0
        /// The offset of the entry of a local variable's function. 0: the variable is global.
        package var function = 0
        /// Whether the variable is a reference. Then the byte is in the object to which it refers, which has no name
        /// itself.
        package var isReference = false
    }

    let tree: DwarfTree
    let lists: DwarfLists
    var types: DwarfTypes
    var globals: GlobalVariables
    /// The variables in scope at each address in the code that was asked for.
    private var scopes: [UInt64: Scope] = [:]

    package init(_ tree: DwarfTree) {
        self.tree = tree
        lists = DwarfLists(tree.sections)
        types = DwarfTypes(tree)
        globals = GlobalVariables(tree)
    }

    /// The global variable that begins at the address, and its part at this distance from there. Nil: the variable is
    /// not known.
    package mutating func global(at address: UInt64, _ distance: UInt64) -> Found? {
        var work = Work()
        guard let entry = globals.variable(at: address, &work) else { return nil }
        work = Work(Limits.typeWork)
        let type = tree.first(of: entry, &work) { $0.type }
        let name = tree.first(of: entry, &work) { $0.name }
        return Found(name: name, part: types.part(at: distance, of: type, &work))
    }

    /// The thread-local variable at this distance from the beginning of the file's thread-local variables, and its part
    /// that is `distance` bytes farther on.
    package mutating func threadLocal(at place: UInt64, _ distance: UInt64) -> Found? {
        var work = Work()
        guard let entry = globals.threadLocal(at: place, &work) else { return nil }
        work = Work(Limits.typeWork)
        let type = tree.first(of: entry, &work) { $0.type }
        let name = tree.first(of: entry, &work) { $0.name }
        return Found(name: name, part: types.part(at: distance, of: type, &work))
    }

    // MARK: - Locals

    /// The variable that contains the byte at the address, among those of the frame's function and of the functions
    /// inlined into it. Nil: none is known.
    ///
    /// - Parameter function: the offset of the entry of the frame's function.
    package mutating func local(at address: UInt64, in frame: DwarfFrame, of function: Int) -> Found? {
        var work = Work()
        let known = places(in: frame, of: function, &work)
        work = Work(Limits.typeWork)
        let best =
            covering(address, known, &work).max { $0.rank < $1.rank } ?? array(before: address, known, frame, &work)
        // If no variable contains the byte, the object to which a reference refers may contain it.
        let targets = best == nil ? known.compactMap { referred($0, frame, &work) } : []
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
        /// If two variables contain a byte, the one with the larger rank is chosen.
        let rank: Int

        /// What is added to the rank of a place that holds for the code in progress: more than any depth.
        static let rankOfCurrent = 1 << 32
    }

    /// The variables in scope in the frame, their unit, and the function's frame base.
    mutating func scope(
        of frame: DwarfFrame, of function: Int, _ work: inout Work
    ) -> (unit: DwarfUnit, scope: Scope, frameBase: UInt64?)? {
        guard let number = tree.unit(at: function) else { return nil }
        let unit = tree.units[number]
        let scope = scopes[frame.code] ?? Scope(tree, at: frame.code, of: function, &work)
        scopes[frame.code] = scope
        let bases = scope.frameBase.map { lists.locations($0, unit, &work) }
        return (unit, scope, bases?.first { $0.covers(frame.code) }.flatMap { frame.frameBase($0.expression) })
    }

    /// The places of all variables in scope, as far as they are known.
    private mutating func places(in frame: DwarfFrame, of function: Int, _ work: inout Work) -> [Place] {
        guard let (unit, scope, frameBase) = scope(of: frame, of: function, &work) else { return [] }
        var found: [Place] = []
        for variable in scope.variables where variable.name != Scope.captures {
            for location in lists.locations(variable.location, unit, &work) {
                guard let start = frame.address(location.expression, from: frameBase) else { continue }
                // A variable may still be where it was in other code, so such a place is not excluded, but has a lower
                // rank. In inner blocks and inlined functions, the depth and thus the rank are larger.
                let rank = variable.depth + (location.covers(frame.code) ? Place.rankOfCurrent : 0)
                found.append(Place(variable: variable, type: variable.type, start: start, rank: rank))
            }
        }
        return found
    }

    /// The places whose variables contain the byte at the address.
    private mutating func covering(_ address: UInt64, _ places: [Place], _ work: inout Work) -> [Place] {
        var found: [Place] = []
        for place in places where place.start <= address {
            if let size = types.size(of: place.type, &work), address - place.start < size { found.append(place) }
        }
        return found
    }

    /// The array of variable length that contains the byte: the last one that begins before it, if no other variable
    /// does so later. How long it is only the running function knows.
    private func array(before address: UInt64, _ places: [Place], _ frame: DwarfFrame, _ work: inout Work) -> Place? {
        guard frame.contains(address),
            let last = places.filter({ $0.start <= address }).max(by: { $0.start < $1.start }),
            last.rank >= Place.rankOfCurrent, types.isOfVariableLength(last.type, &work)
        else { return nil }
        return last
    }

    /// The object to which a reference refers. Nil: the variable is not a reference.
    private func referred(_ place: Place, _ frame: DwarfFrame, _ work: inout Work) -> Place? {
        guard let type = types.referred(place.type, &work), let target = frame.pointer(at: place.start) else {
            return nil
        }
        return Place(variable: place.variable, type: type, start: target, rank: place.rank)
    }
}
