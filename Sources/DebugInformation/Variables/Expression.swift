/// A pointer or a reference of the program, as the source writes it, and where it points now.
package struct Expression {
    /// How the source writes what it points to.
    package enum Form: Sendable {
        /// `q->head`, `*count`, or `accounts[2]` if it points to the first of several.
        case pointer
        /// The elements of a container: `values[2]`.
        case elements
        /// A reference: `q.head`.
        case reference
        /// The object of a C++ function, `Queue::head`, or what a lambda has captured, `head`.
        case members
    }

    /// What the source calls it: `q`, `s->active`. For `members` the name of the class, or nothing.
    package let text: String
    package let form: Form
    /// The address to which it points.
    package let value: UInt64
    /// The offset of the entry of the type to which it points. Nil: `void`.
    let target: Int?

    /// A member of what it points to.
    ///
    /// - Parameter path: the path to the member: `.head`, `[2].balance`. Empty: what it points to as a whole.
    func text(_ path: String) -> String {
        switch form {
        case .pointer, .elements:
            path.hasPrefix(".") ? "\(text)->\(path.dropFirst())" : path.isEmpty ? "*\(text)" : "(*\(text))\(path)"
        case .reference: text + path
        case .members: text.isEmpty ? String(path.dropFirst()) : "\(text)::\(path.dropFirst())"
        }
    }
}

/// The expressions of a function at a moment.
package struct Expressions {
    /// Variables, parameters, and global variables of the function's source file.
    package fileprivate(set) var variables: [Expression] = []
    /// Pointers inside of such variables, and of what they point to.
    package fileprivate(set) var members: [Expression] = []
}

extension VariableTable {
    /// Reads a word of the program's memory. Nil: the address is in no memory that the program has.
    package typealias Reading = (UInt64) -> UInt64?

    /// An object in the program's memory, and what the source calls it.
    private struct Object {
        let text: String
        let address: UInt64
        let type: Int?
    }

    /// The pointers and references in a frame's scope, local ones first, with the innermost first among them.
    ///
    /// - Parameters:
    ///   - function: the offset of the entry of the frame's function.
    ///   - line: the line that the function has reached: later variables have no value yet. Nil: it is not known.
    package mutating func expressions(
        in frame: DwarfFrame, of function: Int, line: Int?, _ read: Reading
    ) -> Expressions {
        var found = Expressions()
        var objects: [Object] = []
        var work = Work(Limits.typeWork)
        guard let (unit, scope, base) = scope(of: frame, of: function, &work) else { return found }
        let variables = scope.variables.filter { variable in
            guard let line, variable.function == function else { return true }
            return variable.line <= line
        }
        for variable in variables.enumerated().sorted(by: { ($1.element.depth, $0.offset) < ($0.element.depth, $1.offset) }) {
            let variable = variable.element
            guard
                let location = lists.locations(variable.location, unit, &work).first(where: { $0.covers(frame.code) })
            else { continue }
            let address = frame.address(location.expression, from: base)
            let value = frame.value(location.expression, from: base) ?? address.flatMap(read)
            add(variable.name, variable.type, address, value, to: &found.variables, &objects, &work)
        }
        addMembers(of: found.variables, objects, to: &found, read)
        return found
    }

    /// The global pointers of the frame's source file: see `expressions(in:of:line:_:)`.
    ///
    /// - Parameters:
    ///   - offset: the difference between an address in memory and the same address in the file.
    ///   - start: the address in the file of a variable of another source file.
    package mutating func globalExpressions(
        of function: Int, offset: UInt64, start: (String) -> UInt64?, _ read: Reading
    ) -> Expressions {
        var found = Expressions()
        guard let unit = tree.unit(at: function) else { return found }
        var objects: [Object] = []
        var work = Work(Limits.typeWork)
        for variable in globalsWithPointers(ofUnit: unit, start, &work) {
            let address = variable.start &+ offset
            add(variable.name, variable.type, address, read(address), to: &found.variables, &objects, &work)
        }
        addMembers(of: found.variables, objects, to: &found, read)
        return found
    }

    private mutating func globalsWithPointers(
        ofUnit unit: Int, _ start: (String) -> UInt64?, _ work: inout Work
    ) -> [GlobalVariables.Variable] {
        if let known = globals.withPointers[unit] { return known }
        var made: [GlobalVariables.Variable] = []
        for variable in globals.variables(ofUnit: unit, &work, start)
        where types.pointee(variable.type, &work) != nil || !types.pointers(inside: variable.type, &work).isEmpty {
            made.append(variable)
        }
        globals.withPointers[unit] = made
        return made
    }

    /// Adds a variable to the expressions if it is a pointer or a reference, otherwise to the objects.
    private func add(
        _ name: String, _ type: Int?, _ address: UInt64?, _ value: UInt64?, to found: inout [Expression],
        _ objects: inout [Object], _ work: inout Work
    ) {
        if let target = types.pointee(type, &work) {
            guard let value, value != 0 else { return }
            var (text, form) = (name, Expression.Form.pointer)
            if name == "this" || name == Scope.captures {
                form = .members
                text = types.structure(target, &work).flatMap { DwarfTypes.isClosure($0) ? nil : $0.name } ?? ""
            }
            found.append(Expression(text: text, form: form, value: value, target: target))
        } else if let target = types.referred(type, &work) {
            guard let value, value != 0 else { return }
            found.append(Expression(text: name, form: .reference, value: value, target: target))
        } else if let address {
            objects.append(Object(text: name, address: address, type: type))
        }
    }

    /// Adds the pointers inside of the objects, and of what the expressions point to.
    private mutating func addMembers(
        of expressions: [Expression], _ objects: [Object], to found: inout Expressions, _ read: Reading
    ) {
        var work = Work(Limits.typeWork)
        func add(_ pointer: DwarfTypes.InnerPointer, at address: UInt64, _ text: String) {
            guard let value = read(address &+ pointer.offset), value != 0 else { return }
            found.members.append(
                Expression(
                    text: text, form: pointer.isOfElements ? .elements : .pointer, value: value,
                    target: pointer.target))
        }
        for object in objects {
            for pointer in types.pointers(inside: object.type, &work) {
                add(pointer, at: object.address, object.text + pointer.path)
            }
        }
        for expression in expressions where types.structure(expression.target, &work) != nil {
            for pointer in types.pointers(inside: expression.target, &work) {
                // A pointer to a smart pointer or to a container is rare, and long to write.
                if pointer.path.isEmpty && expression.form != .reference { continue }
                add(pointer, at: expression.value, expression.text(pointer.path))
            }
        }
    }
}
