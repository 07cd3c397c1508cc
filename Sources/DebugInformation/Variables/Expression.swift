/// A pointer or a reference of the program, as the source writes it, and where it points now.
package struct Expression {
    /// How the source writes what it points to.
    package enum Form: Sendable {
        /// `q->head`, `*count`, or `accounts[2]` if it points to the first of several.
        case pointer
        /// The elements of a container: `values[2]`.
        case elements
        /// A reference, or a variable itself, which can be in a block if a lambda has captured it: `q.head`.
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

    /// The pointers and references in a frame's scope, local ones first, with the innermost first among them.
    ///
    /// - Parameters:
    ///   - function: the offset of the entry of the frame's function.
    ///   - line: the line that the function has reached: later variables have no value yet. Nil: it is not known.
    package mutating func expressions(
        in frame: DwarfFrame, of function: Int, line: Int?, _ read: Reading
    ) -> Expressions {
        var found = Expressions()
        var work = Work(Limits.typeWork)
        guard let (unit, scope, base) = scope(of: frame, of: function, &work) else { return found }
        let variables = scope.variables.filter { variable in
            guard let line, variable.function == function else { return true }
            return variable.line <= line
        }
        for number in variables.indices.sorted(by: { (variables[$1].depth, $0) < (variables[$0].depth, $1) }) {
            let variable = variables[number]
            guard
                let location = lists.locations(variable.location, unit, &work).first(where: { $0.covers(frame.code) })
            else { continue }
            let address = frame.address(location.expression, from: base)
            let value = frame.value(location.expression, from: base) ?? address.flatMap(read)
            add(variable.name, variable.type, address, value, to: &found.variables, &work)
        }
        addMembers(to: &found, read)
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
        var work = Work(Limits.typeWork)
        for variable in globalsWithPointers(ofUnit: unit, start, &work) {
            let address = variable.start &+ offset
            add(variable.name, variable.type, address, read(address), to: &found.variables, &work)
        }
        addMembers(to: &found, read)
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

    /// Adds a variable, and what it points or refers to.
    private func add(
        _ name: String, _ type: Int?, _ address: UInt64?, _ value: UInt64?, to found: inout [Expression],
        _ work: inout Work
    ) {
        if let target = types.pointee(type, &work) {
            var (text, form) = (name, Expression.Form.pointer)
            if name == "this" || name == Scope.captures {
                form = .members
                text = types.structure(target, &work).flatMap { DwarfTypes.isClosure($0) ? nil : $0.name } ?? ""
            }
            if let value, value != 0 {
                found.append(Expression(text: text, form: form, value: value, target: target))
            }
        } else if let target = types.referred(type, &work) {
            guard let value, value != 0 else { return }
            return found.append(Expression(text: name, form: .reference, value: value, target: target))
        }
        if let address { found.append(Expression(text: name, form: .reference, value: address, target: type)) }
    }

    /// Adds the pointers inside of the variables, and of what they point to.
    private mutating func addMembers(to found: inout Expressions, _ read: Reading) {
        var work = Work(Limits.typeWork)
        for expression in found.variables {
            let isVariable = expression.form == .reference
            guard isVariable || types.structure(expression.target, &work) != nil,
                types.pointee(expression.target, &work) == nil
            else { continue }
            for pointer in types.pointers(inside: expression.target, &work) {
                // A pointer to a smart pointer or to a container is rare, and long to write.
                guard isVariable || !pointer.path.isEmpty, found.members.count < Limits.expressions,
                    let value = read(expression.value &+ pointer.offset), value != 0
                else { continue }
                found.members.append(
                    Expression(
                        text: expression.text(pointer.path), form: pointer.isOfElements ? .elements : .pointer,
                        value: value, target: pointer.target))
            }
        }
    }
}
